import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { newKey } from '@/test/support/actors'
import { ProtocolError } from '../errors'
import { parseConstraints, requireConstraints } from './constraints'
import { parseEntityStatement, verifyEntityStatement } from './entity-statement'

const now = new Date('2026-11-28T12:00:00Z')
const seconds = now.getTime() / 1000
const key = await newKey()
const jwks = { keys: [{ ...key.jwk, kid: 'one' }] }
const own = { iss: 'https://a.example', sub: 'https://a.example', iat: seconds, exp: seconds + 60, jwks }

const sign = (claims: object, header: object = {}) =>
  new SignJWT({ ...own, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'entity-statement+jwt', kid: 'one', ...header } as never)
    .sign(key.privateKey)

const refusal = async (act: () => unknown): Promise<string | null> => {
  try {
    await act()
    return null
  } catch (error) {
    return error instanceof ProtocolError ? error.code : String(error)
  }
}

describe('an entity statement', () => {
  test('is read and verified with the key that its kid names', async () => {
    const statement = parseEntityStatement(await sign({}), now)
    expect(statement).toMatchObject({ iss: own.iss, sub: own.sub, exp: own.exp, jwks: jwks.keys })
    await verifyEntityStatement(statement, statement.jwks)
    const other = await newKey()
    expect(await refusal(() => verifyEntityStatement(statement, [{ ...other.jwk, kid: 'one' }]))).toBe(
      'invalid_trust_chain',
    )
    expect(await refusal(() => verifyEntityStatement(statement, []))).toBe('invalid_trust_chain')
  })

  test('B15 clocks may differ by sixty seconds either way', async () => {
    const times = [{ exp: seconds - 59 }, { iat: seconds + 60 }, { exp: seconds - 60 }, { iat: seconds + 61 }]
    const results = await Promise.all(
      times.map(async (claims) => {
        const compact = await sign(claims)
        return refusal(() => parseEntityStatement(compact, now))
      }),
    )
    expect(results).toEqual([null, null, 'invalid_trust_chain', 'invalid_trust_chain'])
  })

  test.each([
    ['keys of one kid', { jwks: { keys: [...jwks.keys, ...jwks.keys] } }],
    ['a key without kid', { jwks: { keys: [key.jwk] } }],
    ['no issuer', { iss: undefined }],
    ['an issuer that is no URL', { iss: 'a.example', sub: 'a.example' }],
    ['critical operators of no shape', { iss: 'https://b.example', metadata_policy_crit: [] }],
  ])('with %s is refused', async (_title, claims) => {
    const compact = await sign(claims)
    expect(await refusal(() => parseEntityStatement(compact, now))).toBe('invalid_trust_chain')
  })
})

describe('naming constraints', () => {
  const isAllowed = async (naming_constraints: object, entityId: string) =>
    (await refusal(() =>
      requireConstraints(parseConstraints({ naming_constraints }), { intermediates: 0, entityIds: [entityId] }),
    )) === null

  test.each([
    [{ permitted: ['.a.example'] }, 'https://x.a.example', true],
    [{ permitted: ['.a.example'] }, 'https://y.x.a.example:8443/path', true],
    [{ permitted: ['.a.example'] }, 'https://a.example', false],
    [{ permitted: ['.a.example'] }, 'https://evil-a.example', false],
    [{ permitted: ['a.example'] }, 'https://A.example.', true],
    [{ permitted: ['a.example'] }, 'https://x.a.example', false],
    [{ permitted: ['a.example'] }, 'https://a.example@evil.example', false],
    [{ permitted: [] }, 'https://a.example', false],
    [{ excluded: ['.a.example'] }, 'https://x.a.example', false],
    [{ excluded: ['.a.example'] }, 'https://b.example', true],
    [{ permitted: ['.a.example'], excluded: ['x.a.example'] }, 'https://x.a.example', false],
  ])('B17 %j and %s: %s', async (constraints, entityId, allowed) => {
    expect(await isAllowed(constraints, entityId)).toBe(allowed)
  })
})
