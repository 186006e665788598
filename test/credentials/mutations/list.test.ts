import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { mutations } from './list'
import { breakCheck } from './mutation'

const root = path.resolve(import.meta.dirname, '../../..')

test.each(mutations)('the mutation that accepts $name still finds the check that it breaks', (mutation) => {
  const source = readFileSync(path.join(root, mutation.file), 'utf8')
  expect(breakCheck(source, mutation)).not.toBe(source)
})

test('mutations have names of their own', () => {
  const names = mutations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
