import * as z from 'zod'
import { MERCHANT_JSON_MAX_DEPTH, MERCHANT_RESPONSE_MAX_BYTES } from '../limits.js'

/** Responses of a merchant: untrusted, parsed strictly and passed on only where the interface says so. */

/** A nonce for one presentation. */
export const nonceReply = z.object({ nonce: z.string().min(1).max(512) })

/**
 * Returns whether a value can be stored and passed on. Serialized again, numbers such as 1e20 become longer, and
 * `JSON.stringify` fails for nesting that is too deep.
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

/** A merchant's response to the report of a settlement, with a receipt or without. */
export const reportReply = z.object({ receipt: opaqueObject.nullish() }).nullish()

/** A verifier's response to a presentation that it has charged. */
export const verifierReply = z.object({
  ok: z.literal(true),
  mandate_id: z.string().min(1).max(256),
  receipt_jws: z.string().min(1),
  payment_provider_ref: z.string().min(1).max(512),
})

/** A verifier's response to a presentation that it has charged. */
export type VerifierReply = z.infer<typeof verifierReply>

/** A store's whole catalog. Items that do not match the schema are removed later. */
export const catalog = z.object({ merchant: z.string(), items: z.array(z.unknown()) })

/** A store's whole catalog. */
export type Catalog = z.infer<typeof catalog>

/** An item that can be bought. */
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

/** An item that can be bought. */
export type CatalogItem = z.infer<typeof catalogItem>

/** A verifier's response to a presentation; further members are passed on. */
export const verifyMandateReply = z.looseObject({ ok: z.literal(true), mandate_id: z.string() }).refine(canBeWritten)
