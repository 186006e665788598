import * as z from 'zod'
import { MERCHANT_JSON_MAX_DEPTH, MERCHANT_RESPONSE_MAX_BYTES } from '../limits.js'

/** Answers of a merchant: words of a stranger, read strictly and passed on only where the interface says so. */

/** A nonce for one presentation. */
export const nonceReply = z.object({ nonce: z.string().min(1).max(512) })

/**
 * Whether a value can be kept and passed on: written again, numbers such as 1e20 are longer than they came, and
 * `JSON.stringify` fails on what is nested too deeply.
 */
export const canBeWritten = (value: unknown): boolean =>
  isShallow(value, MERCHANT_JSON_MAX_DEPTH) && Buffer.byteLength(JSON.stringify(value)) <= MERCHANT_RESPONSE_MAX_BYTES

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1))
}

const opaqueObject = z.record(z.string(), z.unknown()).refine(canBeWritten)

/** An order that waits for its settlement. */
export const orderReply = z.object({
  order_id: z.string().min(1).max(256),
  receipt: opaqueObject.nullish(),
  settlement_request: z
    .object({
      connected_account_id: z.string().max(256).nullish(),
      application_fee_minor: z.int().nonnegative().nullish(),
    })
    .nullish(),
})

/** An order that waits for its settlement. */
export type OrderReply = z.infer<typeof orderReply>

/** What a merchant says to the settlement: a receipt, maybe. */
export const reportReply = z.object({ receipt: opaqueObject.nullish() }).nullish()

/** What a verifier says to a presentation that it has charged. */
export const verifierReply = z.object({
  ok: z.literal(true),
  mandate_id: z.string().min(1).max(256),
  receipt_jws: z.string().min(1),
  payment_provider_ref: z.string().min(1).max(512),
})

/** What a verifier says to a presentation that it has charged. */
export type VerifierReply = z.infer<typeof verifierReply>

/** A store's whole catalog. Items that cannot be read are left out later. */
export const catalog = z.object({ merchant: z.string(), items: z.array(z.unknown()) })

/** A store's whole catalog. */
export type Catalog = z.infer<typeof catalog>

/** What can be bought. */
export const catalogItem = z.object({
  sku: z.string().min(1),
  title: z.string(),
  unit_price_minor: z.int().nonnegative(),
  currency: z.string(),
  in_stock: z.boolean(),
  category: z.string().optional(),
  ships_to: z.array(z.string()).optional(),
  offer_id: z.string().optional(),
  offer_digest: z.string().optional(),
})

/** What can be bought. */
export type CatalogItem = z.infer<typeof catalogItem>

/** What a verifier says to a presentation, of which it may say more. */
export const verifyMandateReply = z.looseObject({ ok: z.literal(true), mandate_id: z.string() }).refine(canBeWritten)
