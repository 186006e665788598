/**
 * DCQL: the examples of OpenID4VP 1.0 (sections 6 and 7, appendix D) in the form of SD-JWT VC, and cases that they do
 * not cover.
 */
import { describe, expect, test } from 'vitest'
import { dcqlQuery, findDcqlMismatch, type PresentedCredential } from './dcql'

const PID = 'https://credentials.example.com/identity_credential'
const payload = {
  vct: PID,
  given_name: 'Arthur',
  last_name: 'Dent',
  address: { street_address: '42 Market Street', locality: 'Milliways', postal_code: '12345' },
  degrees: [
    { type: 'Bachelor of Science', university: 'University of Betelgeuse' },
    { type: 'Master of Science', university: 'University of Betelgeuse' },
  ],
  nationalities: ['British', 'Betelgeusian'],
}

const credential = (more: object = {}) => ({ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: [PID] }, ...more })
const presented = (claims: object = payload, id = 'pid', vct = PID): PresentedCredential => ({
  id,
  vct,
  claims: { ...claims },
})
const isMet = (query: object, answers: readonly PresentedCredential[] = [presented()]) =>
  findDcqlMismatch(dcqlQuery.parse(query), answers) === null
const one = (more: object) => ({ credentials: [credential(more)] })

describe('claims path pointers (section 7.3)', () => {
  test.each<[boolean, unknown[]]>([
    [true, ['given_name']],
    [true, ['address']],
    [true, ['address', 'street_address']],
    [true, ['degrees', null, 'type']],
    [true, ['degrees', 1]],
    [false, ['degrees', 2]],
    [false, ['address', 'country']],
    [false, ['given_name', 'x']],
    [false, ['given_name', null]],
    [false, ['address', 0]],
    [false, ['nationalities', 'length']],
    [false, ['degrees', null, null]],
    [false, [null]],
    [false, [0]],
    [false, ['constructor']],
    [false, ['toString', 'name']],
    [false, ['__proto__']],
    [false, ['']],
  ])('%s for %j', (expected, path) => {
    expect(isMet(one({ claims: [{ path }] }))).toBe(expected)
  })
})

describe('values (section 6.4.1)', () => {
  test.each<[boolean, unknown[], unknown[]]>([
    [true, ['last_name'], ['Dent']],
    [true, ['address', 'postal_code'], ['90210', '12345']],
    [true, ['nationalities', null], ['Betelgeusian']],
    [false, ['last_name'], ['dent']],
    [false, ['address', 'postal_code'], [12_345]],
    [false, ['nationalities'], ['British']],
    [false, ['nationalities', null], ['Irish']],
  ])('%s for %j of %j', (expected, path, values) => {
    expect(isMet(one({ claims: [{ path, values }] }))).toBe(expected)
  })
})

describe('one credential', () => {
  test('must be of one of the types', () => {
    expect(isMet(one({ meta: { vct_values: ['other', PID] } }))).toBe(true)
    expect(isMet(one({ meta: { vct_values: ['other'] } }))).toBe(false)
  })

  test('without claims needs none, with claims all, with claim_sets those of one set', () => {
    const claims = [
      { id: 'a', path: ['given_name'] },
      { id: 'b', path: ['email'] },
      { id: 'c', path: ['last_name'] },
    ]
    expect(isMet(one({}), [presented({})])).toBe(true)
    expect(isMet(one({ claims }))).toBe(false)
    expect(isMet(one({ claims, claim_sets: [['b'], ['a', 'c']] }))).toBe(true)
    expect(isMet(one({ claims, claim_sets: [['b'], ['a', 'b']] }))).toBe(false)
  })

  test('comes once, unless the query says multiple; then each of them must fit', () => {
    expect(isMet(one({}), [presented(), presented()])).toBe(false)
    expect(isMet(one({ multiple: true }), [presented(), presented()])).toBe(true)
    expect(isMet(one({ multiple: true }), [presented(), presented({}, 'pid', 'other')])).toBe(false)
  })

  test('names a query of the request', () => {
    expect(isMet(one({}), [presented(), presented({}, 'other')])).toBe(false)
    expect(isMet(one({}), [])).toBe(false)
  })
})

describe('credential sets (section 6.4.2)', () => {
  const credentials = ['pid', 'other', 'nice'].map((id) => credential({ id }))
  const sets = [{ options: [['pid'], ['other']] }, { options: [['nice']], required: false }]
  const with_ = (...ids: string[]) => ids.map((id) => presented(payload, id))

  test('without them every credential is needed', () => {
    expect(isMet({ credentials }, with_('pid', 'other'))).toBe(false)
    expect(isMet({ credentials }, with_('pid', 'other', 'nice'))).toBe(true)
  })

  test('one option of each required set is', () => {
    const query = { credentials, credential_sets: sets }
    expect(isMet(query, with_('pid'))).toBe(true)
    expect(isMet(query, with_('other', 'nice'))).toBe(true)
    expect(isMet(query, with_('nice'))).toBe(false)
    expect(isMet({ credentials, credential_sets: [{ options: [['pid', 'nice']] }] }, with_('pid'))).toBe(false)
  })
})

describe('a query', () => {
  const pathOf = (query: unknown) => dcqlQuery.safeParse(query).error?.issues[0]?.path ?? null
  test.each<[string, object, unknown[]]>([
    ['repeats an id', { credentials: [credential(), credential()] }, ['credentials', 1, 'id']],
    [
      'repeats the id of a claim',
      one({
        claims: [
          { id: 'a', path: ['x'] },
          { id: 'a', path: ['y'] },
        ],
      }),
      ['credentials', 0, 'claims', 1, 'id'],
    ],
    ['has sets without claims', one({ claim_sets: [['a']] }), ['credentials', 0, 'claim_sets']],
    [
      'has sets beside a claim without id',
      one({ claims: [{ path: ['x'] }], claim_sets: [['a']] }),
      ['credentials', 0, 'claims', 0, 'id'],
    ],
    [
      'names an unknown claim in a set',
      one({ claims: [{ id: 'a', path: ['x'] }], claim_sets: [['a'], ['b']] }),
      ['credentials', 0, 'claim_sets', 1, 0],
    ],
    [
      'names an unknown credential in a set',
      { ...one({}), credential_sets: [{ options: [['pid'], ['__proto__']] }] },
      ['credential_sets', 0, 'options', 1, 0],
    ],
    ['has no options', { ...one({}), credential_sets: [{ options: [] }] }, ['credential_sets', 0, 'options']],
    ['has an empty option', { ...one({}), credential_sets: [{ options: [[]] }] }, ['credential_sets', 0, 'options', 0]],
    ['has no sets', { ...one({}), credential_sets: [] }, ['credential_sets']],
    ['has a negative index', one({ claims: [{ path: ['x', -1] }] }), ['credentials', 0, 'claims', 0, 'path', 1]],
    ['has no values', one({ claims: [{ path: ['x'], values: [] }] }), ['credentials', 0, 'claims', 0, 'values']],
    [
      'has an object as value',
      one({ claims: [{ path: ['x'], values: [{}] }] }),
      ['credentials', 0, 'claims', 0, 'values', 0],
    ],
    ['has a text as multiple', one({ multiple: 'true' }), ['credentials', 0, 'multiple']],
    ['has empty authorities', one({ trusted_authorities: [] }), ['credentials', 0, 'trusted_authorities']],
    [
      'names authorities in a way that is not enforced',
      one({ trusted_authorities: [{ type: 'etsi_tl', values: ['https://lotl.example'] }] }),
      ['credentials', 0, 'trusted_authorities', 0, 'type'],
    ],
    [
      'needs no key binding',
      one({ require_cryptographic_holder_binding: false }),
      ['credentials', 0, 'require_cryptographic_holder_binding'],
    ],
  ])('that %s is refused', (_name, query, path) => {
    expect(pathOf(query)).toEqual(path)
  })

  test('keeps what the standard knows and nothing else', () => {
    const authorities = [{ type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }]
    const query = one({ trusted_authorities: authorities, multiple: false })
    expect(dcqlQuery.parse({ ...query, extra: 1 })).toEqual(query)
  })
})
