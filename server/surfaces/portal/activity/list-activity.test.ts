import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activityText } from '@/components/activity/messages'
import { activityTextDe } from '@/components/activity/messages.de'
import {
  insertEntries,
  insertTenant,
  MERCHANT,
  type MoneyFixture,
  openMoneyFixture,
  type Person,
} from '@/test/support/money-fixture'
import { type Sql, sql } from '../../../base/core/sql'
import { blockSigningKey } from '../../../base/platform/keys/rotate-signing-keys'
import { applyDispute } from '../../../money/payments'
import {
  type AuditEntry,
  type AuditRecord,
  auditEvents,
  checkpointTenant,
  hashEntry,
  listAudit,
  recordAudits,
} from '../../../shared/audit'
import { listActivity, writeActivityJson } from './list-activity'
import type { ActivityView } from './view'

let fixture: MoneyFixture
beforeAll(async () => {
  fixture = await openMoneyFixture()
})
afterAll(() => fixture.close())

async function pay(person: Person, agentId = person.agentId): Promise<string> {
  const answer = await fixture.settle(await fixture.mandate(person, { amountMinor: 1_200, agentId }))
  return (JSON.parse(answer.body) as { payment_intent_id: string }).payment_intent_id
}

const activity = (person: Person, search: Parameters<typeof listActivity>[1] = {}): Promise<ActivityView> =>
  listActivity(fixture.wallet(person), search)

/** Changes rows as an attacker with access to the database would, without the trigger. */
async function tamper(change: Sql): Promise<void> {
  const { db } = fixture.platform
  await db.query(sql`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only`)
  await db.query(change)
  await db.query(sql`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only`)
}

describe('the activity', () => {
  test("tells the person's entries with names, newest first, and nobody else's", async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    const payment = await pay(ada)
    await pay(eve)
    await fixture.platform.db.transaction((tx) =>
      applyDispute(tx, {
        paymentIntentId: payment,
        status: 'pending',
        platform: fixture.platform,
        now: fixture.clock.now(),
      }),
    )
    const { entries } = await activity(ada)
    expect(entries.map(({ event, detail, agent }) => [event, detail, agent?.client_id])).toEqual([
      ['oid4ac.payment.disputed', 'pending', ada.agentId],
      ['oid4ac.payment.succeeded', null, ada.agentId],
      ['oid4ac.mandate.issued', null, undefined],
    ])
    expect(entries[1]).toMatchObject({
      agent: { label: 'Claude on my laptop' },
      payment: {
        payment_intent_id: payment,
        amount_minor: 1_200,
        currency: 'EUR',
        merchant_audience: MERCHANT,
        merchant_name: 'Tallow Books',
      },
    })
    expect(JSON.stringify(entries)).not.toContain(eve.agentId)
  })

  test('is narrowed by event and agent, and goes on page by page', async () => {
    const ada = await fixture.person()
    const other = await fixture.agent(ada.principalId)
    await pay(ada)
    await pay(ada, other)
    const eventsOf = async (search: Parameters<typeof listActivity>[1]) =>
      (await activity(ada, search)).entries.map(({ event, agent }) => `${event} ${agent?.client_id ?? ''}`)
    expect(await eventsOf({ event: 'oid4ac.mandate.issued' })).toEqual(['oid4ac.mandate.issued '])
    expect(await eventsOf({ agent: other })).toEqual([`oid4ac.payment.succeeded ${other}`])
    expect(await eventsOf({ agent: 'unknown' })).toEqual([])
    const [newest] = (await activity(ada)).entries
    expect(await eventsOf({ before: newest?.seq })).toEqual([
      `oid4ac.payment.succeeded ${ada.agentId}`,
      'oid4ac.mandate.issued ',
    ])
    for (let more = 0; more < 50; more += 1) await pay(ada)
    const first = await activity(ada)
    expect(first.entries).toHaveLength(50)
    const second = await activity(ada, { before: first.next_before ?? 0 })
    expect([second.entries.length, second.next_before]).toEqual([3, null])
  })

  test('B11 says of each change what it was, and of approvals how they were confirmed, under their old name too', async () => {
    const ada = await fixture.person({ card: null })
    const by = { tenantId: fixture.tenantId, principalId: ada.principalId, now: fixture.clock.now() }
    const actor = { kind: 'principal', id: ada.principalId }
    const change = { from: null, agent_client_id: null }
    const acts: readonly (readonly [string, Record<string, unknown>, string | null])[] = [
      ['oid4ac.approval.recorded', { authorization_id: 'a', method: 'passkey' }, 'passkey'],
      ['oid4ac.consent.approved', { ...change, what: 'purchase', to: 'approved', means: 'token' }, 'token'],
      ['oid4ac.limits.changed', { ...change, what: 'spending', to: 'frozen', via: 'token' }, 'spending_frozen'],
      ['oid4ac.limits.changed', { ...change, what: 'limits_raised', to: {}, means: 'token' }, 'limits_raised'],
      ['oid4ac.policy.changed', { ...change, what: 'merchant_gate', to: true, means: 'token' }, 'merchant_gate_true'],
      ['oid4ac.policy.changed', { ...change, what: 'merchant_rule', to: null, means: 'token' }, 'merchant_rule'],
      ['oid4ac.payment.refunded', { mandate_id: 'm', reason: 'another_charge' }, 'another_charge'],
      ['oid4ac.payment.refunded', { mandate_id: 'm', reason: 'settlement_failed' }, 'settlement_failed'],
      ['oid4ac.payment.refunded', { mandate_id: 'm', reason: 'wrong_amount' }, 'wrong_amount'],
      ['oid4ac.operator.acted', { ...change, what: 'resetPasskeys', to: 'x', means: 'operator' }, 'resetPasskeys'],
    ]
    const records = acts.map(([event, payload]) => ({ ...by, event, actor, payload }))
    await fixture.platform.db.transaction((tx) => recordAudits(tx, records as unknown as AuditRecord[]))
    const { entries, proof } = await activity(ada)
    expect(entries.map(({ event, detail }) => [event, detail]).toReversed()).toEqual(
      acts.map(([event, , detail]) => [event, detail]),
    )
    expect(proof.verdict).toBe('verified')
    for (const { event, detail } of entries) {
      expect(activityText.events).toHaveProperty([event])
      expect(activityText.details).toHaveProperty([detail ?? ''])
    }
    const approvals = (await activity(ada, { event: 'oid4ac.consent.approved' })).entries
    expect(approvals.map(({ event }) => event)).toEqual(['oid4ac.consent.approved', 'oid4ac.approval.recorded'])
    let download = ''
    for await (const chunk of writeActivityJson(fixture.wallet(ada), { event: 'oid4ac.consent.approved' })) {
      download += chunk
    }
    expect((JSON.parse(download) as { entries: unknown[] }).entries).toHaveLength(2)
  })

  test('titles that depend on what happened are the same in both languages, of known events', () => {
    expect(Object.keys(activityTextDe.titles)).toEqual(Object.keys(activityText.titles))
    for (const name of Object.keys(activityText.titles)) {
      const [event = '', detail = ''] = name.split(' ')
      expect(activityText.events).toHaveProperty([event])
      expect(activityText.details).toHaveProperty([detail])
    }
  })

  test('B11 every event has words in both languages', () => {
    for (const { events } of [activityText, activityTextDe]) {
      for (const event of auditEvents) expect(events).toHaveProperty([event])
    }
  })

  test('shows each entry as it is hashed', async () => {
    const ada = await fixture.person()
    await pay(ada)
    for (const { json, entry_hash: hash } of (await activity(ada)).entries) {
      expect(hashEntry(JSON.parse(json) as Parameters<typeof hashEntry>[0])).toBe(hash)
    }
  })
})

describe('the proof', () => {
  test('covers the entries up to a head that is signed then', async () => {
    const [ada, eve] = [await fixture.person(), await fixture.person()]
    await pay(ada)
    await pay(eve)
    await pay(ada)
    const { entries, proof } = await activity(ada)
    expect(entries.every(({ state }) => state === 'verified')).toBe(true)
    expect(proof).toEqual({
      verdict: 'verified',
      checked: 3,
      checkpoint: { seq: entries[0]?.seq, signed_at: fixture.clock.now().toISOString(), signature_valid: true },
      run: 'intact',
    })
  })

  test('of an empty page has the verdict nothing', async () => {
    const nobody = await fixture.person({ card: null })
    expect((await activity(nobody)).proof).toMatchObject({ verdict: 'nothing', checked: 0 })
  })

  test('says so when the way to the signed head is too long for a page', async () => {
    const ada = await fixture.person()
    await recordOthers(600)
    expect((await activity(ada)).proof).toMatchObject({ verdict: 'unsigned', run: 'unsigned' })
    await checkpointTenant(fixture.platform, fixture.tenantId)
    expect((await activity(ada)).proof).toMatchObject({ verdict: 'verified', run: 'too_long' })
  })

  test('calls an entry verified only at or below the signed head, and newer ones not yet signed', async () => {
    const ada = await fixture.person()
    await pay(ada)
    await checkpointTenant(fixture.platform, fixture.tenantId)
    await pay(ada)
    await recordOthers(501)
    const { entries, proof } = await activity(ada)
    const head = proof.checkpoint?.seq ?? 0
    expect(entries.map(({ seq, state }) => [seq <= head, state])).toEqual([
      [false, 'unsigned'],
      [true, 'verified'],
      [true, 'verified'],
    ])
    expect(proof).toMatchObject({ verdict: 'unsigned', run: 'unsigned', checkpoint: { signature_valid: true } })
    await checkpointTenant(fixture.platform, fixture.tenantId)
    expect((await activity(ada)).entries.map(({ state }) => state)).toEqual(['verified', 'verified', 'verified'])
  })

  test('fails when entries below the signed head were written again, hashes and all', async () => {
    const tenantId = await otherTenant()
    const ada = await fixture.person({ tenantId })
    await pay(ada)
    await checkpointTenant(fixture.platform, tenantId)
    const [newest] = (await activityIn(ada)).entries
    const forged = { ...(JSON.parse(newest?.json ?? '') as AuditEntry), ts: '2026-01-01T00:00:00.000Z' }
    const [hash, seq] = [hashEntry(forged), forged.seq]
    await tamper(sql`UPDATE audit_entries SET ts = ${forged.ts}::timestamptz, entry_hash = ${hash}
                      WHERE tenant_id = ${tenantId} AND seq = ${seq}`)
    await fixture.platform.db.query(sql`UPDATE audit_heads SET entry_hash = ${hash} WHERE tenant_id = ${tenantId}`)
    await recordOthers(501, tenantId)
    await pay(ada)
    const { entries, proof } = await activityIn(ada)
    expect(proof).toMatchObject({ verdict: 'broken', run: 'broken' })
    expect(entries.map(({ state }) => state)).not.toContain('verified')
  })

  const changes: [string, string][] = [
    ['its amount', `payload = replace(payload, '1200', '1')`],
    ['its event', `event = 'oid4ac.payment.failed'`],
    ['its time', `ts = ts - interval '1 day'`],
    ['who acted', `actor_id = 'somebody'`],
    ['its hash', `entry_hash = 'x'`],
    ['the link to the entry before', `prev_hash = 'x'`],
  ]
  test.each(changes)('fails when %s was changed, and names the entry', async (_, change) => {
    const ada = await fixture.person({ tenantId: await otherTenant() })
    await pay(ada)
    const before = await activityIn(ada)
    expect(before.proof.verdict).toBe('verified')
    const paid = before.entries[0]
    await tamper(sql`UPDATE audit_entries SET ${sql.raw(change)} WHERE entry_hash = ${paid?.entry_hash ?? ''}`)
    const after = await activityIn(ada)
    expect(after.proof.verdict).toBe('broken')
    expect(after.entries.filter(({ state }) => state === 'broken').map(({ seq }) => seq)).toContain(paid?.seq)
  })

  test('fails when an entry between two of the person is gone, though both are right', async () => {
    const tenantId = await otherTenant()
    const [ada, eve] = [await fixture.person({ tenantId }), await fixture.person({ tenantId, card: null })]
    await pay(ada)
    await fixture.platform.db.transaction(async (tx) => {
      await recordAudits(
        tx,
        ['one', 'two', 'three'].map((id) => ({
          tenantId,
          principalId: eve.principalId,
          event: 'oid4ac.privacy.access' as const,
          actor: { kind: 'principal' as const, id: eve.principalId },
          payload: { request_id: id },
          now: fixture.clock.now(),
        })),
      )
    })
    await pay(ada)
    const [middle] = (await listAudit(callOf(eve, tenantId), { limit: 2 })).slice(1)
    await tamper(sql`DELETE FROM audit_entries WHERE entry_hash = ${middle?.entry_hash ?? ''}`)
    const { entries, proof } = await activityIn(ada)
    expect(new Set(entries.map(({ state }) => state))).toEqual(new Set(['unproven']))
    expect(proof).toMatchObject({ verdict: 'broken', run: 'broken' })
  })

  test('fails when the signed head was replaced', async () => {
    const tenantId = await otherTenant()
    const ada = await fixture.person({ tenantId })
    await pay(ada)
    await activityIn(ada)
    await fixture.platform.db.query(
      sql`UPDATE audit_checkpoints SET jws = left(jws, -4) || 'AAAA' WHERE tenant_id = ${tenantId}`,
    )
    expect((await activityIn(ada)).proof).toMatchObject({
      verdict: 'broken',
      checkpoint: { signature_valid: false },
    })
  })

  test('is verified by a newly signed head once the key of the last one was blocked', async () => {
    const ada = await fixture.person({ tenantId: await otherTenant() })
    await pay(ada)
    expect((await activityIn(ada)).proof.verdict).toBe('verified')
    const { keys } = fixture.platform
    await blockSigningKey(fixture.platform, keys.current('audit').kid, () => Promise.resolve())
    await keys.refresh()
    expect((await activityIn(ada)).proof).toMatchObject({
      verdict: 'verified',
      checkpoint: { signature_valid: true },
      run: 'intact',
    })
  })
})

/** Records entries about no person, in a chain that lasts. */
const recordOthers = (count: number, tenantId = fixture.tenantId): Promise<void> =>
  insertEntries(fixture.platform, tenantId, count)

/** Returns a tenant of its own, whose chain a test may break. */
const otherTenant = (): Promise<string> => insertTenant(fixture.platform)

async function activityIn(person: Person): Promise<ActivityView> {
  const [row] = await fixture.platform.db.query<{ tenant_id: string }>(
    sql`SELECT tenant_id FROM principals WHERE id = ${person.principalId}`,
  )
  return listActivity(callOf(person, row?.tenant_id ?? ''), {})
}

function callOf(person: Person, tenantId: string) {
  const call = fixture.wallet(person)
  return { ...call, actor: { ...call.actor, tenantId } }
}
