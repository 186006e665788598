import type { Queryable, Transaction } from '../../base/core/platform'
import type { Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'

interface AgentCardChoice {
  readonly principalId: string
  readonly clientId: string
  readonly cardId: string
}

/** Returns whether this agent is the person's and not revoked. */
export async function isActiveAgent(
  tx: Queryable,
  { principalId, clientId }: Pick<AgentCardChoice, 'principalId' | 'clientId'>,
): Promise<boolean> {
  const rows = await tx.query(
    sql`SELECT 1 FROM agents WHERE id = ${clientId} AND principal_id = ${principalId} AND revoked_at IS NULL`,
  )
  return rows.length === 1
}

/**
 * Returns whether an active card of the person is the default and which agent it is bound to; null when there is no
 * such card. The caller holds the person's lock.
 */
export async function findCardUse(
  tx: Transaction,
  { principalId, cardId }: Pick<AgentCardChoice, 'principalId' | 'cardId'>,
): Promise<Row<'CardMandate', 'is_default' | 'agent_client_id'> | null> {
  const [row] = await tx.query<Row<'CardMandate', 'is_default' | 'agent_client_id'>>(
    sql`SELECT is_default, agent_client_id FROM card_mandates
      WHERE id = ${cardId} AND principal_id = ${principalId} AND status = 'active'`,
  )
  return row ?? null
}

/**
 * Binds an unbound card of the person to the agent, which has no card of its own. The caller holds the person's lock.
 */
export async function bindCard(tx: Transaction, { principalId, clientId, cardId }: AgentCardChoice): Promise<void> {
  await tx.query(
    sql`UPDATE card_mandates SET agent_client_id = ${clientId}
      WHERE id = ${cardId} AND principal_id = ${principalId} AND status = 'active' AND agent_client_id IS NULL AND NOT is_default`,
  )
}

/**
 * Releases the card that is or was bound to the agent, a removed one included; returns it, or null when there is none.
 * The caller holds the person's lock.
 */
export async function releaseCardOf(
  tx: Transaction,
  clientId: string,
): Promise<Row<'CardMandate', 'id' | 'status'> | null> {
  const [row] = await tx.query<Row<'CardMandate', 'id' | 'status'>>(
    sql`UPDATE card_mandates SET agent_client_id = NULL WHERE agent_client_id = ${clientId} RETURNING id, status`,
  )
  return row ?? null
}

interface PayingCard {
  /** The agent's own card, or the default; null when there is none. */
  readonly cardId: string | null
  /** Whether the agent's own card was removed, and no other was chosen for it. */
  readonly isOwnRemoved: boolean
}

/** Returns the card that an agent pays with, as every charge of it reads it. */
export async function findPayingCard(
  db: Queryable,
  { principalId, clientId }: Pick<AgentCardChoice, 'principalId' | 'clientId'>,
): Promise<PayingCard> {
  const [row] = await db.query<{ card_id: string | null; own_removed: boolean }>(
    sql`SELECT ${agentCardSql({ principalId: sql`${principalId}`, clientId: sql`${clientId}` })} AS card_id,
            ${isOwnCardRemovedSql({ principalId: sql`${principalId}`, clientId: sql`${clientId}` })} AS own_removed`,
  )
  return { cardId: row?.card_id ?? null, isOwnRemoved: row?.own_removed === true }
}

/**
 * SQL expression: the card that an agent pays with, its own or the default; NULL when there is none, and when its own
 * was removed.
 */
export const agentCardSql = ({ principalId, clientId }: { readonly principalId: Sql; readonly clientId: Sql }): Sql =>
  sql`(SELECT k.id FROM chargeable_cards k
        WHERE k.principal_id = ${principalId} AND (k.agent_client_id = ${clientId} OR k.is_default)
        ORDER BY k.is_default LIMIT 1)`

/** SQL condition: the agent's own card was removed, and no other was chosen for it. */
export const isOwnCardRemovedSql = ({
  principalId,
  clientId,
}: {
  readonly principalId: Sql
  readonly clientId: Sql
}): Sql =>
  sql`EXISTS (SELECT 1 FROM card_mandates WHERE principal_id = ${principalId} AND agent_client_id = ${clientId}
                 AND status = 'removed')`

/** The reason for an agent whose own card was removed. */
export const OWN_CARD_REMOVED =
  'The card of this agent was removed. The person has to choose another card for it, or the default.'
