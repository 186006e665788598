import { describe, expect, test } from 'vitest'
import { encodeBase64url } from './encoding'
import { type PresentationVerification, parsePresentation } from './presentation'
import {
  ATTESTATION,
  codeOf,
  digestOf,
  disclose,
  ed25519Key,
  NOW_SECONDS,
  type PresentationDraft,
  p256Key,
  present,
  presentationVerifier,
} from './test-support'

const { edKeys, ecKeys, verify, outcome, draftOutcome } = presentationVerifier(['EdDSA', 'Ed25519', 'ES256'])

describe('presentation', () => {
  test.each([
    ['EdDSA', edKeys, edKeys],
    ['ES256', ecKeys, ecKeys],
    ['ES256 with an EdDSA holder', ecKeys, edKeys],
  ])('D4 a presentation of %s verifies and yields its processed claims', async (_, { issuerKey }, { holder }) => {
    const verified = await verify(present({ issuerKey, holder }))
    expect(verified).toEqual({
      claims: {
        iss: ATTESTATION.issuer,
        vct: ATTESTATION.vct,
        iat: NOW_SECONDS - 60,
        exp: NOW_SECONDS + 3_600,
        given_name: 'Ada',
      },
      holderJkt: holder.kid,
      keyBinding: { nonce: ATTESTATION.nonce, audience: ATTESTATION.audience, iat: NOW_SECONDS },
      transactionDataHashes: null,
      status: null,
    })
  })

  test('D4 the status reference is returned apart from the claims', async () => {
    const status = { status_list: { idx: 7, uri: 'https://issuer.example/status/1' } }
    const verified = await verify(present(edKeys, { claims: { status } }))
    expect(verified.status).toEqual({ idx: 7, uri: 'https://issuer.example/status/1' })
    expect(verified.claims).not.toHaveProperty('status')
  })

  test('the header of the attestation finds its key', async () => {
    const seen: unknown[] = []
    const findKey: PresentationVerification['findKey'] = (header) => {
      seen.push(header)
      return Promise.resolve(edKeys.issuerKey.publicKey)
    }
    await verify(present(edKeys, { header: { x5c: ['AA=='], jwk: edKeys.holder.jwk } }), { findKey })
    expect(seen).toEqual([{ alg: 'EdDSA', kid: edKeys.issuerKey.kid, x5c: ['AA=='] }])
  })
})

describe('form', () => {
  const big = 'a'.repeat(70_000)
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
  const jwt = present(edKeys).split('~')[0] ?? ''

  test.each<[string, string]>([
    ['no tilde', jwt],
    ['nothing', ''],
    ['only tildes', '~~~'],
    ['JSON', '{"a":1}'],
    ['an empty disclosure', `${jwt}~~`],
    ['another typ', present(edKeys, { header: { typ: 'vc+sd-jwt' } })],
    ['a typ in other case', present(edKeys, { header: { typ: 'DC+SD-JWT' } })],
    ['no typ', present(edKeys, { header: { typ: undefined } })],
    ['alg none', present(edKeys, { header: { alg: 'none' } })],
    ['HS256', present(edKeys, { header: { alg: 'HS256' } })],
    ['crit', present(edKeys, { header: { crit: ['x'] } })],
    ['an x5c that is a text', present(edKeys, { header: { x5c: 'AA==' } })],
    ['an empty x5c', present(edKeys, { header: { x5c: [] } })],
    ['six certificates', present(edKeys, { header: { x5c: Array.from({ length: 6 }, () => 'AA==') } })],
    ['no iss', present(edKeys, { claims: { iss: undefined } })],
    ['no vct', present(edKeys, { claims: { vct: undefined } })],
    ['a vct that is a number', present(edKeys, { claims: { vct: 1 } })],
    ['more than 64 KiB', present(edKeys, { claims: { big } })],
    [
      '65 disclosures',
      present(edKeys, { disclosures: Array.from({ length: 65 }, (_, index) => ['s', `c${index}`, 1]) }),
    ],
    ['17 levels', present(edKeys, { claims: { deep: nested(16) } })],
    ['17 levels in a disclosure', present(edKeys, { disclosures: [['s', 'deep', nested(16)]] })],
    ['a disclosure that is no array', present(edKeys, { disclosures: [{ a: 1 }] })],
    ['a disclosure of four', present(edKeys, { disclosures: [['s', 'a', 1, 2]] })],
    ['a disclosure without salt', present(edKeys, { disclosures: [[1, 'a', 1]] })],
    ['a disclosure sent twice', present(edKeys, { sent: [disclose(['s', 'a', 1]), disclose(['s', 'a', 1])] })],
    ['a key binding that is no JWT', `${present(edKeys, { binding: null })}abc`],
    ['two key bindings', `${present(edKeys)}~${present(edKeys).split('~').at(-1)}`],
    ['another text behind it', `${present(edKeys)} `],
    ['padding', present(edKeys).replace('.', '=.')],
  ])('A7 D6 %s is vp_token_invalid before any key is looked up', (_, compact) => {
    expect(codeOf(() => parsePresentation(compact))).toBe('vp_token_invalid')
  })

  test('A7 64 KiB, 64 disclosures and 16 levels pass', async () => {
    const small = present(edKeys, { claims: { filling: '' } }).length
    const filling = 'a'.repeat(Math.floor(((65_536 - small) * 3) / 4) - 2)
    const full = present(edKeys, { claims: { filling } })
    expect(full.length).toBeGreaterThan(65_520)
    expect(await outcome(full)).toBe('accepted')
    const disclosures = Array.from({ length: 64 }, (_, index) => ['s', `c${index}`, 1])
    expect(await draftOutcome({ disclosures })).toBe('accepted')
    expect(await draftOutcome({ claims: { deep: nested(15) } })).toBe('accepted')
    expect(await draftOutcome({ disclosures: [['s', 'deep', nested(15)]] })).toBe('accepted')
  })
})

describe('issuer', () => {
  test('D6 an alg that the issuer may not use is vp_token_invalid, without a look for its key', async () => {
    const findKey = () => Promise.reject(new Error('looked up'))
    expect(await outcome(present(edKeys), { algorithms: ['ES256'], findKey })).toBe('vp_token_invalid')
    expect(await outcome(present(ecKeys), { algorithms: ['EdDSA'], findKey })).toBe('vp_token_invalid')
  })

  test('D6 a signature by another key is vp_token_invalid', async () => {
    expect(await draftOutcome({ issuerKey: ed25519Key() })).toBe('vp_token_invalid')
    const foreign = present({ ...ecKeys, issuerKey: { ...p256Key(), kid: ecKeys.issuerKey.kid } })
    expect(await outcome(foreign)).toBe('vp_token_invalid')
  })

  test('D6 an alg that lies about the key is vp_token_invalid', async () => {
    expect(await draftOutcome({ header: { alg: 'ES256' } })).toBe('vp_token_invalid')
    const other = present(ecKeys, { header: { alg: 'EdDSA' } })
    expect(await outcome(other)).toBe('vp_token_invalid')
  })

  test('D6 a payload that was changed after it was signed is vp_token_invalid', async () => {
    const [header, payload = '', ...rest] = present(edKeys).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const changed = encodeBase64url(JSON.stringify({ ...claims, exp: NOW_SECONDS + 999_999 }))
    expect(await outcome([header, changed, ...rest].join('.'))).toBe('vp_token_invalid')
  })
})

describe('disclosures', () => {
  const text = disclose(['salt', 'given_name', 'Ada'])
  const element = disclose(['salt', 'element'])

  test.each<[string, PresentationDraft]>([
    ['that nothing refers to', { claims: { _sd: [] } }],
    ['under a wrong digest', { claims: { _sd: [digestOf('x')] } }],
    ['referred to twice', { claims: { _sd: [digestOf(text), digestOf(text)] } }],
    ['referred to twice in different places', { claims: { more: { _sd: [digestOf(text)] } } }],
    ['that overrides a claim', { claims: { given_name: 'Eve' } }],
    [
      'that takes the name of another',
      {
        disclosures: [
          ['a', 'x', 1],
          ['b', 'x', 2],
        ],
      },
    ],
    ['named _sd', { disclosures: [['s', '_sd', []]] }],
    ['named ...', { disclosures: [['s', '...', 'x']] }],
    ['named __proto__', { disclosures: [['s', '__proto__', { admin: true }]] }],
    ['of an element in an object', { claims: { _sd: [digestOf(element)] }, sent: [element] }],
    ['of a claim in an array', { claims: { _sd: [], list: [{ '...': digestOf(text) }] }, sent: [text] }],
    ['in an array beside a claim', { claims: { list: [{ '...': digestOf(element), a: 1 }] }, sent: [text, element] }],
    ['that hides iss', { disclosures: [['s', 'iss', 'https://other.example']] }],
    ['that hides exp', { claims: { exp: undefined }, disclosures: [['s', 'exp', NOW_SECONDS + 9]] }],
    ['that hides nbf', { disclosures: [['s', 'nbf', 0]] }],
    ['that hides cnf', { claims: { cnf: undefined }, disclosures: [['s', 'cnf', { jwk: edKeys.holder.jwk }]] }],
    ['that hides status', { disclosures: [['s', 'status', {}]] }],
    ['that hides vct#integrity', { disclosures: [['s', 'vct#integrity', 'x']] }],
    ['with a digest that is a number', { claims: { _sd: [1] }, sent: [] }],
    ['with digests that are no array', { claims: { _sd: 'x' }, sent: [] }],
    ['with another hash algorithm', { claims: { _sd_alg: 'sha-512' } }],
    ['with _sd_alg below the top', { claims: { more: { _sd_alg: 'sha-256' } } }],
  ])('D6 a disclosure %s is vp_token_invalid', async (_, draft) => {
    expect(await draftOutcome(draft)).toBe('vp_token_invalid')
  })

  test('D6 a status that the holder may keep back in part is vp_token_invalid', async () => {
    const list = disclose(['s', 'status_list', { idx: 1, uri: 'https://issuer.example/status/1' }])
    const claims = { status: { _sd: [digestOf(list)] }, _sd: [] }
    expect(await draftOutcome({ claims, sent: [] })).toBe('vp_token_invalid')
    expect(await draftOutcome({ claims, sent: [list] })).toBe('vp_token_invalid')
    const jwk = disclose(['s', 'jwk', edKeys.holder.jwk])
    expect(await draftOutcome({ claims: { cnf: { _sd: [digestOf(jwk)] }, _sd: [] }, sent: [jwk] })).toBe(
      'vp_token_invalid',
    )
  })

  test('A7 levels that disclosures add up to are bounded', async () => {
    const inner = disclose(['s', 'inner', [[[[[[[[[[[1]]]]]]]]]]]])
    const middle = ['s', 'middle', { a: { b: { c: { d: { _sd: [digestOf(inner)] } } } } }]
    const draft = { disclosures: [middle], sent: [disclose(middle), inner] }
    expect(await draftOutcome(draft)).toBe('vp_token_invalid')
  })

  test('disclosures that are kept back leave nothing', async () => {
    const { claims } = await verify(
      present(edKeys, { sent: [], claims: { list: [{ '...': digestOf('x') }, 'plain'] } }),
    )
    expect(claims).not.toHaveProperty('given_name')
    expect(claims['list']).toEqual(['plain'])
  })
})

describe('times', () => {
  test.each<[string, object, string]>([
    ['exp in the past', { exp: NOW_SECONDS - 1 }, 'presentation_expired'],
    ['exp now', { exp: NOW_SECONDS }, 'presentation_expired'],
    ['exp in a second', { exp: NOW_SECONDS + 1 }, 'accepted'],
    ['no exp', { exp: undefined }, 'accepted'],
    ['exp that is a text', { exp: '9999999999' }, 'vp_token_invalid'],
    ['exp null', { exp: null }, 'vp_token_invalid'],
    ['exp too large', { exp: 1e15 }, 'vp_token_invalid'],
    ['nbf within the skew', { nbf: NOW_SECONDS + 60 }, 'accepted'],
    ['nbf beyond the skew', { nbf: NOW_SECONDS + 61 }, 'vp_token_invalid'],
    ['nbf that is a text', { nbf: '1' }, 'vp_token_invalid'],
    ['iat that is a text', { iat: 'now' }, 'vp_token_invalid'],
    ['a status that is a text', { status: 'valid' }, 'vp_token_invalid'],
    ['a status without list', { status: {} }, 'vp_token_invalid'],
    [
      'a status with a negative index',
      { status: { status_list: { idx: -1, uri: 'https://a.example' } } },
      'vp_token_invalid',
    ],
    [
      'a status with an index as text',
      { status: { status_list: { idx: '1', uri: 'https://a.example' } } },
      'vp_token_invalid',
    ],
    ['a status without address', { status: { status_list: { idx: 1 } } }, 'vp_token_invalid'],
  ])('D6 %s', async (_, claims, code) => {
    expect(await draftOutcome({ claims })).toBe(code)
  })
})
