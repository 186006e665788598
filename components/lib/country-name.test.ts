import { expect, test } from 'vitest'
import { countryName } from './country-name'

test.each([
  ['IE', 'en', 'Ireland'],
  ['DE', 'de', 'Deutschland'],
  ['ZZ1', 'en', 'ZZ1'],
  ['ie', 'en', 'ie'],
  ['', 'de', ''],
] as const)('the country of the code "%s" is called in the language %s: %s', (code, locale, name) => {
  expect(countryName(code, locale)).toBe(name)
})
