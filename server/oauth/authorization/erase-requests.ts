import type { Transaction } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

/**
 * Deletes what the person's agents asked for: pushed requests and mailed links that confirm one. Before the agents are
 * locked: what turns a request into a code locks the request first.
 */
export async function eraseRequests(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM pushed_requests WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM magic_links WHERE principal_id = ${principalId}`)
}

/** Deletes the codes of the person's agents, once the agents are locked: what redeems one locks the agent first. */
export async function eraseCodes(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM authorization_codes WHERE principal_id = ${principalId}`)
}

/**
 * Deletes the mailed links that wait for the person to confirm a purchase, of one agent or, without a client id, of all.
 * Before an agent is locked, as {@link eraseRequests}.
 */
export async function endPurchaseLinks(
  tx: Transaction,
  { principalId, clientId }: { readonly principalId: string; readonly clientId: string | null },
): Promise<void> {
  await tx.query(
    sql`DELETE FROM magic_links
         WHERE principal_id = ${principalId} AND (${clientId}::text IS NULL OR client_id = ${clientId})
           AND merchant_audience IS NOT NULL AND consumed_at IS NULL`,
  )
}

/** Deletes the mailed links that wait for the person to confirm anything, since they went to an address that is not theirs now. */
export async function endMailedRequests(
  tx: Transaction,
  { principalId }: { readonly principalId: string },
): Promise<void> {
  await tx.query(sql`DELETE FROM magic_links WHERE principal_id = ${principalId} AND consumed_at IS NULL`)
}

/** Wallet access of one agent: exactly these scopes, in any order. */
interface AgentAccess {
  readonly clientId: string
  readonly scope: readonly string[]
}

const isAccessSql = ({ clientId, scope }: AgentAccess): Sql =>
  sql`client_id = ${clientId} AND merchant_audience IS NULL
      AND scope @> ${JSON.stringify(scope)}::jsonb AND scope <@ ${JSON.stringify(scope)}::jsonb`

/**
 * Deletes what could still become a code for wallet access: approved requests and mailed links that confirm one. A
 * request that waits for the person stays. Before the agent is locked, as {@link eraseRequests}.
 */
export async function endAccessRequests(tx: Transaction, access: AgentAccess): Promise<void> {
  await tx.query(
    sql`DELETE FROM pushed_requests WHERE ${isAccessSql(access)}
        AND (decision = 'approved'
             OR authorization_id IN (SELECT o.authorization_id FROM approval_outcomes o WHERE o.status = 'approved'))`,
  )
  await tx.query(sql`DELETE FROM magic_links WHERE ${isAccessSql(access)} AND consumed_at IS NULL`)
}

/** Deletes the codes for wallet access that were not redeemed, once the agent is locked, as {@link eraseCodes}. */
export async function endAccessCodes(tx: Transaction, access: AgentAccess): Promise<void> {
  await tx.query(sql`DELETE FROM authorization_codes WHERE ${isAccessSql(access)} AND redeemed_at IS NULL`)
}

/** An agent's purchases at one merchant. */
interface AgentPurchases {
  readonly clientId: string
  readonly audience: string
}

/**
 * Deletes what could still become a code for a purchase that nobody was asked about: approved requests and mailed links
 * that confirm one. Before the agent is locked, as {@link eraseRequests}.
 */
export async function endUnaskedRequests(tx: Transaction, { clientId, audience }: AgentPurchases): Promise<void> {
  await tx.query(
    sql`DELETE FROM pushed_requests
         WHERE client_id = ${clientId} AND merchant_audience = ${audience} AND decision = 'approved'`,
  )
  await tx.query(
    sql`DELETE FROM magic_links
         WHERE client_id = ${clientId} AND merchant_audience = ${audience} AND consumed_at IS NULL`,
  )
}

/** Deletes the codes for such purchases that were not redeemed, once the agent is locked, as {@link eraseCodes}. */
export async function endUnaskedCodes(tx: Transaction, { clientId, audience }: AgentPurchases): Promise<void> {
  await tx.query(
    sql`DELETE FROM authorization_codes
         WHERE client_id = ${clientId} AND merchant_audience = ${audience} AND authorization_id IS NULL
           AND redeemed_at IS NULL`,
  )
}
