import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTraceparent } from './traceparent'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff', true],
  [`01-${traceId}-${spanId}-01`, true],
  [`cc-${traceId}-${spanId}-01-what-the-future-will-be-like`, true],
])('%s names a trace and a span', (header, isSampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId, spanId, isSampled })
})

test.each([
  null,
  '',
  'x',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-1`,
  `00-${traceId}-${spanId}-01-`,
  `00-${traceId}-${spanId}-01-more`,
  `01-${traceId}-${spanId}-01more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  ` 00-${traceId}-${spanId}-01`,
  `00-${traceId}-${spanId}-01\n`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
])('%j is ignored', (header) => {
  expect(parseTraceparent(header)).toBeNull()
})

test('any header yields null or ids of the right form', () => {
  const part = fc.stringMatching(/^[\da-fA-F-]{0,34}$/)
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((parts) => parts.join('-')),
      ),
      (header) => {
        const parsed = parseTraceparent(header)
        if (parsed === null) return
        expect(parsed.traceId).toMatch(/^[\da-f]{32}$/)
        expect(parsed.spanId).toMatch(/^[\da-f]{16}$/)
      },
    ),
  )
})
