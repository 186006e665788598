import type { Queryable } from '../core/platform'

/** A saved card that may be charged off-session. */
export interface CardMandate {
  readonly id: string
  readonly principal_id: string
  readonly brand: string
  readonly last4: string
  readonly exp_month: number
  readonly exp_year: number
  readonly is_default: boolean
  readonly created_at: Date
}

export async function findActiveCards(db: Queryable, principalId: string): Promise<CardMandate[]> {
  return db.query<CardMandate>(
    `SELECT id, principal_id, brand, last4, exp_month, exp_year, is_default, created_at FROM card_mandates
      WHERE principal_id = $1 AND status = 'active' ORDER BY is_default DESC, created_at DESC, id`,
    [principalId],
  )
}

/** Lets one transaction at a time change a person's cards; returns the person's tenant, or null when nobody is there. */
export async function lockOwner(tx: Queryable, principalId: string): Promise<{ tenantId: string } | null> {
  const [row] = await tx.query<{ tenant_id: string }>(
    'SELECT tenant_id FROM principals WHERE id = $1 AND NOT erased FOR NO KEY UPDATE',
    [principalId],
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

/** Saves the card unless its setup intent has one already; the first card becomes the default. Needs the owner's lock. */
export async function insertCardMandate(tx: Queryable, card: NewCardMandate): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO card_mandates (id, principal_id, setup_intent_id, customer_id, payment_method_id, brand, last4, exp_month,
                                exp_year, created_at, is_default)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8::int, $9::int, $10,
            NOT EXISTS (SELECT 1 FROM card_mandates WHERE principal_id = $2 AND is_default AND status = 'active')
     ON CONFLICT (setup_intent_id) DO NOTHING RETURNING id`,
    [
      card.id,
      card.principalId,
      card.setupIntentId,
      card.customerId,
      card.paymentMethodId,
      card.brand,
      card.last4,
      card.expMonth,
      card.expYear,
      card.now,
    ],
  )
  return rows.length === 1
}

/** Makes one active card of the person the default. False when it is not theirs. Needs the owner's lock. */
export async function moveDefault(tx: Queryable, principalId: string, cardId: string): Promise<boolean> {
  const [target] = await tx.query(
    `SELECT 1 FROM card_mandates WHERE id = $1 AND principal_id = $2 AND status = 'active'`,
    [cardId, principalId],
  )
  if (target === undefined) return false
  // Two statements, because the unique key on the default is checked row by row.
  await tx.query(
    `UPDATE card_mandates SET is_default = false WHERE principal_id = $1 AND is_default AND id <> $2 AND status = 'active'`,
    [principalId, cardId],
  )
  await tx.query('UPDATE card_mandates SET is_default = true WHERE id = $1', [cardId])
  return true
}

/** Takes an active card of the person away. Needs the owner's lock. */
export async function markRemoved(
  tx: Queryable,
  principalId: string,
  cardId: string,
): Promise<{ wasDefault: boolean } | null> {
  const [row] = await tx.query<{ was_default: boolean }>(
    `UPDATE card_mandates AS c SET status = 'removed', is_default = false
       FROM (SELECT id, is_default FROM card_mandates WHERE id = $1 AND principal_id = $2 AND status = 'active') before
      WHERE c.id = before.id RETURNING before.is_default AS was_default`,
    [cardId, principalId],
  )
  return row === undefined ? null : { wasDefault: row.was_default }
}

/** Makes the newest active card the default, if there is one. */
export async function promoteNewest(tx: Queryable, principalId: string): Promise<void> {
  await tx.query(
    `UPDATE card_mandates SET is_default = true
      WHERE id = (SELECT id FROM card_mandates WHERE principal_id = $1 AND status = 'active' ORDER BY created_at DESC, id LIMIT 1)`,
    [principalId],
  )
}

/** A card that was removed, and whether a settlement with it is still under way. */
export async function findRemovedCard(
  db: Queryable,
  cardId: string,
): Promise<{ paymentMethodId: string; isInUse: boolean } | null> {
  const [row] = await db.query<{ payment_method_id: string; is_in_use: boolean }>(
    `SELECT c.payment_method_id,
            EXISTS (SELECT 1 FROM settlements s
                     WHERE s.principal_id = c.principal_id AND s.card_id = c.id
                       AND s.state IN ('reserved', 'submitting', 'requires_action', 'unknown')) AS is_in_use
       FROM card_mandates c WHERE c.id = $1 AND c.status = 'removed'`,
    [cardId],
  )
  return row === undefined ? null : { paymentMethodId: row.payment_method_id, isInUse: row.is_in_use }
}
