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
  test('every byte string comes back from base64url', () => {
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
    'base64url refuses %j',
    (text) => {
      expect(codeOf(() => decodeBase64url(text))).toBe('malformed')
    },
  )

  test('a view into a larger buffer encodes only its own bytes', () => {
    expect(encodeBase64url(new Uint8Array([1, 2, 3, 4]).subarray(1, 3))).toBe('AgM')
  })
})

describe('hashes', () => {
  test('hashes agree with createHash', () => {
    const digest = createHash('sha256').update('Grüße').digest()
    expect(sha256('Grüße').equals(digest)).toBe(true)
    expect(sha256Base64url(Buffer.from('Grüße'))).toBe(digest.toString('base64url'))
  })
})

describe('canonical JSON follows RFC 8785', () => {
  test('RFC 8785 section 3.2.2 and 3.2.3: the worked example', () => {
    const input = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    )
    expect(canonicalJson(input)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  test('RFC 8785 section 3.2.3: members are sorted by UTF-16 code units', () => {
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
  ])('RFC 8785 appendix B: number %#', (bits, text) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setBigUint64(0, bits)
    expect(canonicalJson(view.getFloat64(0))).toBe(text)
  })

  test('canonical JSON is what it was: parsing and writing again changes nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const text = canonicalJson(value)
        expect(canonicalJson(JSON.parse(text))).toBe(text)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('canonical JSON does not depend on the order of members', () => {
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
  ])('canonical JSON refuses %s', (_name, value) => {
    expect(codeOf(() => canonicalJson(value))).toBe('malformed')
  })
})

describe('JSON from outside', () => {
  const parse = (text: string | Uint8Array) => parseJsonObject(Buffer.from(text))

  test.each(['[]', 'null', '1', '"a"', '', '{', '{"a":1}x', '\ufeff{}', '{"a":"\\ud800"}', '{"\\udfff":1}'])(
    'the JSON parser refuses %j',
    (text) => {
      expect(codeOf(() => parse(text))).toBe('malformed')
    },
  )

  test('the JSON parser refuses UTF-8 that is not well-formed', () => {
    expect(codeOf(() => parse(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])))).toBe('malformed')
  })

  test('the JSON parser bounds nesting', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(codeOf(() => parse(nested(32)))).toBe('accepted')
    expect(codeOf(() => parse(nested(33)))).toBe('malformed')
    expect(codeOf(() => parse(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`))).toBe('malformed')
    expect(codeOf(() => parseJsonObject(Buffer.from('{"a":{"b":{}}}'), { maxDepth: 2 }))).toBe('malformed')
  })

  test.each([
    ['above 2^53 - 1', '9007199254740992'],
    ['above 2^53', '9007199254740993'],
    ['below -(2^53 - 1)', '-9007199254740993'],
    ['with a fraction that is rounded away', '9007199254740991.4'],
    ['with a fraction that is rounded up to the next one', '1.99999999999999999999'],
    ['with eighteen digits around the point', '123456789.123456789'],
    ['with eighteen digits and an exponent', '1234567890.12345678e2'],
    ['that is infinite', '1e400'],
    ['that is minus infinity', '-1E+400'],
    ['of 400 digits', '9'.repeat(400)],
    ['that is large without digits', '1e22'],
    ['that becomes zero', '1e-400'],
    ['that loses digits near zero', '1.23456789e-320'],
  ])('a number %s is refused wherever it stands', (_name, literal) => {
    const places = ['{"a":#}', '{"a": #}', '{"a":[1,#]}', '{"a":[#]}', '{"a":\n#,"b":1}', '{"a":{"b":"\\\\","c":#}}']
    for (const place of places)
      expect(
        codeOf(() => parse(place.replace('#', literal))),
        place,
      ).toBe('malformed')
    expect(codeOf(() => parseJsonValue(Buffer.from(literal)))).toBe('malformed')
    expect(codeOf(() => parse(`{"a":${literal},"a":1}`))).toBe('malformed')
  })

  test.each([
    '9007199254740991',
    '-9007199254740991',
    '0',
    '-0',
    '0.0000000000000000000000',
    '0e400',
    '12.000000000000000000',
    '0.000000000000123456789012345',
    '123456789012345e-10',
    '1234567.12345678',
    '9e15',
    '1E-5',
    '2.5e+3',
    '5e-324',
    '0.30000000000000004',
    '1795305600.1234567',
    '2251799813685249.5',
  ])('the number %s is what JSON.parse makes of it', (literal) => {
    expect(parse(`{"a":[${literal}]}`)).toEqual({ a: [JSON.parse(literal)] })
  })

  test('digits inside texts are no numbers to the JSON parser', () => {
    const value = {
      '9007199254740993': 'a: 9007199254740993, 1e400',
      quoted: 'a"b: 1e400',
      escaped: '\\": 9007199254740993',
      ended: 'ends with a backslash \\',
      last: '[1e400]',
      exact: 9_007_199_254_740_991,
    }
    expect(parse(JSON.stringify(value))).toEqual(value)
    expect(codeOf(() => parse(`{"a":"\\\\","b":1e400}`))).toBe('malformed')
  })

  test('every safe integer comes back, and every other one is refused', () => {
    const integers = fc.oneof(
      fc.maxSafeInteger().map(BigInt),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
    )
    fc.assert(
      fc.property(integers, (integer) => {
        const isSafe = integer <= BigInt(Number.MAX_SAFE_INTEGER) && integer >= -BigInt(Number.MAX_SAFE_INTEGER)
        const outcome = codeOf(() => expect(parse(`{"a":${integer}}`)).toEqual({ a: Number(integer) }))
        expect(outcome).toBe(isSafe ? 'accepted' : 'malformed')
      }),
    )
  })

  test('a decimal is read as it was written or not at all', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 })
    const exponent = fc.option(fc.integer({ min: -340, max: 340 }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), digits, exponent, (whole, fraction, power) => {
        const literal = `${whole}.${fraction}${power === null ? '' : `e${power}`}`
        const exact = `${whole}${fraction}`.replace(/^0+/, '').replace(/0+$/, '')
        const parsed = Number(literal)
        const outcome = codeOf(() => expect(parse(`{"a":${literal}}`)).toEqual({ a: parsed }))
        if (outcome === 'accepted' && exact !== '') {
          expect(parsed.toExponential(exact.length - 1).replace(/[.]|e.*/g, '')).toBe(exact)
        } else if (outcome === 'malformed') {
          const isOrdinary = exact.length <= 15 && parsed <= Number.MAX_SAFE_INTEGER && parsed >= 2 ** -1022
          expect(isOrdinary || String(parsed) === literal).toBe(false)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('every other JSON is what JSON.parse makes of it', () => {
    const number = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
    )
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        number,
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('map'),
      ),
      list: fc.array(tie('any')),
      map: fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        tie('any'),
      ),
    })).any
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (given, space) => {
        const text = JSON.stringify({ given }, null, space)
        expect(parse(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  test('a look at the numbers of 256 KiB is quick, whatever they hold', () => {
    const size = 256 * 1024
    const bodies = [
      `{"a":"${'\\\\'.repeat(size / 2)}","b":9e15}`,
      `{"a":"${'\\"'.repeat(size / 2)}","b":9e15}`,
      `{"a":"${': 1e'.repeat(size / 4)}"}`,
      `{"a":[9e15${',1e1'.repeat(size / 4)}]}`,
      `{"a":0.${'0'.repeat(size)}1e-1}`,
      `{"a":1.${'10'.repeat(size / 2)}}`,
      `{"a":"${'1'.repeat(size)}"}`,
    ]
    for (const body of bodies) {
      const started = performance.now()
      codeOf(() => parse(body))
      expect(performance.now() - started).toBeLessThan(3_000)
    }
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
