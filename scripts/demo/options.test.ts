import { expect, test } from 'vitest'
import { UsageError } from '../operator-client'
import { parseOptions } from './options'

test.each([
  [[], { decision: 'ask', overCap: false, age: false, json: false }],
  [['--yes'], { decision: 'approve', overCap: false, age: false, json: false }],
  [['--decline', '--json'], { decision: 'decline', overCap: false, age: false, json: true }],
  [['--timeout'], { decision: 'nobody', overCap: false, age: false, json: false }],
  [['--over-cap', '--yes'], { decision: 'approve', overCap: true, age: false, json: false }],
  [['--age', '--yes'], { decision: 'approve', overCap: false, age: true, json: false }],
  [['-h'], null],
])('%j', (args, options) => {
  expect(parseOptions(args)).toEqual(options)
})

test.each([[['--yes', '--decline']], [['--timeout', '--yes']], [['--age', '--over-cap']], [['--free']], [['please']]])(
  '%j is a usage error',
  (args) => {
    expect(() => parseOptions(args)).toThrow(UsageError)
  },
)
