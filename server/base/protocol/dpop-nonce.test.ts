import { describe, expect, test } from 'vitest'
import { createNonceSource } from './dpop-nonce'

const source = createNonceSource([Buffer.alloc(32, 1)])
const at = (seconds: number) => new Date(1_795_262_400_000 - (1_795_262_400_000 % 90_000) + seconds * 1_000)

describe('a nonce', () => {
  test('a nonce lives 180 s when made at the start of a slot, 90 s when made at its end', () => {
    const early = source.current(at(0))
    expect([0, 89, 90, 179].map((age) => source.isValid(early, at(age)))).toEqual([true, true, true, true])
    expect(source.isValid(early, at(180))).toBe(false)
    const late = source.current(at(89.9))
    expect(late).toBe(early)
    expect(source.current(at(90))).not.toBe(early)
  })

  test('a nonce of a process whose clock is up to 60 s ahead is taken, so that agents can move between processes', () => {
    const ahead = source.current(at(90))
    expect([29, 30, 60, 89].map((seconds) => source.isValid(ahead, at(seconds)))).toEqual([false, true, true, true])
    expect(source.isValid(source.current(at(180)), at(89))).toBe(false)
  })

  test('a nonce is the same in every process with the secret, and means nothing to others', () => {
    const nonce = source.current(at(0))
    expect(createNonceSource([Buffer.alloc(32, 1)]).isValid(nonce, at(0))).toBe(true)
    expect(createNonceSource([Buffer.alloc(32, 2)]).isValid(nonce, at(0))).toBe(false)
    const rotated = createNonceSource([Buffer.alloc(32, 2), Buffer.alloc(32, 1)])
    expect(rotated.isValid(nonce, at(0))).toBe(true)
    expect(rotated.current(at(0))).toBe(createNonceSource([Buffer.alloc(32, 2)]).current(at(0)))
  })

  test('a nonce consists of NQCHAR (RFC 9449 section 8.1)', () => {
    expect(source.current(at(0))).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
  })

  test.each(['', 'a', 'ü'.repeat(43), 'A'.repeat(43), 'a'.repeat(10_000)])('a nonce is not %j', (nonce) => {
    expect(source.isValid(nonce, at(0))).toBe(false)
  })

  test('a nonce needs a secret of 32 bytes', () => {
    expect(() => createNonceSource([Buffer.alloc(31)])).toThrow('invariant')
  })
})
