import { ServiceError } from '../core/errors'
import type { Queryable } from '../core/platform'

export interface PrincipalRow {
  id: string
  tenant_id: string
  email: string | null
  display_name: string | null
  approval_rule: 'every_purchase' | 'new_merchants' | 'above_limits'
  magic_link_gate: boolean
  erased: boolean
  processing_restricted: boolean
  marketing_objected: boolean
  processor_customer_id: string | null
  created_at: Date
}

const columns = `id, tenant_id, email, display_name, approval_rule, magic_link_gate, erased, processing_restricted,
  marketing_objected, processor_customer_id, created_at`

export async function findPrincipal(db: Queryable, id: string): Promise<PrincipalRow | null> {
  const [row] = await db.query<PrincipalRow>(`SELECT ${columns} FROM principals WHERE id = $1`, [id])
  return row ?? null
}

/** The principal; 404 when there is none. */
export async function requirePrincipal(db: Queryable, id: string): Promise<PrincipalRow> {
  const principal = await findPrincipal(db, id)
  if (principal === null) throw new ServiceError('not_found', 'There is no such principal.')
  return principal
}

/** E-mail addresses are unique within a tenant, whatever their case. */
export async function findPrincipalByEmail(
  db: Queryable,
  tenantId: string,
  email: string,
): Promise<PrincipalRow | null> {
  const [row] = await db.query<PrincipalRow>(
    `SELECT ${columns} FROM principals WHERE tenant_id = $1 AND lower(email) = lower($2) AND NOT erased`,
    [tenantId, email],
  )
  return row ?? null
}

export interface NewPrincipal {
  readonly id: string
  readonly tenantId: string
  readonly email: string | null
  readonly displayName: string | null
  readonly approvalRule: PrincipalRow['approval_rule']
  readonly now: Date
}

/** Creates the principal unless the id is taken; returns the row that now stands. */
export async function createPrincipal(db: Queryable, principal: NewPrincipal): Promise<PrincipalRow | null> {
  await db.query(
    `INSERT INTO principals (id, tenant_id, email, display_name, approval_rule, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
    [principal.id, principal.tenantId, principal.email, principal.displayName, principal.approvalRule, principal.now],
  )
  return findPrincipal(db, principal.id)
}

export async function saveApprovalRule(
  db: Queryable,
  principalId: string,
  rule: PrincipalRow['approval_rule'],
): Promise<void> {
  await db.query('UPDATE principals SET approval_rule = $2 WHERE id = $1', [principalId, rule])
}

export async function saveMagicLinkGate(db: Queryable, principalId: string, enabled: boolean): Promise<void> {
  await db.query('UPDATE principals SET magic_link_gate = $2 WHERE id = $1', [principalId, enabled])
}

/** Keeps the processor's customer for the principal; the first one stands. Returns the one that stands. */
export async function keepProcessorCustomer(db: Queryable, principalId: string, customerId: string): Promise<string> {
  const [row] = await db.query<{ processor_customer_id: string }>(
    `UPDATE principals SET processor_customer_id = coalesce(processor_customer_id, $2) WHERE id = $1
     RETURNING processor_customer_id`,
    [principalId, customerId],
  )
  return row?.processor_customer_id ?? customerId
}

/** Lets one transaction at a time decide about a person's money and rules. Foreign-key checks on the row still pass. */
export async function lockPrincipal(tx: Queryable, principalId: string): Promise<void> {
  await tx.query('SELECT 1 FROM principals WHERE id = $1 FOR NO KEY UPDATE', [principalId])
}
