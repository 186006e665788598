import type { Transaction } from '../../base/core/platform'
import { type Sql, sql } from '../../base/core/sql'

/**
 * Deletes the pushed requests and magic links of the person's agents. Call it before the agents are locked, because
 * issuing a code locks the request first.
 */
export async function eraseRequests(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM pushed_requests WHERE principal_id = ${principalId}`)
  await tx.query(sql`DELETE FROM magic_links WHERE principal_id = ${principalId}`)
}

/** Deletes the codes of the person's agents. Call it after the agents are locked: redeeming locks the agent first. */
export async function eraseCodes(tx: Transaction, { principalId }: { readonly principalId: string }): Promise<void> {
  await tx.query(sql`DELETE FROM authorization_codes WHERE principal_id = ${principalId}`)
}

/** An index leaves out what has expired, which is all but the newest rows. */
const isOpenSql = (now: Date): Sql => sql`expires_at > ${now}`

const isWaitingLinkSql = (now: Date): Sql => sql`consumed_at IS NULL AND ${isOpenSql(now)}`

const isOpenCodeSql = (now: Date): Sql => sql`redeemed_at IS NULL AND ${isOpenSql(now)}`

/**
 * Deletes the person's open magic links for purchases, of one agent or, without a client id, of all. Call it before an
 * agent is locked, as {@link eraseRequests}.
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

/** Deletes all open magic links of the person, because they went to a former address. */
export async function endMailedRequests(
  tx: Transaction,
  { principalId, now }: { readonly principalId: string; readonly now: Date },
): Promise<void> {
  await tx.query(sql`DELETE FROM magic_links WHERE principal_id = ${principalId} AND ${isWaitingLinkSql(now)}`)
}

/** Wallet access of one agent with exactly these scopes, in any order. */
interface AgentAccess {
  readonly clientId: string
  readonly scope: readonly string[]
  readonly now: Date
}

/** SQL condition: the column `scope` holds exactly these scopes, in any order. */
export const isScopeSql = (scope: readonly string[]): Sql => {
  const scopes = JSON.stringify(scope)
  return sql`scope @> ${scopes}::jsonb AND scope <@ ${scopes}::jsonb`
}

const isAccessSql = ({ clientId, scope }: AgentAccess): Sql =>
  sql`client_id = ${clientId} AND merchant_audience IS NULL AND ${isScopeSql(scope)}`

/**
 * Deletes the approved requests and magic links that could still give a code for wallet access. A request that waits
 * for the person stays. Call it before the agent is locked, as {@link eraseRequests}.
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

/** Deletes the unredeemed codes for wallet access. Call it after the agent is locked, as {@link eraseCodes}. */
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
 * Deletes the requests and magic links that could still give a code for a purchase without an approval. Call it before
 * the agent is locked, as {@link eraseRequests}.
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

/** Deletes the unredeemed codes for such purchases. Call it after the agent is locked, as {@link eraseCodes}. */
export async function endUnaskedCodes(tx: Transaction, { clientId, audience, now }: AgentPurchases): Promise<void> {
  await tx.query(
    sql`DELETE FROM authorization_codes
         WHERE client_id = ${clientId} AND merchant_audience = ${audience} AND authorization_id IS NULL
           AND ${isOpenCodeSql(now)}`,
  )
}
