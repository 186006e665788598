import { describe, expect, test } from 'vitest'
import { DER, readDer, readDerSequence } from './der'
import { codeOf } from './test-support'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const long = (length: string, size: number) => Buffer.concat([hex(`04 ${length}`), Buffer.alloc(size)])

describe('DER', () => {
  test('elements that stand one behind the other are read with their tags', () => {
    expect(readDer(hex('0101ff 020105'))).toEqual([
      { tag: DER.boolean, content: hex('ff') },
      { tag: DER.integer, content: hex('05') },
    ])
    expect(readDerSequence(hex('3000'))).toEqual([])
  })

  test('lengths are read in the fewest bytes that can say them', () => {
    expect(readDer(long('7f', 127))[0]?.content).toHaveLength(127)
    expect(readDer(long('8180', 128))[0]?.content).toHaveLength(128)
    expect(readDer(long('820100', 256))[0]?.content).toHaveLength(256)
    for (const [length, size] of [
      ['817f', 127],
      ['820080', 128],
      ['83000100', 256],
      ['80', 0],
      ['8400000001', 1],
    ] as const) {
      expect([length, codeOf(() => readDer(long(length, size)))]).toEqual([length, 'malformed'])
    }
  })

  test.each(['04', '0401', '040500', '1f0100', '0482', '04820100'])('%s is refused', (text) => {
    expect(codeOf(() => readDer(hex(text)))).toBe('malformed')
  })

  test('a sequence must be all that there is', () => {
    for (const text of ['', '0400', '30000400', '3000 3000']) {
      expect([text, codeOf(() => readDerSequence(hex(text)))]).toEqual([text, 'malformed'])
    }
  })
})
