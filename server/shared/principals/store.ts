import type { WalletActor } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { type Queryable } from '../../base/core/platform'
import { type Row, type StoredRows } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'

export type PrincipalRow = Row<
  'Principal',
  | 'id'
  | 'tenant_id'
  | 'email'
  | 'display_name'
  | 'approval_rule'
  | 'magic_link_gate'
  | 'erased'
  | 'processing_restricted'
  | 'marketing_objected'
  | 'processor_customer_id'
  | 'created_at',
  { approval_rule: 'every_purchase' | 'new_merchants' | 'above_limits' }
>

const columns = sql`id, tenant_id, email, display_name, approval_rule, magic_link_gate, erased, processing_restricted,
  marketing_objected, processor_customer_id, created_at`

export async function findPrincipal(db: Queryable, id: string): Promise<PrincipalRow | null> {
  const [row] = await db.query<PrincipalRow>(sql`SELECT ${columns} FROM principals WHERE id = ${id}`)
  return row ?? null
}

/** Builds the 404 not_found for an unknown principal. */
export const buildUnknownPrincipalError = () => new ServiceError('not_found', 'There is no such principal.')

/** Returns the principal; 404 when there is none. */
export async function requirePrincipal(db: Queryable, id: string): Promise<PrincipalRow> {
  const principal = await findPrincipal(db, id)
  if (principal === null) throw buildUnknownPrincipalError()
  return principal
}

/**
 * Returns the principal with this address; null when there is none or they were erased. Addresses are unique within a
 * tenant, regardless of case.
 */
export async function findPrincipalByEmail(
  db: Queryable,
  tenantId: string,
  email: string,
): Promise<PrincipalRow | null> {
  const [row] = await db.query<PrincipalRow>(
    sql`SELECT ${columns} FROM principals WHERE tenant_id = ${tenantId} AND lower(email) = lower(${email}) AND NOT erased`,
  )
  return row ?? null
}

/** Returns the principal; 404 when there is none or they were erased. */
export async function requireActivePrincipal(db: Queryable, id: string): Promise<PrincipalRow> {
  const principal = await requirePrincipal(db, id)
  if (principal.erased) throw buildUnknownPrincipalError()
  return principal
}

export interface NewPrincipal {
  readonly id: string
  readonly tenantId: string
  readonly email: string | null
  readonly displayName: string | null
  readonly approvalRule: PrincipalRow['approval_rule']
  readonly now: Date
}

/** Creates the principal unless the id is taken; returns the row that is stored now. */
export async function createPrincipal(db: Queryable, principal: NewPrincipal): Promise<PrincipalRow | null> {
  await db.query(
    sql`INSERT INTO principals (id, tenant_id, email, display_name, approval_rule, created_at)
     VALUES (${principal.id}, ${principal.tenantId}, ${principal.email}, ${principal.displayName}, ${principal.approvalRule}, ${principal.now}) ON CONFLICT (id) DO NOTHING`,
  )
  return findPrincipal(db, principal.id)
}

/** Saves the rule for when the person is asked to approve. The caller holds the person's lock. */
export async function saveApprovalRule(
  db: Queryable,
  principalId: string,
  rule: PrincipalRow['approval_rule'],
): Promise<void> {
  await db.query(sql`UPDATE principals SET approval_rule = ${rule} WHERE id = ${principalId}`)
}

/** Saves whether a purchase that needs no approval waits until the person confirms it by a mailed link. */
export async function saveMagicLinkGate(db: Queryable, principalId: string, enabled: boolean): Promise<void> {
  await db.query(sql`UPDATE principals SET magic_link_gate = ${enabled} WHERE id = ${principalId}`)
}

/**
 * Saves the person's address. The caller holds the person's lock. Throws when another person of the tenant has the
 * address (`principals_email`).
 */
export async function updateEmail(tx: Queryable, principalId: string, email: string): Promise<void> {
  await tx.query(sql`UPDATE principals SET email = ${email} WHERE id = ${principalId}`)
}

/** Saves whether the person's approvals need a passkey. Returns whether that changed. */
export async function savePasskeyRequirement(tx: Queryable, principalId: string, required: boolean): Promise<boolean> {
  const rows = await tx.query(
    sql`UPDATE principals SET passkey_required = ${required} WHERE id = ${principalId} AND passkey_required <> ${required} RETURNING id`,
  )
  return rows.length === 1
}

/**
 * Saves the processor's customer of the principal in place of `replaced`; of parallel calls the first one wins. Returns
 * the saved id.
 */
export async function keepProcessorCustomer(
  db: Queryable,
  { principalId, customerId, replaced = null }: { principalId: string; customerId: string; replaced?: string | null },
): Promise<string> {
  const [row] = await db.query<{ processor_customer_id: string }>(
    sql`UPDATE principals
        SET processor_customer_id = CASE WHEN processor_customer_id IS NOT DISTINCT FROM ${replaced}::text
                                         THEN ${customerId} ELSE processor_customer_id END
      WHERE id = ${principalId} RETURNING processor_customer_id`,
  )
  return row?.processor_customer_id ?? customerId
}

/**
 * Locks a person, so that one transaction at a time decides about their money and rules. Foreign-key checks on the row
 * do not wait.
 */
export async function lockPrincipal(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(sql`SELECT 1 FROM principals WHERE id = ${principalId} FOR NO KEY UPDATE`)
}

/**
 * Locks the acting person, as {@link lockPrincipal}. 401 invalid_token when they were erased while the request waited,
 * since data saved now would never be erased.
 */
export async function lockActivePrincipal(tx: Queryable, principalId: string): Promise<void> {
  if (!(await lockIfActive(tx, principalId))) throw buildEndedTokenError()
}

/**
 * Locks the acting person as {@link lockActivePrincipal}. 401 invalid_token also when the token in use was revoked
 * while the request waited.
 */
export async function lockActor(tx: Queryable, actor: WalletActor): Promise<void> {
  await lockActivePrincipal(tx, actor.principalId)
  if (actor.via === 'token' && !(await actor.token.isActive(tx))) throw buildEndedTokenError()
}

const buildEndedTokenError = () => new ServiceError('invalid_token', 'The session or access token has ended.')

/** Locks the person, as {@link lockPrincipal}. Returns whether they exist and were not erased. */
export async function lockIfActive(tx: Queryable, principalId: string): Promise<boolean> {
  const [row] = await tx.query<Row<'Principal', 'erased'>>(
    sql`SELECT erased FROM principals WHERE id = ${principalId} FOR NO KEY UPDATE`,
  )
  return row?.erased === false
}

/**
 * Locks a person and waits for the tokens that are being issued to their agents: the issuer of a token holds the row's
 * key share until it is done, and reads the row again when it had to wait.
 */
export async function lockPrincipalExclusively(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(sql`SELECT 1 FROM principals WHERE id = ${principalId} FOR UPDATE`)
}

/**
 * Saves whether processing of the person's data is restricted. The caller holds the person's lock; to restrict,
 * exclusively.
 */
export async function updateProcessingRestricted(
  tx: Queryable,
  principalId: string,
  restricted: boolean,
): Promise<void> {
  await tx.query(sql`UPDATE principals SET processing_restricted = ${restricted} WHERE id = ${principalId}`)
}

/** Records the person's objection to marketing. */
export async function objectToMarketing(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(sql`UPDATE principals SET marketing_objected = true WHERE id = ${principalId}`)
}

/** Saves the person's name. The caller holds the person's lock. */
export async function updateDisplayName(tx: Queryable, principalId: string, name: string | null): Promise<void> {
  await tx.query(sql`UPDATE principals SET display_name = ${name} WHERE id = ${principalId}`)
}

/** Returns since when the person's spending is frozen; null while it is not. */
export async function findFrozenAt(db: Queryable, principalId: string): Promise<Date | null> {
  const [row] = await db.query<Row<'Principal', 'frozen_at'>>(
    sql`SELECT frozen_at FROM principals WHERE id = ${principalId}`,
  )
  return row?.frozen_at ?? null
}

/** Saves since when spending is frozen; null ends the freeze. The caller holds the person's lock. */
export async function updateFrozenAt(tx: Queryable, principalId: string, since: Date | null): Promise<void> {
  await tx.query(sql`UPDATE principals SET frozen_at = ${since}::timestamptz WHERE id = ${principalId}`)
}

/** Returns when the person left the initial set-up; null when they never did. */
export async function findSetupLeftAt(db: Queryable, principalId: string): Promise<Date | null> {
  const [row] = await db.query<Row<'Principal', 'setup_left_at'>>(
    sql`SELECT setup_left_at FROM principals WHERE id = ${principalId}`,
  )
  return row?.setup_left_at ?? null
}

/** Saves when the person left the initial set-up, once; saves nothing for an erased person. */
export async function keepSetupLeft(db: Queryable, principalId: string, at: Date): Promise<void> {
  await db.query(
    sql`UPDATE principals SET setup_left_at = ${at} WHERE id = ${principalId} AND setup_left_at IS NULL AND NOT erased`,
  )
}

/** Saves whether only merchants on the person's list may be paid. */
export async function updateOnlyListedMerchants(
  tx: Queryable,
  principalId: string,
  onlyListed: boolean,
): Promise<void> {
  await tx.query(sql`UPDATE principals SET only_listed_merchants = ${onlyListed} WHERE id = ${principalId}`)
}

/**
 * SQL expression: a text that changes whenever the person's address or rules for all agents change; part of the
 * portal's revision.
 */
export const principalRevisionSql = (principalId: string): Sql =>
  sql`(SELECT (approval_rule, magic_link_gate, only_listed_merchants, frozen_at, email, display_name,
    processing_restricted, marketing_objected)::text FROM principals WHERE id = ${principalId})`

/** Returns the settings that a person has chosen for all their agents, for their access request (GDPR Article 15). */
export async function readStoredSettings(db: Queryable, principalId: string): Promise<StoredRows[number]> {
  const [row] = await db.query<StoredRows[number]>(
    sql`SELECT approval_rule, magic_link_gate, only_listed_merchants, frozen_at, passkey_required, processor_customer_id,
              setup_left_at
       FROM principals WHERE id = ${principalId}`,
  )
  return row ?? {}
}
