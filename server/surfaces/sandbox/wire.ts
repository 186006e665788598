import * as z from 'zod'
import {
  currencyCode,
  idempotencyKey,
  lineItems,
  merchantCode,
  minorUnits,
  text,
  timestamp,
} from '../../base/contract/wire'
import { testCardNames } from '../../base/platform/processor/sandbox-cards'
import { JWT_MAX_BYTES, NONCE_MAX_CHARS, PRESENTATION_MAX_BYTES } from '../../base/protocol/lifetimes'

const OFFER_MAX_CHARS = 256

export const catalogItem = z
  .strictObject({
    sku: z.string(),
    title: z.string(),
    description: z.string().optional(),
    unit_price_minor: minorUnits,
    currency: currencyCode,
    in_stock: z.boolean(),
    category: z.string(),
    min_age: z.int().optional().meta({ description: 'The age that buyers must have proven in their wallet.' }),
    ships_to: z.array(z.string()).meta({ description: 'ISO 3166-1 alpha-2 codes.' }),
    offer_id: z.string(),
    offer_digest: z.string().meta({
      description: 'base64url SHA-256 of the RFC 8785 JSON of {merchant, offer_id, sku, unit_price_minor, currency}.',
    }),
  })
  .meta({ id: 'CatalogItem' })

const catalogMembers = {
  '@context': z.string(),
  '@type': z.string(),
  merchant: z.string().meta({ description: "The merchant's audience." }),
  catalog_url: z.url(),
}

export const catalogBody = z.strictObject({ ...catalogMembers, items: z.array(catalogItem) }).meta({ id: 'Catalog' })

export const catalogPreview = z
  .strictObject({
    ...catalogMembers,
    signature: z.string().meta({ description: "The merchant's Signature field (RFC 9421) over its whole catalog." }),
    signature_input: z.string(),
    content_digest: z.string().meta({ description: 'Content-Digest (RFC 9530) of the whole catalog.' }),
    items: z.array(catalogItem),
  })
  .meta({ id: 'CatalogPreview' })

export const shopBody = z
  .strictObject({
    id: z.string(),
    merchant_audience: z.url(),
    business_name: z.string(),
    country: z.string(),
    accepts_currency: z.array(currencyCode),
    catalog_url: z.url(),
    jwks_url: z.url(),
    nonce_url: z.url(),
    payments_url: z.url(),
    verify_mandate_url: z.url(),
  })
  .meta({ id: 'SandboxShop' })

export const nonceBody = z
  .strictObject({ nonce: z.string(), expires_in: z.int().positive() })
  .meta({ id: 'MerchantNonce' })

const purchaseMembers = {
  presentation: z
    .string()
    .min(1)
    .max(PRESENTATION_MAX_BYTES)
    .meta({ description: 'The mandate (SD-JWT VC) with its disclosures and a KB-JWT for the merchant and its nonce.' }),
  line_items: lineItems,
  offer_id: merchantCode(OFFER_MAX_CHARS).optional(),
  offer_digest: text(OFFER_MAX_CHARS).min(1).optional(),
}

export const paymentBody = z
  .object({ ...purchaseMembers, idempotency_key: idempotencyKey })
  .meta({ id: 'MerchantPaymentRequest' })

export const verifyMandateBody = z
  .object({
    ...purchaseMembers,
    nonce: text(NONCE_MAX_CHARS).optional().meta({ description: 'When given, it must be the nonce of the KB-JWT.' }),
    idempotency_key: idempotencyKey.optional().meta({ description: '`mandate:<mandate_id>` when absent.' }),
  })
  .meta({ id: 'VerifyMandateRequest' })

/** The age that an item requires and the mandate proves to be reached. */
const provenAge = z
  .record(z.string(), z.literal(true))
  .optional()
  .meta({ example: { 18: true } })

const receiptLine = z.strictObject({
  sku: z.string(),
  title: z.string(),
  qty: z.int(),
  unit_price_minor: minorUnits,
  currency: currencyCode,
})

const orderReceipt = z
  .strictObject({
    order_id: z.string(),
    merchant: z.string(),
    merchant_name: z.string(),
    status: z.enum(['awaiting_settlement', 'paid']),
    mandate_id: z.string(),
    amount_minor: minorUnits,
    currency: currencyCode,
    line_items: z.array(receiptLine),
    age_equal_or_over: provenAge,
    created_at: timestamp,
    paid_at: timestamp.optional(),
    receipt_jws: z.string().optional(),
  })
  .meta({ id: 'OrderReceipt' })

export const orderBody = z
  .strictObject({
    order_id: z.string(),
    status: z.enum(['awaiting_settlement', 'paid']),
    receipt: orderReceipt,
    settlement_request: z.strictObject({ connected_account_id: z.string(), application_fee_minor: minorUnits }),
  })
  .meta({ id: 'Order' })

export const settlementReportBody = z.object({ receipt_jws: z.string().min(1).max(JWT_MAX_BYTES) }).meta({
  id: 'SettlementReport',
})

export const paidOrderBody = z
  .strictObject({ order_id: z.string(), status: z.literal('paid'), receipt: orderReceipt })
  .meta({ id: 'PaidOrder' })

export const verifiedMandateBody = z
  .strictObject({
    ok: z.literal(true),
    mandate_id: z.string(),
    amount_minor: minorUnits,
    currency: currencyCode,
    merchant_audience: z.string(),
    receipt_jws: z.string(),
    payment_provider_ref: z.string(),
    age_equal_or_over: provenAge,
  })
  .meta({ id: 'VerifiedMandate' })

const directoryEntry = z
  .strictObject({
    id: z.string(),
    merchant_audience: z.string(),
    business_name: z.string(),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.' }),
    accepts_currency: z.array(z.string()).meta({ description: 'ISO 4217.' }),
    accepts_rail: z.array(z.string()),
    verification_status: z.literal('verified'),
    verified_at: timestamp.nullable(),
  })
  .meta({ id: 'DirectoryEntry' })

export const directoryPage = z
  .strictObject({ merchants: z.array(directoryEntry), page: z.int(), page_size: z.int(), total: z.int() })
  .meta({ id: 'DirectoryPage' })

export const cardsBody = z
  .strictObject({
    cards: z.array(
      z.strictObject({ card: z.enum(testCardNames), number: z.string(), brand: z.string(), description: z.string() }),
    ),
  })
  .meta({ id: 'SandboxCards' })

export const outboxBody = z
  .strictObject({
    messages: z.array(
      z.strictObject({
        id: z.string(),
        channel: z.enum(['email', 'rcs', 'push']),
        to: z.string(),
        subject: z.string().optional(),
        text: z.string(),
        links: z.array(z.string()),
        data: z.record(z.string(), z.unknown()).optional(),
        created_at: timestamp,
      }),
    ),
  })
  .meta({ id: 'Outbox' })
