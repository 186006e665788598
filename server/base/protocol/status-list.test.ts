import { inflateSync } from 'node:zlib'
import { StatusList } from '@sd-jwt/jwt-status-list'
import fc from 'fast-check'
import { jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { encodeStatusList, packStatusList, STATUS, type StatusBits, signStatusListToken, statusAt } from './status-list'
import vectors from './status-list.vectors.json'
import { ed25519Key, NOW, NOW_SECONDS } from './test-support'

const SIZES: readonly StatusBits[] = [1, 2, 4, 8]
const read = ({ bits, lst }: { bits: StatusBits; lst: string }) => StatusList.decompressStatusList(lst, bits)

describe('the Token Status List draft', () => {
  test('the Token Status List draft section 4.1 and 4.2: the small examples, to the byte', () => {
    const one = [1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]
    const two = [1, 2, 0, 3, 0, 1, 0, 1, 1, 2, 3, 3]
    const oneBit = packStatusList({ bits: 1, size: 16, entries: one.entries() })
    const twoBits = packStatusList({ bits: 2, size: 12, entries: two.entries() })
    expect([...oneBit.bytes]).toEqual([0xb9, 0xa3])
    expect([...twoBits.bytes]).toEqual([0xc9, 0x44, 0xf9])
    expect(encodeStatusList(oneBit)).toEqual({ bits: 1, lst: 'eNrbuRgAAhcBXQ' })
    expect(encodeStatusList(twoBits)).toEqual({ bits: 2, lst: 'eNo76fITAAPfAgc' })
    expect([0, 1, 2, 3].map((idx) => statusAt(twoBits, idx))).toEqual([1, 2, 0, 3])
  })

  test.each(vectors)('the test vector of 2^20 entries with $bits bits', ({ bits: stated, lst, statuses }) => {
    const bits = SIZES.find((size) => size === stated) ?? 1
    const entries = statuses.map(([idx = 0, status = 0]) => [idx, status] as const)
    const { bytes } = packStatusList({ bits, size: 2 ** 20, entries })
    expect(inflateSync(Buffer.from(lst, 'base64url')).equals(bytes)).toBe(true)
  })
})

describe('a status list', () => {
  test('a status list is read by @sd-jwt/jwt-status-list with every status it was packed with', () => {
    const lists = fc.constantFrom(...SIZES).chain((bits) =>
      fc.record({
        bits: fc.constant(bits),
        statuses: fc.array(fc.nat(2 ** bits - 1), { minLength: 1, maxLength: 100 }),
      }),
    )
    fc.assert(
      fc.property(lists, ({ bits, statuses }) => {
        const packed = packStatusList({ bits, size: statuses.length, entries: statuses.entries() })
        const list = read(encodeStatusList(packed))
        expect(statuses.map((_, idx) => list.getStatus(idx))).toEqual(statuses)
      }),
    )
  })

  test('a status list takes the last word on an index, and is valid elsewhere', () => {
    const entries = [
      [3, STATUS.suspended],
      [3, STATUS.invalid],
    ] as const
    const list = read(encodeStatusList(packStatusList({ bits: 2, size: 8, entries })))
    expect(list.getStatus(3)).toBe(STATUS.invalid)
    expect(list.getStatus(2)).toBe(STATUS.valid)
  })

  test('a status list stays small while few are revoked', () => {
    const entries = Array.from({ length: 1_310 }, (_, index) => [(index * 99_991) % 131_072, 1] as const)
    expect(encodeStatusList(packStatusList({ bits: 1, size: 131_072, entries: [] })).lst.length).toBeLessThan(60)
    expect(encodeStatusList(packStatusList({ bits: 1, size: 131_072, entries })).lst.length).toBeLessThan(3_000)
  })

  test('a long status list inflates to what was packed', () => {
    const entries = Array.from({ length: 5_000 }, (_, index) => [(index * 99_991) % 2 ** 22, 1] as const)
    const packed = packStatusList({ bits: 1, size: 2 ** 22, entries })
    const inflated = inflateSync(Buffer.from(encodeStatusList(packed).lst, 'base64url'))
    expect(inflated.equals(packed.bytes)).toBe(true)
  })

  test('a status list is never packed with what does not fit', () => {
    expect(() => packStatusList({ bits: 1, size: 8, entries: [[8, 1]] })).toThrow('invariant')
    expect(() => packStatusList({ bits: 1, size: 8, entries: [[0, 2]] })).toThrow('invariant')
    expect(() => packStatusList({ bits: 8, size: 2 ** 20 + 1, entries: [] })).toThrow('invariant')
  })
})

test('a status list token verifies with jose and holds what section 5.1 wants', async () => {
  const key = ed25519Key()
  const uri = 'https://as.example/oauth/status-list/1'
  const list = packStatusList({ bits: 1, size: 16, entries: [[5, 1]] })
  const aggregationUri = 'https://as.example/oauth/status-list'
  const token = await signStatusListToken({ uri, issuer: 'https://as.example', list, now: NOW, key, aggregationUri })
  const { payload, protectedHeader } = await jwtVerify(token, key.publicKey, {
    typ: 'statuslist+jwt',
    currentDate: NOW,
  })
  expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'statuslist+jwt', kid: key.kid })
  expect(payload).toEqual({
    iss: 'https://as.example',
    sub: uri,
    iat: NOW_SECONDS,
    exp: NOW_SECONDS + 300,
    ttl: 60,
    status_list: { ...encodeStatusList(list), aggregation_uri: aggregationUri },
  })
})
