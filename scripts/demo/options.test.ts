import { expect, test } from 'vitest'
import { UsageError } from '../operator-client'
import { parseOptions } from './options'

test.each([
  [[], { decision: 'ask', overCap: false, age: false, misuse: null, json: false }],
  [['--yes'], { decision: 'approve', overCap: false, age: false, misuse: null, json: false }],
  [['--decline', '--json'], { decision: 'decline', overCap: false, age: false, misuse: null, json: true }],
  [['--timeout'], { decision: 'nobody', overCap: false, age: false, misuse: null, json: false }],
  [['--over-cap', '--yes'], { decision: 'approve', overCap: true, age: false, misuse: null, json: false }],
  [['--age', '--yes'], { decision: 'approve', overCap: false, age: true, misuse: null, json: false }],
  [['--replay'], { decision: 'ask', overCap: false, age: false, misuse: 'replay', json: false }],
  [['--tamper', '--json'], { decision: 'ask', overCap: false, age: false, misuse: 'tamper', json: true }],
  [['-h'], null],
])('%j', (args, options) => {
  expect(parseOptions(args)).toEqual(options)
})

test.each([
  [['--yes', '--decline']],
  [['--timeout', '--yes']],
  [['--age', '--over-cap']],
  [['--replay', '--tamper']],
  [['--replay', '--yes']],
  [['--tamper', '--age']],
  [['--free']],
  [['please']],
])('%j is a usage error', (args) => {
  expect(() => parseOptions(args)).toThrow(UsageError)
})
