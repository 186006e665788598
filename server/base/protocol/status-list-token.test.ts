import { deflateSync } from 'node:zlib'
import { StatusList } from '@sd-jwt/jwt-status-list'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { packStatusList, type StatusBits, signStatusListToken } from './status-list'
import vectors from './status-list.vectors.json'
import { readStatus, verifyStatusListToken } from './status-list-token'
import { codeOf, ed25519Key, laterCodeOf, NOW, NOW_SECONDS, p256Key, rawJws } from './test-support'

const URI = 'https://issuer.example/statuslists/1'
const ISSUER = 'https://issuer.example'
const key = p256Key()

const token = (claims: object = {}, header: object = {}) =>
  rawJws(
    { alg: 'ES256', typ: 'statuslist+jwt', kid: key.kid, ...header },
    { sub: URI, iat: NOW_SECONDS, status_list: { bits: 1, lst: 'eNrbuRgAAhcBXQ' }, ...claims },
    key,
  )
const verify = (text: string, algorithms: readonly string[] = ['ES256']) =>
  verifyStatusListToken(text, {
    uri: URI,
    issuer: ISSUER,
    algorithms,
    findKey: async () => key.publicKey,
    now: NOW,
  })
const statusesOf = async (bits: number, lst: string, size: number) => {
  const { list } = await verify(token({ status_list: { bits, lst } }))
  return Array.from({ length: size }, (_, idx) => readStatus(list, idx))
}

describe('the status of a list of another issuer', () => {
  test('the Token Status List draft section 4.1 and 4.2: the small examples', async () => {
    const one = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]
    expect(await statusesOf(1, 'eNrbuRgAAhcBXQ', 16)).toEqual(one)
    expect(await statusesOf(2, 'eNo76fITAAPfAgc', 12)).toEqual([1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3])
  })

  test.each(vectors)('the test vector of 2^20 entries with $bits bits', async ({ bits, lst, statuses }) => {
    const { list } = await verify(token({ status_list: { bits, lst } }))
    expect(list.bytes).toHaveLength((2 ** 20 * bits) / 8)
    for (const [idx = 0, status = 0] of statuses) expect([idx, readStatus(list, idx)]).toEqual([idx, status])
    const named = new Set(statuses.map(([idx]) => idx))
    const others = Array.from({ length: 2_000 }, (_, index) => (index * 523) % 2 ** 20).filter((idx) => !named.has(idx))
    expect(new Set(others.map((idx) => readStatus(list, idx)))).toEqual(new Set([0]))
    expect(codeOf(() => readStatus(list, 2 ** 20))).toBe('malformed')
  })

  test('the status agrees with @sd-jwt/jwt-status-list at every index', async () => {
    const lists = fc.constantFrom<StatusBits>(1, 2, 4, 8).chain((bits) =>
      fc.record({
        bits: fc.constant(bits),
        statuses: fc.array(fc.nat(2 ** bits - 1), { minLength: 1, maxLength: 100 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(lists, async ({ bits, statuses }) => {
        const lst = new StatusList([...statuses], bits).compressStatusList()
        expect(await statusesOf(bits, lst, statuses.length)).toEqual(statuses)
      }),
      { numRuns: 50 },
    )
  })

  test('an index outside the list has no status', async () => {
    const { list } = await verify(token())
    for (const idx of [-1, 16, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect([idx, codeOf(() => readStatus(list, idx))]).toEqual([idx, 'malformed'])
    }
  })
})

describe('a status list token', () => {
  test('a token of our own verifies, with its end and its ttl', async () => {
    const own = ed25519Key()
    const list = packStatusList({ bits: 1, size: 16, entries: [[5, 1]] })
    const signed = await signStatusListToken({ uri: URI, issuer: ISSUER, list, now: NOW, key: own })
    const expected = { uri: URI, issuer: ISSUER, algorithms: ['EdDSA'], findKey: async () => own.publicKey, now: NOW }
    const verified = await verifyStatusListToken(signed, expected)
    expect([verified.expiresAt, verified.ttl]).toEqual([NOW_SECONDS + 300, 60])
    expect([readStatus(verified.list, 5), readStatus(verified.list, 4)]).toEqual([1, 0])
  })

  test('a token may be without end, ttl and issuer', async () => {
    expect(await verify(token())).toMatchObject({ expiresAt: null, ttl: null })
    expect(await laterCodeOf(() => verify(token({ iss: ISSUER })))).toBe('accepted')
  })

  test.each([
    ['another address', { sub: `${URI}/` }, {}],
    ['another issuer', { iss: 'https://other.example' }, {}],
    ['an end that has come', { exp: NOW_SECONDS }, {}],
    ['a start to come', { iat: NOW_SECONDS + 61 }, {}],
    ['no start', { iat: undefined }, {}],
    ['a ttl of nothing', { ttl: 0 }, {}],
    ['another type', {}, { typ: 'JWT' }],
    ['an extension', {}, { crit: ['exp'] }],
    ['three bits', { status_list: { bits: 3, lst: 'eNrbuRgAAhcBXQ' } }, {}],
    ['no list', { status_list: [] }, {}],
    ['a list that is not compressed', { status_list: { bits: 1, lst: 'AAAA' } }, {}],
  ])('a token with %s is refused', async (_what, claims, header) => {
    expect(await laterCodeOf(() => verify(token(claims, header)))).toBe('malformed')
  })

  test('a token with another alg or signature is refused', async () => {
    expect(await laterCodeOf(() => verify(token(), ['EdDSA']))).toBe('invalid_signature')
    expect(await laterCodeOf(() => verify(token({}, { alg: 'none' })))).toBe('invalid_signature')
    const changed = token().replace(/\.[^.]+\./, `.${Buffer.from('{"sub":"x"}').toString('base64url')}.`)
    expect(await laterCodeOf(() => verify(changed))).toBe('invalid_signature')
  })

  test('a list is inflated within bounds: 1 MiB of token cannot become 1 GiB', async () => {
    const bomb = deflateSync(Buffer.alloc(256 * 1024 * 1024)).toString('base64url')
    expect(bomb.length).toBeLessThan(1024 * 1024)
    expect(await laterCodeOf(() => verify(token({ status_list: { bits: 1, lst: bomb } })))).toBe('malformed')
  })
})
