import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import type { Platform, Queryable } from '../../base/core/platform'
import type { Gauge } from '../../base/core/telemetry'
import { MANDATE_PLACES } from '../../oauth/mandates'
import { checkpointTenant, recordAudit } from '../../shared/audit'
import { enqueueJob } from '../../shared/queue'
import { readStates } from './read-states'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const samplesOf = (states: readonly Gauge[]) => Object.fromEntries(states.map(({ name, samples }) => [name, samples]))
const unreadable = { countersign_states_readable: [{ labels: {}, value: 0 }] }
const enqueue = (key: string) =>
  enqueueJob(
    money.platform.db,
    { platform: money.platform, now: money.clock.now() },
    { kind: 'mail', key, payload: {} },
  )

/** Returns a platform of its own, with nothing read yet, whose database answers in this way. */
const withQuery = (query: Queryable['query']): Platform => ({
  ...money.platform,
  db: { ...money.platform.db, query },
})

test('the states of the installation say what waits, how old it is and which features are on', async () => {
  const { platform, clock, tenantId } = money
  const entry = {
    tenantId,
    principalId: null,
    event: 'oid4ac.privacy.access',
    actor: { kind: 'principal', id: 'someone' },
    payload: { request_id: 'one' },
    now: clock.now(),
  } as const
  await platform.db.transaction((tx) => recordAudit(tx, entry))
  await checkpointTenant(platform, tenantId)
  await platform.db.transaction((tx) => recordAudit(tx, entry))
  await enqueue('first')
  await platform.switches.set('settlement', false)
  clock.advance(30)
  const states = await readStates(platform)
  const samples = samplesOf(states)
  expect(samples).toMatchObject({
    countersign_jobs: [{ labels: { kind: 'mail', state: 'queued' }, value: 1 }],
    countersign_job_oldest_due_seconds: [{ labels: { kind: 'mail' }, value: 30 }],
    countersign_audit_unsigned_entries: [{ labels: {}, value: 1 }],
    countersign_audit_unsigned_seconds: [{ labels: {}, value: 30 }],
    countersign_status_list_places_free: [{ labels: {}, value: MANDATE_PLACES }],
    countersign_states_readable: [{ labels: {}, value: 1 }],
  })
  const open = { labels: { state: 'unknown' }, value: 0 }
  expect(samples['countersign_settlements_open']).toContainEqual(open)
  expect(samples['countersign_settlement_oldest_open_seconds']).toContainEqual(open)
  expect(samples['countersign_switch_on']).toContainEqual({ labels: { name: 'settlement' }, value: 0 })
  expect(samples['countersign_switch_on']).toContainEqual({ labels: { name: 'status_list' }, value: 1 })
  for (const { help } of states) expect(help).toMatch(/^[A-Z][^\n]+\.$/)
})

test('the states are read once for all who ask within ten seconds', async () => {
  let statements = 0
  const platform = withQuery((statement) => {
    statements += 1
    return money.platform.db.query(statement)
  })
  const [one, other] = await Promise.all([readStates(platform), readStates(platform)])
  expect(other).toBe(one)
  const perRead = statements
  await enqueue('second')
  money.clock.advance(9.999)
  expect(await readStates(platform)).toBe(one)
  expect(statements).toBe(perRead)
  money.clock.advance(0.001)
  expect(samplesOf(await readStates(platform))).toMatchObject({
    countersign_jobs: [{ labels: { kind: 'mail', state: 'queued' }, value: 2 }],
  })
  expect(statements).toBe(2 * perRead)
})

test('the states say that they could not be read while the database takes longer than two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const states = readStates(withQuery(() => new Promise(() => undefined)))
  await vi.advanceTimersByTimeAsync(2_000)
  expect(samplesOf(await states)).toEqual(unreadable)
})

test('the states say that they could not be read once the database is closed', async () => {
  const closing = await openMoneyFixture()
  await closing.close()
  expect(samplesOf(await readStates(closing.platform))).toEqual(unreadable)
  closing.clock.advance(11)
  expect(samplesOf(await readStates(closing.platform))).toEqual(unreadable)
})
