import { expect, test } from 'vitest'
import { counters, histograms } from '../../core/telemetry'
import { createTelemetry } from './create-telemetry'

const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

test('counts and times under the labels of the metric', async () => {
  const telemetry = createTelemetry()
  telemetry.count('refusals', { operation: 'token', error: 'invalid_grant' })
  telemetry.count('refusals', { operation: 'token', error: 'invalid_grant' })
  telemetry.time('databaseWaits', {}, 0.002)
  const { text } = await telemetry.report([])
  expect(linesOf(text, 'countersign_http_refusals_total')).toEqual([
    'countersign_http_refusals_total{operation="token",error="invalid_grant"} 2',
  ])
  expect(linesOf(text, 'countersign_database_wait_seconds_bucket').slice(0, 2)).toEqual([
    'countersign_database_wait_seconds_bucket{le="0.001"} 0',
    'countersign_database_wait_seconds_bucket{le="0.003"} 1',
  ])
  expect(linesOf(text, 'countersign_database_wait_seconds_count')).toEqual([
    'countersign_database_wait_seconds_count 1',
  ])
})

test('each part that counts begins at zero', async () => {
  createTelemetry().count('auditEntries', { event: 'oid4ac.payment.succeeded' })
  const { text } = await createTelemetry().report([])
  expect(linesOf(text, 'countersign_audit_entries_total')).toEqual([])
  expect(linesOf(text, 'countersign_audit_broken_chains_total')).toEqual(['countersign_audit_broken_chains_total 0'])
})

test('the report has the given states and the customary metrics of the process, each under one head', async () => {
  const state = { name: 'countersign_switch_on', help: 'Whether a switch is on.' } as const
  const samples = [
    { labels: { name: 'settlement' }, value: 1 },
    { labels: { name: 'a "quoted"\nname' }, value: 0 },
  ]
  const { text, contentType } = await createTelemetry().report([{ ...state, samples }])
  expect(contentType).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(linesOf(text, 'countersign_switch_on')).toEqual([
    'countersign_switch_on{name="settlement"} 1',
    'countersign_switch_on{name="a \\"quoted\\"\\nname"} 0',
  ])
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(linesOf(text, `${name} `)).toHaveLength(1)
  }
  const heads = text.match(/^# TYPE \S+/gm) ?? []
  expect(new Set(heads).size).toBe(heads.length)
  expect(text.endsWith('\n')).toBe(true)
})

test('a metric ends in its unit or in total, and names what it counts in one sentence', () => {
  for (const { name, help } of Object.values(counters))
    expect([name, help]).toEqual([
      expect.stringMatching(/^countersign_[a-z_]+_total$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ])
  for (const { name, help } of Object.values(histograms))
    expect([name, help]).toEqual([
      expect.stringMatching(/^countersign_[a-z_]+_seconds$/),
      expect.stringMatching(/^[A-Z].*\.$/),
    ])
})
