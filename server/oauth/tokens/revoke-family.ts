import { batchedFor } from '../../base/core/batching'
import type { Database, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { type AuditActor, type AuditRecord, recordAudits } from '../../shared/audit'
import { isScopeSql } from '../authorization'
import { moveStatusList, revokeMandatesOfFamilies } from '../mandates'

type FamilyRow = Row<'TokenFamily', 'id' | 'client_id' | 'principal_id' | 'tenant_id'>

/** The reason, actor and time of a revocation. */
export interface RevocationCause {
  readonly reason: string
  readonly actor: AuditActor
  readonly now: Date
}

interface FamilyEnd extends RevocationCause {
  readonly familyId: string
}

/** The most revocations in one transaction, so that the first one does not wait long for the last. */
const BATCH_MAX = 100

/**
 * Revokes one token family with its mandates; resolves after the commit. Does nothing for a revoked family. Concurrent
 * revocations share a transaction, because all of a tenant write to the same audit chain.
 */
export const endFamily = batchedFor<Database, FamilyEnd, void>(endFamilies, BATCH_MAX)

async function endFamilies(db: Database, ends: readonly FamilyEnd[]): Promise<undefined[]> {
  await db.transaction(async (tx) => {
    const ids = ends.map(({ familyId }) => familyId)
    const families = await tx.query<FamilyRow & { place: number }>(
      sql`WITH ending AS (
         SELECT DISTINCT ON (id) id, reason, at, place
           FROM unnest(${ids}::text[], ${ends.map(({ reason }) => reason)}::text[], ${ends.map(({ now }) => now)}::timestamptz[]) WITH ORDINALITY AS a (id, reason, at, place)
          ORDER BY id, place),
       locked AS (
         SELECT f.id FROM token_families f WHERE f.id = ANY (${ids}::text[]) AND f.revoked_at IS NULL ORDER BY f.id FOR UPDATE)
       UPDATE token_families f SET revoked_at = ending.at, revoked_reason = ending.reason
         FROM ending, locked WHERE f.id = ending.id AND f.id = locked.id
       RETURNING f.id, f.client_id, f.principal_id, f.tenant_id, ending.place::int`,
    )
    const records = families.flatMap((family) => {
      const end = ends[family.place - 1]
      return end === undefined ? [] : [toAuditRecord(family, end)]
    })
    await recordEnd(tx, records)
  })
  return ends.map(() => undefined)
}

/** The families of a client that are revoked. */
export interface ClientFamilies extends RevocationCause {
  readonly clientId: string
  /** Only families with exactly these scopes; all by default. */
  readonly scope?: readonly string[]
}

/** Revokes families of one client, in the transaction that ends the client or its access. Returns how many. */
export function revokeClientFamilies(tx: Transaction, { clientId, scope, ...cause }: ClientFamilies): Promise<number> {
  const ofClient = sql`client_id = ${clientId}`
  return revokeFamilies(tx, scope === undefined ? ofClient : sql`${ofClient} AND ${isScopeSql(scope)}`, cause)
}

/** The families of an agent for purchases at one merchant, with the cause of their revocation. */
export interface MerchantFamilies extends RevocationCause {
  readonly principalId: string
  readonly clientId: string
  readonly audience: string
}

/** Revokes the families whose mandate at the merchant was issued without an approval and is not settled. */
export async function revokeUnaskedFamilies(
  tx: Transaction,
  { principalId, clientId, audience, ...cause }: MerchantFamilies,
): Promise<void> {
  const unasked = sql`id IN (
        SELECT d.family_id FROM active_mandates d
         WHERE d.principal_id = ${principalId} AND d.client_id = ${clientId} AND d.merchant_audience = ${audience}
           AND d.expires_at > ${cause.now}
           AND NOT EXISTS (SELECT 1 FROM approval_outcomes o WHERE o.mandate_id = d.id)
           AND NOT EXISTS (SELECT 1 FROM counted_settlements s WHERE s.mandate_id = d.id))`
  await revokeFamilies(tx, unasked, cause)
}

/** Revokes all families of a person, in the transaction that erases the person. Returns how many. */
export function revokeFamiliesOfPerson(
  tx: Transaction,
  { principalId, ...cause }: RevocationCause & { readonly principalId: string },
): Promise<number> {
  return revokeFamilies(tx, sql`principal_id = ${principalId}`, cause)
}

/** Revokes the families that meet the condition, locked in the order of {@link endFamily}. Returns how many. */
async function revokeFamilies(tx: Transaction, condition: Sql, cause: RevocationCause): Promise<number> {
  const families = await tx.query<FamilyRow>(
    sql`WITH locked AS (
       SELECT id FROM token_families WHERE revoked_at IS NULL AND ${condition} ORDER BY id FOR UPDATE)
     UPDATE token_families f SET revoked_at = ${cause.now}, revoked_reason = ${cause.reason} FROM locked WHERE f.id = locked.id
     RETURNING f.id, f.client_id, f.principal_id, f.tenant_id`,
  )
  await recordEnd(
    tx,
    families.map((family) => toAuditRecord(family, cause)),
  )
  return families.length
}

type EndRecord = AuditRecord & { readonly payload: { readonly family_id: string } }

function toAuditRecord(family: FamilyRow, { reason, actor, now }: RevocationCause): EndRecord {
  return {
    tenantId: family.tenant_id,
    principalId: family.principal_id,
    event: 'oid4ac.token.revoked',
    actor,
    payload: { family_id: family.id, agent_client_id: family.client_id, reason },
    now,
  }
}

/**
 * Revokes the mandates of the families and writes an audit entry for each family. The rows for which all others wait
 * come last and in a fixed order: the audit chains by tenant, then the published status list.
 */
async function recordEnd(tx: Transaction, records: readonly EndRecord[]): Promise<void> {
  const [first] = records
  if (first === undefined) return
  const ids = records.map(({ payload }) => payload.family_id)
  const listed = await revokeMandatesOfFamilies(tx, ids, first.now)
  await recordAudits(tx, records)
  if (listed) await moveStatusList(tx)
}
