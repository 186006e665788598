import { expect, test } from 'vitest'
import { parseOptions, UsageError } from './options'

test.each([
  [[], { decision: 'ask', overCap: false, json: false }],
  [['--yes'], { decision: 'approve', overCap: false, json: false }],
  [['--decline', '--json'], { decision: 'decline', overCap: false, json: true }],
  [['--timeout'], { decision: 'nobody', overCap: false, json: false }],
  [['--over-cap', '--yes'], { decision: 'approve', overCap: true, json: false }],
  [['-h'], null],
])('%j', (args, options) => {
  expect(parseOptions(args)).toEqual(options)
})

test.each([[['--yes', '--decline']], [['--timeout', '--yes']], [['--free']], [['please']]])(
  '%j is a usage error',
  (args) => {
    expect(() => parseOptions(args)).toThrow(UsageError)
  },
)
