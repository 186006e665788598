import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertTenant, type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { planOf } from '@/test/support/query-plan'
import { sql } from '../../base/core/sql'
import { hashLeaf, provesConsistency, provesInclusion, rootOf } from '../../base/protocol/merkle-tree'
import { openNote, readTreeHead } from '../../base/protocol/signed-note'
import {
  type AuditEntry,
  type AuditRecord,
  checkpointTenant,
  checkpointTenants,
  type InclusionProof,
  logOrigin,
  proveConsistency,
  proveInclusion,
  readCheckpoint,
  recordAudits,
} from '.'
import { findLatestCheckpoint } from './checkpoint-store'
import { listEntries } from './store'
import { countStored, hashSubtrees, rootAt, storeNodes } from './tree'
import { listEntryHashes, listNodes } from './tree-store'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const append = (tenantId: string, count: number) =>
  money.platform.db.transaction((tx) =>
    recordAudits(
      tx,
      Array.from(
        { length: count },
        (_, at): AuditRecord => ({
          tenantId,
          principalId: null,
          event: 'oid4ac.privacy.access',
          actor: { kind: 'principal', id: 'someone' },
          payload: { request_id: String(at) },
          now: money.clock.now(),
        }),
      ),
    ),
  )

const leavesOf = (entries: readonly AuditEntry[]): Buffer[] =>
  entries.map(({ entry_hash }) => hashLeaf(Buffer.from(entry_hash, 'base64url')))
const fromText = (hashes: readonly string[]): Buffer[] => hashes.map((hash) => Buffer.from(hash, 'base64url'))

async function chainOf(tenantId: string, count: number): Promise<Buffer[]> {
  return leavesOf(await listEntries(money.platform.db, tenantId, { fromSeq: 1, toSeq: count }))
}

const findKey = (kid: string) => money.platform.keys.find('audit', kid)

/** Returns the root that a proof's checkpoint states, equal in both its forms. */
async function statedRoot({ checkpoint }: InclusionProof, tenantId: string): Promise<Buffer> {
  const claims = await readCheckpoint(checkpoint.jws, findKey)
  const origin = logOrigin(claims.iss, tenantId)
  const key = money.platform.keys.find('audit', money.platform.keys.current('audit').kid) ?? expect.fail('no key')
  const head = readTreeHead(openNote(checkpoint.note, [{ name: origin, key }]))
  expect(head).toMatchObject({ origin, size: claims.seq })
  expect(head.root.toString('base64url')).toBe(claims.root_hash)
  return head.root
}

/** Changes rows past the triggers, as someone with access to the database could. */
async function tamper(table: 'audit_entries' | 'audit_nodes', change: ReturnType<typeof sql>): Promise<void> {
  await money.platform.db.query(sql`ALTER TABLE ${sql.raw(table)} DISABLE TRIGGER ALL`)
  await money.platform.db.query(change)
  await money.platform.db.query(sql`ALTER TABLE ${sql.raw(table)} ENABLE TRIGGER ALL`)
}

describe('the tree over a chain', () => {
  test('its root is that of all entries, however they came and whenever they were signed', async () => {
    const tenantId = await insertTenant(money.platform)
    let total = 0
    for (const count of [1, 254, 1, 1, 600]) {
      await append(tenantId, count)
      total += count
      const stored = await checkpointTenant(money.platform, tenantId)
      const claims = await readCheckpoint(stored?.jws ?? '', findKey)
      const leaves = await chainOf(tenantId, total)
      expect([claims.seq, claims.root_hash]).toEqual([total, rootOf(leaves).toString('base64url')])
    }
    expect(await countStored(money.platform.db, tenantId)).toBe(768)
  })

  test('each entry is proven against the checkpoint, and signing two at once yields one tree', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 700)
    await Promise.all([checkpointTenant(money.platform, tenantId), checkpointTenant(money.platform, tenantId)])
    const leaves = await chainOf(tenantId, 700)
    for (const seq of [1, 2, 255, 256, 257, 512, 513, 699, 700]) {
      const proof = (await proveInclusion(money.platform, { tenantId, seq })) ?? expect.fail('no proof')
      const root = await statedRoot(proof, tenantId)
      const { leaf_index: index, tree_size: size } = proof
      expect([index, size]).toEqual([seq - 1, 700])
      const leaf = leaves[index] ?? expect.fail('no leaf')
      expect(provesInclusion({ index, size, leaf, proof: fromText(proof.hashes), root })).toBe(true)
    }
  })

  test('an entry that no checkpoint covers yet has one made for its proof', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 3)
    expect((await proveInclusion(money.platform, { tenantId, seq: 2 }))?.tree_size).toBe(3)
    await append(tenantId, 2)
    expect((await proveInclusion(money.platform, { tenantId, seq: 3 }))?.tree_size).toBe(3)
    expect((await proveInclusion(money.platform, { tenantId, seq: 4 }))?.tree_size).toBe(5)
    expect(await proveInclusion(money.platform, { tenantId, seq: 6 })).toBeNull()
    expect(await proveInclusion(money.platform, { tenantId: 'nobody', seq: 1 })).toBeNull()
  })

  test('each earlier tree is proven to be the beginning of each later one', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 530)
    const leaves = await chainOf(tenantId, 530)
    for (const [from, to] of [
      [1, 1],
      [1, 530],
      [255, 256],
      [256, 512],
      [257, 530],
      [512, 513],
      [530, 530],
    ] as const) {
      const proof = (await proveConsistency(money.platform, { tenantId, from, to })) ?? expect.fail('no proof')
      const [oldRoot, root] = [rootOf(leaves.slice(0, from)), rootOf(leaves.slice(0, to))]
      expect(provesConsistency({ oldSize: from, oldRoot, size: to, root, proof: fromText(proof.hashes) })).toBe(true)
    }
    expect(await proveConsistency(money.platform, { tenantId, from: 1, to: 531 })).toBeNull()
    expect(await proveConsistency(money.platform, { tenantId, from: 2, to: 1 })).toBeNull()
  })

  test('what another process signs meanwhile, past the next node, is no fault of the chain', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 250)
    const { db } = money.platform
    const signElsewhere = async (count: number) => {
      await append(tenantId, count)
      await checkpointTenant(money.platform, tenantId)
    }
    const query: typeof db.query = async (statement) => {
      if (!statement.text.includes('FROM audit_checkpoints c')) return db.query(statement)
      await signElsewhere(10)
      const rows = await db.query<never>(statement)
      await signElsewhere(256)
      return rows
    }
    const faults: string[] = []
    const log = { ...money.platform.log, error: (message: string) => void faults.push(message) }
    const watched = { ...db, query, prisma: db.prisma, transaction: db.transaction.bind(db) }
    const checkpoint = await checkpointTenant({ ...money.platform, db: watched, log }, tenantId)
    expect([checkpoint?.seq, faults]).toEqual([516, []])
  })

  test('nodes of the second height are stored as well', async () => {
    const entries = Array.from({ length: 65_536 }, (_, at) => ({
      seq: at + 1,
      entry_hash: Buffer.alloc(32, at % 251).toString('base64url'),
    }))
    const { db } = money.platform
    await storeNodes(db, 'large', entries as never)
    const leaves = leavesOf(entries as never)
    expect(await rootAt(db, 'large', 65_536)).toEqual(rootOf(leaves))
    const half = await hashSubtrees(db, 'large', [{ start: 32_768, end: 65_536 }])
    expect(half).toEqual([rootOf(leaves.slice(32_768))])
  })

  test('chains of before the tree get it with their next checkpoint, also when they have not grown', async () => {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 300)
    const { jws } = (await checkpointTenant(money.platform, tenantId)) ?? expect.fail('no checkpoint')
    await tamper('audit_nodes', sql`DELETE FROM audit_nodes WHERE tenant_id = ${tenantId}`)
    await money.platform.db.query(sql`UPDATE audit_checkpoints SET note = NULL WHERE tenant_id = ${tenantId}`)
    await checkpointTenants(money.platform)
    const latest = await findLatestCheckpoint(money.platform.db, tenantId)
    expect(latest).toMatchObject({ seq: 300, note: expect.any(String) })
    expect((await readCheckpoint(jws, findKey)).root_hash).toEqual(
      (await readCheckpoint(latest?.jws ?? '', findKey)).root_hash,
    )
    expect((await proveInclusion(money.platform, { tenantId, seq: 17 }))?.tree_size).toBe(300)
  })
})

describe('a tree that was tampered with', () => {
  async function signedChain(): Promise<string> {
    const tenantId = await insertTenant(money.platform)
    await append(tenantId, 520)
    await checkpointTenant(money.platform, tenantId)
    return tenantId
  }

  test('nodes refuse changes in the database', async () => {
    const tenantId = await signedChain()
    for (const change of [
      sql`UPDATE audit_nodes SET hash = 'x' WHERE tenant_id = ${tenantId}`,
      sql`DELETE FROM audit_nodes WHERE tenant_id = ${tenantId}`,
      sql`TRUNCATE audit_nodes`,
    ]) {
      await expect(money.platform.db.query(change)).rejects.toThrow('append-only')
    }
  })

  test.each([
    ['another node', 'audit_nodes', (id: string) => sql`UPDATE audit_nodes SET hash = 'AAAA' WHERE tenant_id = ${id}`],
    [
      'another entry',
      'audit_entries',
      (id: string) => sql`UPDATE audit_entries SET entry_hash = 'AAAA' WHERE tenant_id = ${id} AND seq = ${515}`,
    ],
  ] as const)('with %s nothing is proven, and nothing further is signed', async (_name, table, change) => {
    const tenantId = await signedChain()
    await tamper(table, change(tenantId))
    expect(await proveInclusion(money.platform, { tenantId, seq: 514 })).toBeNull()
    await append(tenantId, 1)
    expect((await checkpointTenant(money.platform, tenantId))?.seq).toBe(520)
  })

  test('missing nodes are computed again from the entries before anything further is signed', async () => {
    const tenantId = await signedChain()
    await tamper('audit_nodes', sql`DELETE FROM audit_nodes WHERE tenant_id = ${tenantId}`)
    expect(await proveInclusion(money.platform, { tenantId, seq: 514 })).toBeNull()
    await append(tenantId, 1)
    expect((await checkpointTenant(money.platform, tenantId))?.seq).toBe(521)
    expect((await proveInclusion(money.platform, { tenantId, seq: 514 }))?.tree_size).toBe(521)
  })
})

test('the hashes that a proof needs are read from indexes, however long the chain', async () => {
  const tenantId = await insertTenant(money.platform)
  const { db } = money.platform
  await append(tenantId, 6_000)
  await db.query(sql`INSERT INTO audit_nodes SELECT ${tenantId}, 8, n, 'hash' FROM generate_series(0, 5999) n`)
  await db.query(sql`VACUUM (ANALYZE) audit_entries, audit_nodes`)
  const runs = [
    { height: 8, first: 0, last: 255 },
    { height: 8, first: 5_900, last: 5_999 },
  ]
  const plan = await planOf(db, async (explaining) => {
    await listEntryHashes(explaining, tenantId, runs)
    await listNodes(explaining, tenantId, runs)
  })
  expect(plan).toContain('audit_entries_pkey')
  expect(plan).toContain('audit_nodes_pkey')
  expect(plan).not.toContain('Seq Scan')
})
