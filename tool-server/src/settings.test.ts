import { expect, test } from 'vitest'
import { UsageError } from './errors.js'
import { readSettings } from './settings.js'

test.each([
  [undefined, false],
  ['', false],
  ['all', false],
  ['read', true],
])('B40 COUNTERSIGN_TOOLS=%s', (value, readOnly) => {
  expect(readSettings({ COUNTERSIGN_TOOLS: value }).readOnly).toBe(readOnly)
})

test.each(['reed', 'READ', 'write', 'none'])('B40 COUNTERSIGN_TOOLS=%s opens nothing', (value) => {
  expect(() => readSettings({ COUNTERSIGN_TOOLS: value })).toThrow(UsageError)
})

test.each(['as.example', 'ftp://as.example', 'http://as.example', 'https://as.example?x', 'https://a@as.example'])(
  'C45 COUNTERSIGN_AS_URL=%s is no authorization server',
  (value) => {
    expect(() => readSettings({ COUNTERSIGN_AS_URL: value })).toThrow(UsageError)
  },
)

test.each(['https://as.example', 'https://as.example/tenant/', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'C45 COUNTERSIGN_AS_URL=%s can be one',
  (value) => {
    expect(readSettings({ COUNTERSIGN_AS_URL: value }).asUrl).toBe(value)
  },
)
