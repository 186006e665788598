import type { LineItem } from '../../base/contract/wire'
import type { Database, Queryable } from '../../base/core/platform'
import { type Row } from '../../base/core/rows'
import { type Sql, sql } from '../../base/core/sql'
import { savedCardsSql } from '../../wallet/cards'
import { isListedSql } from '../../wallet/merchants'
import type { PaymentStatus } from './contract'
import { matchesSql, type PaymentFilter } from './filter-sql'

/** A charge that succeeded; the amount is in minor units. */
export interface Payment {
  readonly paymentIntentId: string
  readonly settlementId: string
  readonly principalId: string
  readonly tenantId: string
  readonly clientId: string
  readonly mandateId: string
  readonly merchantAudience: string
  readonly amountMinor: number
  readonly currency: string
  readonly status: PaymentStatus
  readonly processedAt: Date
  readonly receiptJws: string
}

/** A payment with the names under which the person knows the agent and the merchant. */
export interface NamedPayment extends Payment {
  readonly agentName: string
  readonly merchantName: string | null
}

type PaymentRow = Row<
  'Payment',
  | 'payment_intent_id'
  | 'settlement_id'
  | 'principal_id'
  | 'tenant_id'
  | 'client_id'
  | 'mandate_id'
  | 'merchant_audience'
  | 'amount_minor'
  | 'currency'
  | 'status'
  | 'processed_at'
  | 'receipt_jws',
  { status: PaymentStatus }
>

type NamedRow = PaymentRow & { agent_name: string; merchant_name: string | null }

const paymentColumns = sql`p.payment_intent_id, p.settlement_id, p.principal_id, p.tenant_id, p.client_id, p.mandate_id,
  p.merchant_audience, p.amount_minor, p.currency, p.status, p.processed_at, p.receipt_jws`

function toPayment(row: PaymentRow): Payment {
  return {
    paymentIntentId: row.payment_intent_id,
    settlementId: row.settlement_id,
    principalId: row.principal_id,
    tenantId: row.tenant_id,
    clientId: row.client_id,
    mandateId: row.mandate_id,
    merchantAudience: row.merchant_audience,
    amountMinor: row.amount_minor,
    currency: row.currency,
    status: row.status,
    processedAt: row.processed_at,
    receiptJws: row.receipt_jws,
  }
}

function toNamed(row: NamedRow): NamedPayment {
  return { ...toPayment(row), agentName: row.agent_name, merchantName: row.merchant_name }
}

interface PaidSettlement {
  /** SQL that selects the settlement that succeeds in the same statement, with its payment intent. */
  readonly settlement: Sql
  /** Null for a settlement that failed; no payment is inserted then. */
  readonly receiptJws: string | null
  readonly settledAt: Date
}

/** SQL that inserts the payment of a settlement that succeeded, in the statement that writes the outcome. */
export const insertPaymentSql = ({ settlement, receiptJws, settledAt }: PaidSettlement): Sql =>
  sql`INSERT INTO payments (payment_intent_id, settlement_id, principal_id, tenant_id, client_id, mandate_id,
                         merchant_audience, amount_minor, currency, status, processed_at, receipt_jws)
     SELECT payment_intent_id, id, principal_id, tenant_id, client_id, mandate_id, merchant_audience, amount_minor, currency,
            'succeeded', ${settledAt}::timestamptz, ${receiptJws}::text
       FROM ${settlement} WHERE ${receiptJws}::text IS NOT NULL`

export interface PageBefore {
  readonly processedAt: Date
  readonly paymentIntentId: string
}

/**
 * SQL condition: the payment `p` comes after `before` in the list. The first comparison alone lets an index be used.
 */
const isBehindSql = ({ processedAt, paymentIntentId }: PageBefore) =>
  sql`AND p.processed_at <= ${processedAt} AND (p.processed_at < ${processedAt} OR p.payment_intent_id > ${paymentIntentId})`

/** Returns a person's payments, newest first. */
export async function listPaymentRows(
  db: Queryable,
  principalId: string,
  { filter, before, limit }: { filter: PaymentFilter; before: PageBefore | null; limit: number },
): Promise<NamedPayment[]> {
  const rows = await db.query<NamedRow>(
    sql`SELECT ${paymentColumns}, c.shown_name AS agent_name, m.business_name AS merchant_name
       FROM payments p JOIN agents c ON c.id = p.client_id LEFT JOIN merchant_profiles m ON m.merchant_audience = p.merchant_audience
      WHERE ${matchesSql(principalId, filter)} ${before === null ? sql`` : isBehindSql(before)}
      ORDER BY p.processed_at DESC, p.payment_intent_id LIMIT ${limit}::int`,
  )
  return rows.map(toNamed)
}

/** Returns a person's newest payments whose dispute is open. */
export async function listDisputedRows(db: Queryable, principalId: string, limit: number): Promise<NamedPayment[]> {
  const rows = await db.query<NamedRow>(
    sql`SELECT ${paymentColumns}, c.shown_name AS agent_name, m.business_name AS merchant_name
       FROM payments p JOIN agents c ON c.id = p.client_id LEFT JOIN merchant_profiles m ON m.merchant_audience = p.merchant_audience
      WHERE p.principal_id = ${principalId} AND p.status = 'disputed_pending'
      ORDER BY p.processed_at DESC, p.payment_intent_id LIMIT ${limit}::int`,
  )
  return rows.map(toNamed)
}

type DetailRow = NamedRow &
  Row<'Settlement', 'application_fee_minor' | 'connected_account_id' | 'reserved_at'> &
  Row<'Mandate', 'offer_id' | 'offer_digest'> & {
    card_brand: string
    card_last4: string
    agreed_minor: number
    agreed_currency: string
    mandate_issued_at: Date
    mandate_expires_at: Date
    authorization_id: string | null
    line_items: LineItem[] | null
    asked_at: Date | null
    decided_at: Date | null
    decided_via: string | null
    approval_method: ApprovalMethod | null
  }

/** How a person confirmed an approval in the portal. */
export type ApprovalMethod = 'passkey' | 'magic_link' | 'demo' | 'wallet_presentation'

/** Returns one payment of the person with all its records; null when it is unknown or another person's. */
export async function findPaymentDetail(db: Queryable, principalId: string, paymentIntentId: string) {
  const [row] = await db.query<DetailRow>(
    sql`SELECT ${paymentColumns}, c.shown_name AS agent_name, m.business_name AS merchant_name,
            card.brand AS card_brand, card.last4 AS card_last4,
            s.application_fee_minor, s.connected_account_id, s.reserved_at,
            d.offer_id, d.offer_digest, d.amount_minor AS agreed_minor, d.currency AS agreed_currency, d.issued_at AS mandate_issued_at, d.expires_at AS mandate_expires_at,
            coalesce(d.line_items, (SELECT i.line_items FROM agreed_items i WHERE i.family_id = d.family_id)) AS line_items,
            k.authorization_id, k.created_at AS asked_at, k.decided_at, k.decided_via, k.method AS approval_method
       FROM payments p
       JOIN agents c ON c.id = p.client_id
       JOIN counted_settlements s ON s.id = p.settlement_id
       JOIN ${savedCardsSql} card ON card.id = s.card_id
       JOIN mandate_terms d ON d.id = p.mandate_id
       LEFT JOIN merchant_profiles m ON m.merchant_audience = p.merchant_audience
       LEFT JOIN LATERAL (SELECT * FROM approval_outcomes k WHERE k.principal_id = ${principalId} AND k.mandate_id = p.mandate_id LIMIT 1) k ON true
      WHERE p.payment_intent_id = ${paymentIntentId} AND p.principal_id = ${principalId}`,
  )
  if (row === undefined) return null
  return {
    ...toNamed(row),
    card: { brand: row.card_brand, last4: row.card_last4 },
    applicationFeeMinor: row.application_fee_minor,
    connectedAccountId: row.connected_account_id,
    reservedAt: row.reserved_at,
    mandate: {
      issuedAt: row.mandate_issued_at,
      expiresAt: row.mandate_expires_at,
      offerId: row.offer_id,
      offerDigest: row.offer_digest,
      amountMinor: row.agreed_minor,
      currency: row.agreed_currency,
      lineItems: row.line_items ?? [],
    },
    consent:
      row.authorization_id === null
        ? null
        : {
            authorizationId: row.authorization_id,
            askedAt: row.asked_at,
            decidedAt: row.decided_at,
            decidedVia: row.decided_via,
            method: row.approval_method,
          },
  }
}

/** Returns the id of the person who made a payment; null when the payment is unknown. */
export async function findPaymentOwner(db: Database, paymentIntentId: string): Promise<string | null> {
  const found = await db.prisma.payment.findUnique({
    select: { principal_id: true },
    where: { payment_intent_id: paymentIntentId },
  })
  return found?.principal_id ?? null
}

/**
 * Moves a payment to the next status of its dispute; returns null when it is not in the status that the move starts
 * from.
 */
export async function updateDispute(
  tx: Queryable,
  paymentIntentId: string,
  edge: { from: PaymentStatus; to: PaymentStatus },
): Promise<Payment | null> {
  const [row] = await tx.query<PaymentRow>(
    sql`UPDATE payments AS p SET status = ${edge.to} WHERE p.payment_intent_id = ${paymentIntentId} AND p.status = ${edge.from} RETURNING ${paymentColumns}`,
  )
  return row === undefined ? null : toPayment(row)
}

/** Returns the payer's e-mail address (null when there is none or the person was erased) and the merchant's name. */
export async function findParties(
  db: Queryable,
  { principalId, merchantAudience }: Pick<Payment, 'principalId' | 'merchantAudience'>,
  now: Date,
): Promise<{ email: string | null; merchantName: string | null; merchantVerified: boolean }> {
  const [row] = await db.query<Row<'Principal', 'email'> & { merchant_name: string | null; verified: boolean }>(
    sql`SELECT p.email, m.business_name AS merchant_name, ${isListedSql(sql`m`, sql`${now}::timestamptz`)} AS verified
       FROM principal_profiles p LEFT JOIN merchant_profiles m ON m.merchant_audience = ${merchantAudience} WHERE p.id = ${principalId}`,
  )
  return {
    email: row?.email ?? null,
    merchantName: row?.merchant_name ?? null,
    merchantVerified: row?.verified ?? false,
  }
}

/**
 * SQL expression: a text that changes whenever the person's payments or open disputes change; part of the portal's
 * revision.
 */
export const paymentsRevisionSql = (principalId: string): Sql =>
  sql`concat_ws('|', (SELECT max(processed_at) FROM payments WHERE principal_id = ${principalId}),
     (SELECT count(*) FROM payments WHERE principal_id = ${principalId} AND status = 'disputed_pending'))`
