import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalJson,
  decodeBase64url,
  encodeBase64url,
  isJsonObject,
  parseJsonObject,
  parseJsonValue,
  sha256,
  sha256Base64url,
} from './encoding'
import { codeOf } from './test-support'

describe('base64url has one spelling', () => {
  test('every byte string comes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(decodeBase64url(encodeBase64url(bytes)).equals(bytes)).toBe(true)
      }),
    )
  })

  test('a text that decodes is the text that its bytes encode to', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'AaZz09-_=+/ \n'.split('')), maxLength: 12 }), (text) => {
        if (codeOf(() => decodeBase64url(text)) === 'accepted')
          expect(encodeBase64url(decodeBase64url(text))).toBe(text)
      }),
    )
  })

  test.each(['Zg==', 'Zm8=', 'Zh', 'Zm9', 'Z', 'Zm9v+A', 'Zm9v/A', 'Zm 9v', 'Zm9v\n', 'Zm9v.', 'Zmü'])(
    'refuses %j',
    (text) => {
      expect(codeOf(() => decodeBase64url(text))).toBe('malformed')
    },
  )

  test('a view into a larger buffer encodes only its own bytes', () => {
    expect(encodeBase64url(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toBe('AgM')
  })
})

describe('hashes', () => {
  test('agree with createHash', () => {
    const digest = createHash('sha256').update('Grüße').digest()
    expect(sha256('Grüße').equals(digest)).toBe(true)
    expect(sha256Base64url(Buffer.from('Grüße'))).toBe(digest.toString('base64url'))
  })
})

describe('canonical JSON follows RFC 8785', () => {
  test('section 3.2.2 and 3.2.3: the worked example', () => {
    const input = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    )
    expect(canonicalJson(input)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('section 3.2.3: members are sorted by UTF-16 code units', () => {
    const input = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }
    expect(Object.values(JSON.parse(canonicalJson(input)))).toHaveLength(7)
    expect(canonicalJson(input)).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1f600}":5,"\ufb33":3}')
  })

  test.each([
    [0x8000000000000000n, '0'],
    [0x0000000000000001n, '5e-324'],
    [0x7fefffffffffffffn, '1.7976931348623157e+308'],
    [0x4340000000000000n, '9007199254740992'],
    [0x4430000000000000n, '295147905179352830000'],
    [0x44b52d02c7e14af5n, '9.999999999999997e+22'],
    [0x444b1ae4d6e2ef4en, '999999999999999700000'],
    [0x3eb0c6f7a0b5ed8dn, '0.000001'],
  ])('appendix B: number %#', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, bits)
    expect(canonicalJson(view.getFloat64(0))).toBe(text)
  })

  test('is what it was: parsing and writing again changes nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('does not depend on the order of members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer()), (value) => {
        expect(canonicalJson(Object.fromEntries(Object.entries(value).toReversed()))).toBe(canonicalJson(value))
      }),
    )
  })

  test.each([
    ['undefined', undefined],
    ['an undefined member', { a: undefined }],
    ['a hole', new Array(1)],
    ['NaN', Number.NaN],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a bigint', 1n],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in a name', { '\udc00': 1 }],
    ['endless nesting', Array.from({ length: 40 }).reduce((inner: unknown) => [inner], 0)],
  ])('refuses %s', (_name, value) => {
    expect(codeOf(() => canonicalJson(value))).toBe('malformed')
  })
})

describe('JSON from outside', () => {
  const parse = (text: string | Uint8Array) => parseJsonObject(Buffer.from(text))

  test.each(['[]', 'null', '1', '"a"', '', '{', '{"a":1}x', '\ufeff{}', '{"a":"\\ud800"}', '{"\\udfff":1}'])(
    'refuses %j',
    (text) => {
      expect(codeOf(() => parse(text))).toBe('malformed')
    },
  )

  test('refuses UTF-8 that is not well-formed', () => {
    expect(codeOf(() => parse(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))).toBe('malformed')
  })

  test('bounds nesting', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(codeOf(() => parse(nested(32)))).toBe('accepted')
    expect(codeOf(() => parse(nested(33)))).toBe('malformed')
    expect(codeOf(() => parse(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`))).toBe('malformed')
    expect(codeOf(() => parseJsonObject(Buffer.from('{"a":{"b":{}}}'), { maxDepth: 2 }))).toBe('malformed')
  })

  test('members named __proto__ are gone at every level', () => {
    const value = parse('{"__proto__":{"admin":true},"a":[{"__proto__":{"admin":true}}],"constructor":1}')
    expect(Object.keys(value)).toEqual(['a', 'constructor'])
    expect(JSON.stringify(value)).toBe('{"a":[{}],"constructor":1}')
  })

  test('any value may be parsed where any is allowed', () => {
    expect(parseJsonValue(Buffer.from('["a",1]'))).toEqual(['a', 1])
  })

  test('only plain objects count as JSON objects', () => {
    expect([{}, Object.create(null)].every(isJsonObject)).toBe(true)
    expect([[], null, new Date(0), new Map(), 'a', undefined].some(isJsonObject)).toBe(false)
  })
})
