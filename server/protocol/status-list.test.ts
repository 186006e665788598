import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { encodeBase64url } from './encoding'
import { ED25519_ALGORITHMS } from './jws'
import {
  decodeStatusList,
  encodeStatusList,
  packStatusList,
  STATUS,
  type StatusBits,
  signStatusListToken,
  statusAt,
  verifyStatusListToken,
} from './status-list'
import vectors from './status-list.vectors.json'
import { codeOf, ed25519Key, NOW, NOW_SECONDS, rawJws, without } from './test-support'

const SIZES: readonly StatusBits[] = [1, 2, 4, 8]

describe('the Token Status List draft', () => {
  test('section 4.1 and 4.2: the small examples, to the byte', () => {
    const one = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]
    const two = [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3]
    const oneBit = packStatusList({ bits: 1, size: 16, entries: one.entries() })
    const twoBits = packStatusList({ bits: 2, size: 12, entries: two.entries() })
    expect([...oneBit.bytes]).toEqual([0xb9, 0xa3])
    expect([...twoBits.bytes]).toEqual([0xc9, 0x44, 0xf9])
    expect(encodeStatusList(oneBit)).toEqual({ bits: 1, lst: 'eNrbuRgAAhcBXQ' })
    expect(encodeStatusList(twoBits)).toEqual({ bits: 2, lst: 'eNo76fITAAPfAgc' })
  })

  test.each(vectors)('the test vector of 2^20 entries with $bits bits', ({ bits, lst, statuses }) => {
    const list = decodeStatusList({ bits, lst })
    const entries = statuses.map(([idx = 0, status = 0]) => [idx, status] as const)
    expect(list).toEqual({ bits, bytes: expect.any(Uint8Array) })
    expect(Buffer.from(packStatusList({ bits: list.bits, size: 2 ** 20, entries }).bytes).equals(list.bytes)).toBe(true)
    for (const [idx, status] of entries) expect(statusAt(list, idx)).toBe(status)
  })
})

describe('a status list', () => {
  test('comes back with every status it was packed with', () => {
    const lists = fc.constantFrom(...SIZES).chain((bits) =>
      fc.record({
        bits: fc.constant(bits),
        statuses: fc.array(fc.nat(2 ** bits - 1), { minLength: 1, maxLength: 100 }),
      }),
    )
    fc.assert(
      fc.property(lists, ({ bits, statuses }) => {
        const list = decodeStatusList(
          encodeStatusList(packStatusList({ bits, size: statuses.length, entries: statuses.entries() })),
        )
        expect(statuses.map((_, idx) => statusAt(list, idx))).toEqual(statuses)
      }),
    )
  })

  test('takes the last word on an index, and is valid elsewhere', () => {
    const list = packStatusList({
      bits: 2,
      size: 8,
      entries: [
        [3, STATUS.suspended],
        [3, STATUS.invalid],
      ],
    })
    expect(statusAt(list, 3)).toBe(STATUS.invalid)
    expect(statusAt(list, 2)).toBe(STATUS.valid)
  })

  test('stays small while few are revoked', () => {
    const entries = Array.from({ length: 1_310 }, (_, index) => [(index * 99_991) % 131_072, 1] as const)
    expect(encodeStatusList(packStatusList({ bits: 1, size: 131_072, entries: [] })).lst.length).toBeLessThan(60)
    expect(encodeStatusList(packStatusList({ bits: 1, size: 131_072, entries })).lst.length).toBeLessThan(3_000)
  })

  test('refuses an index outside of it', () => {
    const list = packStatusList({ bits: 1, size: 8, entries: [] })
    expect([8, -1, 0.5, Number.NaN, 2 ** 40].map((idx) => codeOf(() => statusAt(list, idx)))).toEqual(
      Array(5).fill('malformed'),
    )
  })

  test('is never packed with what does not fit', () => {
    expect(() => packStatusList({ bits: 1, size: 8, entries: [[8, 1]] })).toThrow('invariant')
    expect(() => packStatusList({ bits: 1, size: 8, entries: [[0, 2]] })).toThrow('invariant')
    expect(() => packStatusList({ bits: 8, size: 2 ** 20 + 1, entries: [] })).toThrow('invariant')
  })

  test.each([
    ['nothing', undefined],
    ['no lst', { bits: 1 }],
    ['three bits', { bits: 3, lst: 'eNrbuRgAAhcBXQ' }],
    ['a string as bits', { bits: '1', lst: 'eNrbuRgAAhcBXQ' }],
    ['padding', { bits: 1, lst: 'eNrbuRgAAhcBXQ==' }],
    ['raw bytes', { bits: 1, lst: 'uaM' }],
    ['a bomb', { bits: 1, lst: encodeBase64url(deflateSync(Buffer.alloc(1_048_577))) }],
  ])('is not decoded from %s', (_name, value) => {
    expect(codeOf(() => decodeStatusList(value))).toBe('malformed')
  })
})

describe('a status list token', () => {
  const key = ed25519Key()
  const uri = 'https://as.example/oauth/status-list/1'
  const list = packStatusList({ bits: 1, size: 16, entries: [[5, 1]] })
  const token = signStatusListToken({
    uri,
    issuer: 'https://as.example',
    list,
    now: NOW,
    key,
    aggregationUri: 'https://as.example/oauth/status-list',
  })
  const findKey = (kid: string | undefined) => (kid === key.kid ? key.publicKey : undefined)
  const expected = { uri, now: NOW, algorithms: ED25519_ALGORITHMS, findKey }
  const check = (text: string, more: object = {}) => codeOf(() => verifyStatusListToken(text, { ...expected, ...more }))
  const header = { alg: 'EdDSA', typ: 'statuslist+jwt', kid: key.kid }
  const claims = { sub: uri, iat: NOW_SECONDS, exp: NOW_SECONDS + 60, status_list: encodeStatusList(list) }

  test('verifies with jose and holds what section 5.1 wants', async () => {
    const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
      typ: 'statuslist+jwt',
      currentDate: NOW,
    })
    expect(protectedHeader).toEqual(header)
    expect(payload).toEqual({
      iss: 'https://as.example',
      sub: uri,
      iat: NOW_SECONDS,
      exp: NOW_SECONDS + 300,
      ttl: 60,
      status_list: { ...encodeStatusList(list), aggregation_uri: 'https://as.example/oauth/status-list' },
    })
  })

  test('is read back', () => {
    const { list: read } = verifyStatusListToken(token, expected)
    expect([4, 5, 6].map((idx) => statusAt(read, idx))).toEqual([0, 1, 0])
    expect(check(rawJws(header, without(claims, 'exp'), key))).toBe('accepted')
  })

  test('is refused when it is another list, expired, of the future, of another type or key', () => {
    expect(check(token, { uri: `${uri}0` })).toBe('invalid_signature')
    expect(check(token, { now: new Date(NOW.getTime() + 300_000) })).toBe('invalid_signature')
    expect(check(token, { now: new Date(NOW.getTime() - 61_000) })).toBe('invalid_signature')
    expect(check(rawJws({ ...header, typ: 'JWT' }, claims, key))).toBe('invalid_signature')
    expect(check(rawJws(header, claims, ed25519Key()))).toBe('invalid_signature')
    expect(check(rawJws({ ...header, kid: 'x' }, claims, key))).toBe('invalid_signature')
    expect(check(rawJws(header, { ...claims, status_list: {} }, key))).toBe('invalid_signature')
  })
})
