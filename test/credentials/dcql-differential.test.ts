/** Our reading of DCQL beside the package dcql 3.0.0: the same queries, the same answers, and where it leaves the standard. */
import { DcqlPresentationResult, DcqlQuery } from 'dcql'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dcqlQuery, findDcqlMismatch } from '@/server/base/protocol/dcql'

const VCT = 'https://types.example/person'
const credential = (more: object = {}) => ({ id: 'q', format: 'dc+sd-jwt', meta: { vct_values: [VCT] }, ...more })
const one = (more: object = {}) => ({ credentials: [credential(more)] })
const two = (sets: object[]) => ({ credentials: [credential(), credential({ id: 'r' })], credential_sets: sets })

const oursParses = (query: unknown) => dcqlQuery.safeParse(query).success
function theirsParses(query: unknown): boolean {
  try {
    DcqlQuery.validate(DcqlQuery.parse(query as DcqlQuery.Input))
    return true
  } catch {
    return false
  }
}

interface Presented {
  readonly vct?: string
  readonly claims: Record<string, unknown>
}
type Answer = Readonly<Record<string, readonly Presented[]>>

function oursTakes(query: unknown, answer: Answer): boolean {
  const presented = Object.entries(answer).flatMap(([id, list]) =>
    list.map(({ vct = VCT, claims }) => ({ id, vct, claims })),
  )
  return findDcqlMismatch(dcqlQuery.parse(query), presented) === null
}
function theirsTakes(query: unknown, answer: Answer): boolean {
  const presentations = Object.entries(answer).map(([id, list]) => [id, list.map(describePresentation)])
  try {
    return DcqlPresentationResult.fromDcqlPresentation(Object.fromEntries(presentations), {
      dcqlQuery: DcqlQuery.parse(query as DcqlQuery.Input),
    }).can_be_satisfied
  } catch {
    return false
  }
}
const describePresentation = ({ vct = VCT, claims }: Presented) => ({
  credential_format: 'dc+sd-jwt' as const,
  cryptographic_holder_binding: true,
  vct,
  claims,
})

describe('a query', () => {
  const claims = [
    { id: 'a', path: ['given_name'] },
    { id: 'b', path: ['address', 'country'], values: ['IE', 7, true] },
  ]
  test.each<[string, unknown]>([
    ['asks for a type', one()],
    ['asks for claims', one({ claims })],
    ['asks for one set of claims or another', one({ claims, claim_sets: [['a'], ['a', 'b']] })],
    ['asks for elements of lists', one({ claims: [{ path: ['a', null, 0, 'b'] }] })],
    ['takes several', one({ multiple: true, require_cryptographic_holder_binding: true })],
    ['names an authority', one({ trusted_authorities: [{ type: 'aki', values: ['s9tIpPmhxdiuNkHMEWNpYim8S8Y'] }] })],
    ['asks for one of two', two([{ options: [['q'], ['r']] }, { options: [['q', 'r']], required: false }])],
    ['has an unknown member', { ...one({ more: 1 }), more: 1 }],
  ])('that %s is one for both', (_name, query) => {
    expect([oursParses(query), theirsParses(query)]).toEqual([true, true])
  })

  test.each<[string, unknown]>([
    ['is a text', '{}'],
    ['asks for nothing', {}],
    ['has an empty list', { credentials: [] }],
    ['repeats an id', { credentials: [credential(), credential()] }],
    ['has an id with a dot', one({ id: 'a.b' })],
    ['is of an unknown format', one({ format: 'paper' })],
    ['has no claims in claims', one({ claims: [] })],
    ['has an empty path', one({ claims: [{ path: [] }] })],
    ['has a negative index', one({ claims: [{ path: ['a', -1] }] })],
    ['has an object as value', one({ claims: [{ path: ['a'], values: [{}] }] })],
    ['has an unknown claim in a set', one({ claims, claim_sets: [['c']] })],
    ['has an empty set of claims', one({ claims, claim_sets: [] })],
    ['has an unknown credential in a set', two([{ options: [['x']] }])],
    ['has no options', two([{ options: [] }])],
    ['has a text as multiple', one({ multiple: 'true' })],
    ['names authorities without values', one({ trusted_authorities: [{ type: 'aki', values: [] }] })],
  ])('that %s is none for both', (_name, query) => {
    expect([oursParses(query), theirsParses(query)]).toEqual([false, false])
  })

  test.each<[string, unknown]>([
    ['has no meta (section 6.1 requires it)', one({ meta: undefined })],
    ['has empty vct_values (appendix B.3.5 requires one)', one({ meta: { vct_values: [] } })],
    ['repeats the id of a claim (section 6.3 forbids it)', one({ claims: [claims[0], claims[0]] })],
    [
      'names authorities that are not consulted here',
      one({ trusted_authorities: [{ type: 'etsi_tl', values: ['https://lotl.example'] }] }),
    ],
    ['needs no key binding, which is always needed here', one({ require_cryptographic_holder_binding: false })],
  ])('that %s is one for the package alone', (_name, query) => {
    expect([oursParses(query), theirsParses(query)]).toEqual([false, true])
  })
})

describe('an answer', () => {
  const payload = { given_name: 'Ada', age: 36, member: true, address: { country: 'IE' }, nationalities: ['IE', 'DE'] }
  const claims = [
    { id: 'a', path: ['given_name'] },
    { id: 'b', path: ['email'] },
  ]
  const good = { claims: payload }
  const bad = { vct: 'https://types.example/other', claims: payload }
  test.each<[string, boolean, unknown, Answer]>([
    ['of the type', true, one(), { q: [good] }],
    ['of another type', false, one(), { q: [bad] }],
    ['of nothing', false, one(), {}],
    ['to another query', false, one(), { x: [good] }],
    ['without a claim', false, one({ claims }), { q: [good] }],
    ['with one set of claims', true, one({ claims, claim_sets: [['b'], ['a']] }), { q: [good] }],
    ['without any set of claims', false, one({ claims, claim_sets: [['b'], ['a', 'b']] }), { q: [good] }],
    ['of two where one is asked for', false, one(), { q: [good, good] }],
    ['of two where several may be', true, one({ multiple: true }), { q: [good, good] }],
    ['of two, one of them of another type', false, one({ multiple: true }), { q: [good, bad] }],
    ['with one option', true, two([{ options: [['q'], ['r']] }]), { r: [good] }],
    ['with half an option', false, two([{ options: [['q', 'r']] }]), { r: [good] }],
    [
      'without what is not required',
      true,
      two([{ options: [['q']] }, { options: [['r']], required: false }]),
      { q: [good] },
    ],
  ])('%s is taken by both: %s', (_name, expected, query, answer) => {
    expect([oursTakes(query, answer), theirsTakes(query, answer)]).toEqual([expected, expected])
  })

  /** Lists are not empty and hold elements of one shape, names are those that no object has by itself: see below. */
  const name = fc.constantFrom('a', 'b', 'c', 'd')
  const leaf = fc.constantFrom('x', 'y', 1, 2, true, false)
  const leaves = fc.array(leaf, { minLength: 1, maxLength: 3 })
  const some = <Model extends object>(model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
    fc.record(model, { requiredKeys: [], noNullPrototype: true })
  const inner = some({ a: leaf, b: leaves, c: some({ a: leaf, b: leaf }) })
  const claimsOf = some({ a: leaf, b: inner, c: leaves, d: fc.array(inner, { minLength: 1, maxLength: 3 }) })
  const path = fc.array(fc.oneof(name, fc.constant(null)), { minLength: 0, maxLength: 3 })
  const claim = fc.record(
    { path: fc.tuple(name, path).map(([first, rest]) => [first, ...rest]), values: fc.array(leaf, { minLength: 1 }) },
    { requiredKeys: ['path'] },
  )

  test('of any claims to any paths and values is taken by both or by neither', () => {
    const taken = { yes: 0, no: 0 }
    fc.assert(
      fc.property(claimsOf, fc.array(claim, { minLength: 1, maxLength: 2 }), (given, wanted) => {
        const [query, answer] = [one({ claims: wanted }), { q: [{ claims: given }] }]
        const ours = oursTakes(query, answer)
        taken[ours ? 'yes' : 'no'] += 1
        expect(theirsTakes(query, answer)).toBe(ours)
      }),
      { numRuns: 2_000 },
    )
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(50)
  })

  test.each<[string, unknown[]]>([
    ['names what every object inherits', ['constructor']],
    ['takes a list for an object', ['nationalities', 'length']],
    ['selects all elements of an empty list', ['degrees', null]],
    ['takes a text among objects for one', ['addresses', null, 'country']],
  ])('to a path that %s is taken by the package alone (an error by section 7.1)', (_name, wanted) => {
    const given = { ...payload, degrees: [], addresses: [payload.address, 'Dublin'] }
    const [query, answer] = [one({ claims: [{ path: wanted }] }), { q: [{ claims: given }] }]
    expect([oursTakes(query, answer), theirsTakes(query, answer)]).toEqual([false, true])
  })
})
