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

/** An index leaves out what has expired, which is all but the newest rows. */
const isOpenSql = (now: Date): Sql => sql`expires_at > ${now}`

const isWaitingLinkSql = (now: Date): Sql => sql`consumed_at IS NULL AND ${isOpenSql(now)}`

const isOpenCodeSql = (now: Date): Sql => sql`redeemed_at IS NULL AND ${isOpenSql(now)}`

/**
 * Deletes the mailed links that wait for the person to confirm a purchase, of one agent or, without a client id, of all.
 * Before an agent is locked, as {@link eraseRequests}.
 */
export async function endPurchaseLinks(
  tx: Transaction,
  {
    principalId,
    clientId,
    now,
  }: { readonly principalId: string; readonly clientId: string | null; readonly now: Date },
): Promise<void> {
  await tx.query(
    sql`DELETE FROM magic_links
         WHERE principal_id = ${principalId} AND (${clientId}::text IS NULL OR client_id = ${clientId})
           AND merchant_audience IS NOT NULL AND ${isWaitingLinkSql(now)}`,
  )
}

/** Deletes the mailed links that wait for the person to confirm anything, since they went to an address that is not theirs now. */
export async function endMailedRequests(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  await tx.query(sql`DELETE FROM magic_links WHERE principal_id = ${principalId} AND ${isWaitingLinkSql(now)}`)
}

/** Wallet access of one agent: exactly these scopes, in any order. */
interface AgentAccess {
  readonly clientId: string
  readonly scope: readonly string[]
  readonly now: Date
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
    sql`DELETE FROM pushed_requests WHERE ${isAccessSql(access)} AND ${isOpenSql(access.now)}
        AND (decision = 'approved'
             OR (SELECT o.status FROM approval_outcomes o
                  WHERE o.authorization_id = pushed_requests.authorization_id) = 'approved')`,
  )
  await tx.query(sql`DELETE FROM magic_links WHERE ${isAccessSql(access)} AND ${isWaitingLinkSql(access.now)}`)
}

/** Deletes the codes for wallet access that were not redeemed, once the agent is locked, as {@link eraseCodes}. */
export async function endAccessCodes(tx: Transaction, access: AgentAccess): Promise<void> {
  await tx.query(sql`DELETE FROM authorization_codes WHERE ${isAccessSql(access)} AND ${isOpenCodeSql(access.now)}`)
}

/** An agent's purchases at one merchant. */
interface AgentPurchases {
  readonly clientId: string
  readonly audience: string
  readonly now: Date
}

/**
 * Deletes what could still become a code for a purchase that nobody was asked about: approved requests and mailed links
 * that confirm one. Before the agent is locked, as {@link eraseRequests}.
 */
export async function endUnaskedRequests(tx: Transaction, { clientId, audience, now }: AgentPurchases): Promise<void> {
  await tx.query(
    sql`DELETE FROM pushed_requests
         WHERE client_id = ${clientId} AND merchant_audience = ${audience} AND decision = 'approved'
           AND ${isOpenSql(now)}`,
  )
  await tx.query(
    sql`DELETE FROM magic_links
         WHERE client_id = ${clientId} AND merchant_audience = ${audience} AND ${isWaitingLinkSql(now)}`,
  )
}

/** Deletes the codes for such purchases that were not redeemed, once the agent is locked, as {@link eraseCodes}. */
export async function endUnaskedCodes(tx: Transaction, { clientId, audience, now }: AgentPurchases): Promise<void> {
  await tx.query(
    sql`DELETE FROM authorization_codes
         WHERE client_id = ${clientId} AND merchant_audience = ${audience} AND authorization_id IS NULL
           AND ${isOpenCodeSql(now)}`,
  )
}
