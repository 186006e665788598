import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseHolderJson, parseStrictJson } from './strict-json.ts'

const texts = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).match(/[.eE]-?\+?\d|-0|\d{16}/))

test('what JSON.stringify writes is read as it is', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(0, 2), (value, indent) => {
      expect(parseStrictJson(JSON.stringify(value, null, indent))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test.each([
  ['{"a":1,"a":2}', 'occurs twice'],
  ['{"a":1,"\\u0061":2}', 'occurs twice'],
  ['[{"b":{"a":[1],"c":"}","a":2}}]', 'occurs twice'],
  ['{"a":12.0}', 'number'],
  ['{"a":1e3}', 'number'],
  ['[9007199254740993]', 'number'],
  ['-0', 'number'],
  [`${'['.repeat(70)}${']'.repeat(70)}`, 'nested'],
  ['{"a":"\\ud83d"}', 'lone surrogate'],
  ['{"\\ude00":1}', 'lone surrogate'],
  ['{"a":1', 'JSON'],
])('%s is refused', (text, reason) => {
  expect(() => parseStrictJson(text)).toThrow(reason)
})

test.each(['{"a":"{\\"a\\":1}","b":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"1e3","b":"a"}', '{"\\"a":1,"a":2}'])(
  '%s is read',
  (text) => {
    expect(parseStrictJson(text)).toEqual(JSON.parse(text))
  },
)

test.each<[string, unknown]>([
  ['{"iat":1763740800.5}', { iat: 1_763_740_800.5 }],
  ['{"iat":1.7637408e9}', { iat: 1_763_740_800 }],
  ['{"iat":1,"\\u0069at":2}', { iat: 2 }],
])('%s of a holder is read as the server reads it', (text, value) => {
  expect(parseHolderJson(text)).toEqual(value)
})

test.each([
  ['[1e999]', 'number'],
  ['[9007199254740993]', 'number'],
  ['{"a":"\\ud83d"}', 'lone surrogate'],
  [`${'['.repeat(70)}${']'.repeat(70)}`, 'nested'],
  ['{"a":1', 'JSON'],
])('%s of a holder is refused', (text, reason) => {
  expect(() => parseHolderJson(text)).toThrow(reason)
})
