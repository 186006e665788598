import { expect, test } from 'vitest'
import { readCount } from './count'

test('a count from the command line is the number that it says', () => {
  expect(readCount('count', '20000')).toBe(20_000)
})

test.each(['x', '', '0', '-1', '0.5', 'Infinity'])('a count of "%s" is refused', (value) => {
  expect(() => readCount('rounds', value)).toThrow(`--rounds must be a whole number above 0, not "${value}"`)
})
