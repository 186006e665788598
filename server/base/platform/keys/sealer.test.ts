import { describe, expect, test } from 'vitest'
import { systemRandomness } from '../random'
import { createSealer } from './sealer'

const sealer = createSealer([Buffer.alloc(32, 1)], systemRandomness)
const secret = Buffer.from('a private key')

describe('sealer', () => {
  test('the sealer opens what it sealed, in the same context', () => {
    expect(sealer.open(sealer.seal(secret, 'key/1'), 'key/1')).toEqual(secret)
    expect(sealer.open(sealer.seal(Buffer.alloc(0), 'empty'), 'empty')).toEqual(Buffer.alloc(0))
  })

  test('the sealer refuses another context, another key and every changed byte', () => {
    const sealed = sealer.seal(secret, 'key/1')
    expect(() => sealer.open(sealed, 'key/2')).toThrow('authenticate')
    expect(() => createSealer([Buffer.alloc(32, 2)], systemRandomness).open(sealed, 'key/1')).toThrow('not given')
    const [version, keyId, payload = ''] = sealed.split('.')
    const bytes = Buffer.from(payload, 'base64url')
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => sealer.open(`${version}.${keyId}.${changed.toString('base64url')}`, 'key/1')).toThrow('authenticate')
    }
  })

  test.each(['', 'v1.', 'v1.AAAA', 'v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'nonsense'])(
    'the sealer refuses %j, which it never made',
    (sealed) => expect(() => sealer.open(sealed, 'key/1')).toThrow(/malformed|authenticate|not given/),
  )

  test('the sealer never seals the same value to the same text, and shows nothing of it', () => {
    const texts = [1, 2].map(() => sealer.seal(secret, 'key/1'))
    expect(texts[0]).not.toBe(texts[1])
    expect(Buffer.from(texts[0] ?? '', 'base64url').includes(secret)).toBe(false)
  })

  test('the sealer derives one secret per purpose, the same in every process with the key', () => {
    const again = createSealer([Buffer.alloc(32, 1)], systemRandomness)
    expect(sealer.derive('a')).toEqual(again.derive('a'))
    expect(sealer.derive('a')).toHaveLength(32)
    expect(sealer.derive('a')).not.toEqual(sealer.derive('b'))
    expect(sealer.derive('a')).not.toEqual(createSealer([Buffer.alloc(32, 2)], systemRandomness).derive('a'))
  })

  const [older, newer, other] = [2, 3, 4].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
  const oldSealer = createSealer([older], systemRandomness)
  const both = createSealer([newer, older], systemRandomness)

  test('A4 a sealed value names the key that sealed it: the first seals, all open', () => {
    const before = oldSealer.seal(secret, 'key/1')
    const after = both.seal(secret, 'key/1')
    expect(both.keyIds).toEqual([...createSealer([newer], systemRandomness).keyIds, ...oldSealer.keyIds])
    expect(before.split('.')[1]).toBe(oldSealer.keyIds[0])
    expect(after.split('.')[1]).toBe(both.keyIds[0])
    expect([both.open(before, 'key/1'), both.open(after, 'key/1')]).toEqual([secret, secret])
    expect(createSealer([newer], systemRandomness).open(after, 'key/1')).toEqual(secret)
    expect(() => oldSealer.open(after, 'key/1')).toThrow('a key that is not given')
  })

  test('A4 a value that names no key is opened with whichever key sealed it', () => {
    const [, , payload = ''] = oldSealer.seal(secret, 'key/1').split('.')
    expect(both.open(`v1.${payload}`, 'key/1')).toEqual(secret)
    expect(() => both.open(`v1.${payload}`, 'key/2')).toThrow('authenticate')
    expect(() => createSealer([newer, other], systemRandomness).open(`v1.${payload}`, 'key/1')).toThrow('authenticate')
  })

  test('A4 secrets are derived from all keys, the first first', () => {
    expect(both.deriveAll('a')).toEqual([createSealer([newer], systemRandomness).derive('a'), oldSealer.derive('a')])
    expect(both.derive('a')).toEqual(both.deriveAll('a')[0])
  })

  test('the sealer takes keys of 32 bytes only', () => {
    expect(() => createSealer([Buffer.alloc(16)], systemRandomness)).toThrow('32 bytes')
  })
})
