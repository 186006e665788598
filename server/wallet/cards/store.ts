import type { Database, Queryable } from '../../base/core/platform'
import { type Row, rowOf } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'

/** A saved card that may be charged off-session. */
export type CardMandate = Row<
  'CardMandate',
  'id' | 'principal_id' | 'brand' | 'last4' | 'exp_month' | 'exp_year' | 'is_default' | 'created_at' | 'agent_client_id'
>

/** Returns the person's cards, the default one first, then the newest. */
export async function listActiveCards(db: Database, principalId: string): Promise<CardMandate[]> {
  const rows = await db.prisma.cardMandate.findMany({
    where: { principal_id: principalId, status: 'active' },
    select: {
      id: true,
      principal_id: true,
      brand: true,
      last4: true,
      exp_month: true,
      exp_year: true,
      is_default: true,
      created_at: true,
      agent_client_id: true,
    },
    orderBy: [{ is_default: 'desc' }, { created_at: 'desc' }, { id: 'asc' }],
  })
  return rows.map((row) => rowOf<CardMandate>(row))
}

/**
 * Locks an active person, as every change of their cards does; returns their tenant, or null when there is no such
 * person.
 */
export async function lockPrincipalWithTenant(
  tx: Queryable,
  principalId: string,
): Promise<{ tenantId: string } | null> {
  const [row] = await tx.query<Row<'Principal', 'tenant_id'>>(
    sql`SELECT tenant_id FROM active_principals WHERE id = ${principalId} FOR NO KEY UPDATE`,
  )
  return row === undefined ? null : { tenantId: row.tenant_id }
}

export interface NewCardMandate {
  readonly id: string
  readonly principalId: string
  readonly setupIntentId: string
  readonly customerId: string
  readonly paymentMethodId: string
  readonly brand: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly now: Date
}

/**
 * Inserts the card unless its setup intent has one already; the first card becomes the default. The caller holds the
 * person's lock. Returns whether it was inserted.
 */
export async function insertCardMandate(tx: Queryable, card: NewCardMandate): Promise<boolean> {
  const rows = await tx.query(
    sql`INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4, exp_month,
                                exp_year, created_at, is_default)
     SELECT ${card.id}, ${card.principalId}, ${card.setupIntentId}, ${card.customerId}, ${card.paymentMethodId}, ${card.brand}, ${card.last4}, ${card.expMonth}::int, ${card.expYear}::int, ${card.now},
            NOT EXISTS (SELECT 1 FROM card_mandates WHERE principal_id = ${card.principalId} AND is_default AND status = 'active')
     ON CONFLICT (setup_intent_id) DO NOTHING RETURNING id`,
  )
  return rows.length === 1
}

/**
 * Makes one active card of the person the default; one that is bound to an agent cannot become it. The caller holds the
 * person's lock.
 */
export async function moveDefault(
  tx: Queryable,
  principalId: string,
  cardId: string,
): Promise<'moved' | 'same' | 'bound' | 'unknown'> {
  const [target] = await tx.query<Row<'CardMandate', 'is_default' | 'agent_client_id'>>(
    sql`SELECT is_default, agent_client_id FROM card_mandates WHERE id = ${cardId} AND principal_id = ${principalId} AND status = 'active'`,
  )
  if (target === undefined) return 'unknown'
  if (target.is_default) return 'same'
  if (target.agent_client_id !== null) return 'bound'
  // Two statements, because the unique key on the default is checked row by row.
  await tx.query(
    sql`UPDATE card_mandates SET is_default = false WHERE principal_id = ${principalId} AND is_default AND id <> ${cardId} AND status = 'active'`,
  )
  await tx.query(sql`UPDATE card_mandates SET is_default = true WHERE id = ${cardId}`)
  return 'moved'
}

/**
 * Marks an active card of the person as removed. It stays bound to its agent, which pays with no other until the person
 * chooses one. The caller holds the person's lock.
 */
export async function markRemoved(
  tx: Queryable,
  principalId: string,
  cardId: string,
): Promise<{ wasDefault: boolean; clientId: string | null } | null> {
  const [row] = await tx.query<{ was_default: boolean; client_id: string | null }>(
    sql`UPDATE card_mandates AS c SET status = 'removed', is_default = false
       FROM (SELECT id, is_default FROM card_mandates WHERE id = ${cardId} AND principal_id = ${principalId} AND status = 'active') before
      WHERE c.id = before.id RETURNING before.is_default AS was_default, c.agent_client_id AS client_id`,
  )
  return row === undefined ? null : { wasDefault: row.was_default, clientId: row.client_id }
}

const isExpiredSql = (now: Date): Sql =>
  sql`((exp_year, exp_month) < (${now.getUTCFullYear()}::int, ${now.getUTCMonth() + 1}::int))`

/**
 * Returns whether the person's default card has expired and this other card has not. The caller holds the person's
 * lock.
 */
export async function outlivesDefault(
  tx: Queryable,
  { principalId, cardId, now }: { readonly principalId: string; readonly cardId: string; readonly now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    sql`SELECT 1 FROM card_mandates WHERE principal_id = ${principalId} AND is_default AND status = 'active' AND ${isExpiredSql(now)}
        AND EXISTS (SELECT 1 FROM card_mandates WHERE id = ${cardId} AND NOT ${isExpiredSql(now)})`,
  )
  return rows.length > 0
}

/** Returns a removed card, and whether a settlement with it is still in progress. */
export async function findRemovedCard(
  db: Queryable,
  cardId: string,
): Promise<{ paymentMethodId: string; isInUse: boolean } | null> {
  const [row] = await db.query<Row<'CardMandate', 'payment_method_id'> & { is_in_use: boolean }>(
    sql`SELECT c.payment_method_id,
            EXISTS (SELECT 1 FROM open_settlements s
                     WHERE s.principal_id = c.principal_id AND s.card_id = c.id) AS is_in_use
       FROM card_mandates c WHERE c.id = ${cardId} AND c.status = 'removed'`,
  )
  return row === undefined ? null : { paymentMethodId: row.payment_method_id, isInUse: row.is_in_use }
}

/** SQL FROM item: all cards, removed ones included, since a payment keeps the card that it charged. */
export const savedCardsSql: Sql = sql`(SELECT id, customer_id, payment_method_id, brand, last4 FROM card_mandates)`

/** Returns the id of the card that was saved for a setup intent; null when there is none. */
export async function findCardOfIntent(db: Database, setupIntentId: string): Promise<string | null> {
  const card = await db.prisma.cardMandate.findUnique({
    where: { setup_intent_id: setupIntentId },
    select: { id: true },
  })
  return card?.id ?? null
}

/** Returns whether the person has or ever had a card. */
export async function hasEverHadCard(db: Database, principalId: string): Promise<boolean> {
  return (
    (await db.prisma.cardMandate.findFirst({ where: { principal_id: principalId }, select: { id: true } })) !== null
  )
}

/** SQL expression: a text that changes whenever the person's cards change; part of the portal's revision. */
export const cardsRevisionSql = (principalId: string): Sql =>
  sql`(SELECT string_agg(concat(id, is_default, status, agent_client_id), ',' ORDER BY id) FROM card_mandates WHERE principal_id = ${principalId})`
