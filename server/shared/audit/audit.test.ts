import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertTenant, type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import type { ClientCall } from '../../base/core/call'
import { ValidationError } from '../../base/core/errors'
import { type Sql, sql } from '../../base/core/sql'
import { hashLeaf, rootOf } from '../../base/protocol/merkle-tree'
import {
  type AuditEntry,
  type AuditRecord,
  checkpointBusyTenants,
  checkpointTenant,
  checkpointTenants,
  GENESIS_HASH,
  listAudit,
  queryWalletAuditChain,
  readCheckpoint,
  readTenantAuditRange,
  recordAudit,
  recordAudits,
  recordPersonAct,
  verifyChain,
} from '.'
import { defaultAuditEvents } from './contract'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const record = (tenantId: string, id: string, principalId: string | null = null): AuditRecord => ({
  tenantId,
  principalId,
  event: 'oid4ac.privacy.access',
  actor: { kind: 'principal', id: 'someone' },
  payload: { request_id: id },
  now: money.clock.now(),
})

const append = (tenantId: string, ...ids: string[]) =>
  money.platform.db.transaction((tx) =>
    recordAudits(
      tx,
      ids.map((id) => record(tenantId, id)),
    ),
  )

interface Range {
  from_seq: number
  to_seq: number
  entries: AuditEntry[]
  checkpoint: string | null
}

function reader(tenantId: string, scope: readonly string[] = ['audit:read']): ClientCall {
  const client = {
    id: tenantId,
    kind: 'wallet',
    tenantId,
    principalId: null,
    name: 'Wallet',
    purpose: null,
    redirectUris: [],
    grantTypes: [],
    scope,
    jwks: [],
  } as const
  return {
    platform: money.platform,
    requestId: randomUUID(),
    now: money.clock.now(),
    actor: { kind: 'client', client, dpop: null, replayKeys: [] },
  }
}

const readRange = async (tenantId: string, query: { from_seq?: number; to_seq?: number } = {}) =>
  (await readTenantAuditRange.verb(reader(tenantId), {
    tenant_id: tenantId,
    client_id: tenantId,
    ...query,
  } as never)) as Range

const findKey = (kid: string) => money.platform.keys.find('audit', kid)

/** Changes entries past the trigger, as someone with access to the database could. */
async function tamper(change: Sql): Promise<void> {
  await money.platform.db.query(sql`ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only`)
  await money.platform.db.query(change)
  await money.platform.db.query(sql`ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only`)
}

describe('the chain', () => {
  test('the chain is gapless and linked, however many write at the same time', async () => {
    const tenants = [await insertTenant(money.platform), await insertTenant(money.platform)]
    await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        append(tenants[at % 2] ?? '', ...Array.from({ length: 1 + (at % 3) }, (__, n) => `${at}-${n}`)),
      ),
    )
    for (const tenantId of tenants) {
      const { entries } = await readRange(tenantId)
      expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1))
      expect(entries[0]?.prev_hash).toBe(GENESIS_HASH)
      expect(verifyChain(entries)).toEqual({
        intact: true,
        head: { seq: entries.length, entryHash: entries.at(-1)?.entry_hash },
      })
    }
  })

  test('the chain takes back its number when the transaction of the change fails', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'one')
    const failed = money.platform.db.transaction(async (tx) => {
      await recordAudit(tx, record(tenantId, 'lost'))
      throw new Error('the change failed')
    })
    await expect(failed).rejects.toThrow('the change failed')
    await append(tenantId, 'two')
    const { entries } = await readRange(tenantId)
    expect(entries.map(({ seq, payload }) => [seq, payload['request_id']])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ])
    expect(verifyChain(entries).intact).toBe(true)
  })

  test('the chain never runs back in time, even when the clock does', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'before')
    const before = money.clock.now()
    money.clock.advance(-300)
    await append(tenantId, 'after')
    const { entries } = await readRange(tenantId)
    expect(entries.map(({ ts }) => ts)).toEqual([before.toISOString(), before.toISOString()])
    money.clock.set(before)
  })

  test('the chain refuses changes in the database', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'one')
    for (const change of [
      sql`UPDATE audit_entries SET event = 'x' WHERE tenant_id = ${tenantId}`,
      sql`DELETE FROM audit_entries WHERE tenant_id = ${tenantId}`,
    ]) {
      await expect(money.platform.db.query(change)).rejects.toThrow('append-only')
    }
  })
})

describe('verifyChain', () => {
  test('verifyChain finds any change of any member of any entry, any removal, doubling and exchange', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, ...Array.from({ length: 8 }, (_, at) => String(at)))
    const { entries } = await readRange(tenantId)
    const last = { seq: 8, entryHash: entries.at(-1)?.entry_hash ?? '' }
    const changes: ((entry: AuditEntry) => AuditEntry)[] = [
      (entry) => ({ ...entry, seq: entry.seq + 1 }),
      (entry) => ({ ...entry, ts: '2026-11-21T10:00:00.001Z' }),
      (entry) => ({ ...entry, event: 'oid4ac.payment.succeeded' }),
      (entry) => ({ ...entry, tenant_id: 'another' }),
      (entry) => ({ ...entry, actor: { ...entry.actor, id: 'else' } }),
      (entry) => ({ ...entry, actor: { ...entry.actor, kind: 'agent' } }),
      (entry) => ({ ...entry, actor: { ...entry.actor, name: 'more' } }),
      (entry) => ({ ...entry, refunded_minor: 1300 }),
      (entry) => Object.defineProperty({ ...entry }, '__proto__', { value: 1, enumerable: true }),
      (entry) => ({ ...entry, payload: { ...entry.payload, request_id: 'x' } }),
      (entry) => ({ ...entry, payload: { ...entry.payload, more: 1 } }),
      (entry) => ({ ...entry, prev_hash: entry.entry_hash }),
      (entry) => ({ ...entry, entry_hash: entry.prev_hash }),
    ]
    const isSound = (chain: readonly AuditEntry[]) => {
      const verdict = verifyChain(chain, { seq: 0, entryHash: GENESIS_HASH })
      return verdict.intact && verdict.head.seq === last.seq && verdict.head.entryHash === last.entryHash
    }
    expect(isSound(entries)).toBe(true)
    fc.assert(
      fc.property(fc.nat({ max: 7 }), fc.nat({ max: changes.length - 1 }), (at, which) => {
        const change = changes[which] ?? expect.fail('no such change')
        expect(isSound(entries.map((entry, index) => (index === at ? change(entry) : entry)))).toBe(false)
        expect(isSound(entries.filter((_, index) => index !== at))).toBe(false)
        expect(isSound(entries.flatMap((entry, index) => (index === at ? [entry, entry] : [entry])))).toBe(false)
        const other = (at + 1) % 8
        const swapped = entries.map(
          (entry, index) => entries[index === at ? other : index === other ? at : index] ?? entry,
        )
        expect(isSound(swapped)).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})

describe('checkpoints', () => {
  test('checkpoints cover the head, are kept, and verify with the published key', async () => {
    const tenantId = await insertTenant(money.platform)
    expect((await readRange(tenantId)).checkpoint).toBeNull()
    await append(tenantId, 'one', 'two')
    const { checkpoint, entries } = await readRange(tenantId)
    const claims = await readCheckpoint(checkpoint ?? '', findKey)
    expect(claims).toMatchObject({ tenant_id: tenantId, seq: 2, iss: money.platform.config.baseUrl })
    expect(entries).toHaveLength(2)
    expect((await checkpointTenant(money.platform, tenantId))?.jws).toBe(checkpoint)
    await append(tenantId, 'three')
    await checkpointTenants(money.platform)
    expect(await money.count('audit_checkpoints', sql`tenant_id = ${tenantId}`)).toBe(2)
    await expect(readCheckpoint(checkpoint ?? '', () => undefined)).rejects.toThrow('not signed by a known key')
  })

  test('checkpoints of busy tenants are signed once 5,000 entries wait for it', async () => {
    const [busy, quiet] = [await insertTenant(money.platform), await insertTenant(money.platform)]
    for (const tenantId of [busy, quiet]) await append(tenantId, ...Array.from({ length: 4_999 }, (_, at) => `${at}`))
    await append(busy, 'one more')
    await checkpointBusyTenants(money.platform)
    const signed = (tenantId: string) => money.count('audit_checkpoints', sql`tenant_id = ${tenantId} AND seq = 5000`)
    expect([await signed(busy), await signed(quiet)]).toEqual([1, 0])
  })

  test('checkpoints are never signed over a chain that was tampered with', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'one')
    const good = await checkpointTenant(money.platform, tenantId)
    await append(tenantId, 'two', 'three')
    await tamper(
      sql`UPDATE audit_entries SET payload = '{"request_id":"forged"}' WHERE tenant_id = ${tenantId} AND seq = ${2}`,
    )
    expect((await checkpointTenant(money.platform, tenantId))?.jws).toBe(good?.jws)
    expect(verifyChain((await readRange(tenantId)).entries)).toMatchObject({ intact: false, seq: 2 })
  })

  test('checkpoints are not moved on when what they covered was rewritten', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'one')
    const good = await checkpointTenant(money.platform, tenantId)
    await tamper(sql`UPDATE audit_entries SET entry_hash = 'x' WHERE tenant_id = ${tenantId} AND seq = ${1}`)
    await append(tenantId, 'two')
    expect((await checkpointTenant(money.platform, tenantId))?.jws).toBe(good?.jws)
  })
})

describe('GET /audit/{tenant_id}/range', () => {
  test('GET /audit/{tenant_id}/range answers the run that was asked for', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'a', 'b', 'c', 'd')
    const { from_seq, to_seq, entries } = await readRange(tenantId, { from_seq: 2, to_seq: 3 })
    expect([from_seq, to_seq, entries.map(({ seq }) => seq)]).toEqual([2, 3, [2, 3]])
    expect(verifyChain(entries).intact).toBe(true)
    expect(await readRange(tenantId, { from_seq: 9 })).toMatchObject({ from_seq: 9, to_seq: 8, entries: [] })
    await expect(readRange(tenantId, { from_seq: 3, to_seq: 2 })).rejects.toBeInstanceOf(ValidationError)
  })

  test('E69 E67 a long chain is answered in runs of 1,000, and each ends with what its checkpoint vouches for', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, ...Array.from({ length: 1_003 }, (_, at) => String(at)))
    const first = await readRange(tenantId)
    expect([first.from_seq, first.to_seq, first.entries.length]).toEqual([1, 1_000, 1_000])
    const second = await readRange(tenantId, { from_seq: 1_001 })
    expect([second.from_seq, second.to_seq, second.entries.length]).toEqual([1_001, 1_003, 3])
    for (const { checkpoint, to_seq: seq, entries } of [first, second]) {
      const claims = await readCheckpoint(checkpoint ?? '', findKey)
      expect(claims).toMatchObject({ seq, entry_hash: entries.at(-1)?.entry_hash })
    }
  })

  test('E67 a range that ends before the head has a checkpoint of its last entry and of the tree up to it, which is not kept', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'a', 'b', 'c', 'd', 'e')
    const { checkpoint, entries } = await readRange(tenantId, { to_seq: 3 })
    const leaves = entries.map(({ entry_hash }) => hashLeaf(Buffer.from(entry_hash, 'base64url')))
    expect(await readCheckpoint(checkpoint ?? '', findKey)).toMatchObject({
      tenant_id: tenantId,
      seq: 3,
      entry_hash: entries[2]?.entry_hash,
      root_hash: rootOf(leaves).toString('base64url'),
    })
    expect(await money.count('audit_checkpoints', sql`tenant_id = ${tenantId} AND seq < 5`)).toBe(0)
  })

  test('E67 a range that ends with an entry that was signed before has that checkpoint', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'a', 'b')
    const signed = await checkpointTenant(money.platform, tenantId)
    money.clock.advance(60)
    await append(tenantId, 'c')
    expect((await readRange(tenantId, { to_seq: 2 })).checkpoint).toBe(signed?.jws)
  })

  test.each([2, 256])('E67 entry %i is not signed with another hash than the newest tree has for it', async (seq) => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, ...Array.from({ length: 300 }, (_, at) => String(at)))
    const newest = await checkpointTenant(money.platform, tenantId)
    await tamper(sql`UPDATE audit_entries SET entry_hash = 'AAAA' WHERE tenant_id = ${tenantId} AND seq = ${seq}`)
    expect((await readRange(tenantId, { to_seq: seq })).checkpoint).toBe(newest?.jws)
  })

  test('E67 a chain whose end was taken away still has the checkpoint of that end', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 'a', 'b')
    await checkpointTenant(money.platform, tenantId)
    await append(tenantId, 'c')
    const newest = await checkpointTenant(money.platform, tenantId)
    await tamper(sql`DELETE FROM audit_entries WHERE tenant_id = ${tenantId} AND seq = 3`)
    await money.platform.db.query(
      sql`UPDATE audit_heads SET seq = 2, entry_hash = (
            SELECT entry_hash FROM audit_entries WHERE tenant_id = ${tenantId} AND seq = 2) WHERE tenant_id = ${tenantId}`,
    )
    const { to_seq, checkpoint } = await readRange(tenantId)
    expect([to_seq, checkpoint]).toEqual([2, newest?.jws])
  })

  test('another tenant, another client_id and a client without audit:read are refused the range with 403', async () => {
    const [tenantId, other] = [await insertTenant(money.platform), await insertTenant(money.platform)]
    const ask = (call: ClientCall, tenant: string, client: string) =>
      readTenantAuditRange.verb(call, { tenant_id: tenant, client_id: client } as never)
    await expect(ask(reader(other), tenantId, other)).rejects.toMatchObject({ code: 'principal_mismatch', status: 403 })
    await expect(ask(reader(other), tenantId, tenantId)).rejects.toMatchObject({ code: 'principal_mismatch' })
    await expect(ask(reader(tenantId, []), tenantId, tenantId)).rejects.toMatchObject({ code: 'insufficient_scope' })
  })
})

describe('what a person did', () => {
  const changed = {
    event: 'oid4ac.policy.changed',
    payload: {
      what: 'merchant_gate',
      from: true,
      to: false,
      means: 'token',
      agent_client_id: null,
      merchant_audience: null,
    },
  } as const

  test('B11 an entry by token names the agent that holds it, and none where the person holds it', async () => {
    const person = await money.person({ card: null })
    for (const token of [{ agentClientId: person.agentId }, { agentClientId: null }]) {
      const actor = { principalId: person.principalId, tenantId: money.tenantId, token }
      await money.platform.db.transaction((tx) => recordPersonAct(tx, { actor, now: money.clock.now() }, changed))
    }
    const [own, held] = await listAudit(money.wallet(person))
    expect(own?.payload).toEqual(changed.payload)
    expect(held?.payload).toEqual({ ...changed.payload, token_client_id: person.agentId })
    expect(held?.actor).toEqual({ kind: 'principal', id: person.principalId })
  })
})

describe('a person sees what is about them', () => {
  test('a person sees entries about them alone, newest first, by time, event and page', async () => {
    const [person, other] = [await money.person({ card: null }), await money.person({ card: null })]
    for (const id of ['a', 'b', 'c']) {
      await money.platform.db.transaction((tx) => recordAudit(tx, record(money.tenantId, id, person.principalId)))
      await money.platform.db.transaction((tx) => recordAudit(tx, record(money.tenantId, 'other', other.principalId)))
      money.clock.advance(60)
    }
    const all = await listAudit(money.wallet(person))
    expect(all.map(({ payload }) => payload['request_id'])).toEqual(['c', 'b', 'a'])
    const next = await listAudit(money.wallet(person), { beforeSeq: all[0]?.seq, limit: 1 })
    expect(next.map(({ payload }) => payload['request_id'])).toEqual(['b'])
    const answer = await queryWalletAuditChain.verb(money.wallet(person), { from_iso: all[1]?.ts ?? '', limit: 50 })
    expect(answer).toMatchObject({
      principal_id: person.principalId,
      to_iso: null,
      event_types: [...defaultAuditEvents],
      entries: [{ seq: all[0]?.seq }, { seq: all[1]?.seq }],
    })
    const none = await queryWalletAuditChain.verb(money.wallet(person), {
      event_types: ['oid4ac.payment.failed'],
      limit: 50,
    })
    expect(none).toMatchObject({ entries: [] })
  })

  test('B33 without bounds the answer names them all the same; both bounds are included, and in their order', async () => {
    const person = await money.person({ card: null })
    await money.platform.db.transaction((tx) => recordAudit(tx, record(money.tenantId, 'one', person.principalId)))
    const ask = (query: { from_iso?: string; to_iso?: string }) =>
      queryWalletAuditChain.verb(money.wallet(person), { ...query, limit: 50 })
    const whole = (await ask({})) as Awaited<ReturnType<typeof ask>> & { entries: AuditEntry[] }
    const [{ ts }] = whole.entries as [AuditEntry]
    expect(whole).toMatchObject({ from_iso: '1970-01-01T00:00:00.000Z', to_iso: null, event_types: defaultAuditEvents })
    expect(defaultAuditEvents).toHaveLength(7)
    expect(await ask({ from_iso: ts, to_iso: ts })).toMatchObject({ from_iso: ts, to_iso: ts, entries: [{ ts }] })
    const later = new Date(Date.parse(ts) + 1).toISOString()
    expect(await ask({ from_iso: later })).toMatchObject({ entries: [] })
    await expect(ask({ from_iso: later, to_iso: ts })).rejects.toMatchObject({
      issues: [{ loc: ['query', 'from_iso'], msg: 'must not be after to_iso' }],
    })
  })
})
