import * as z from 'zod'
import { canBeWritten } from '../merchant/wire.js'

/** A merchant of the directory. */
const merchantEntry = z.object({
  id: z.string(),
  merchant_audience: z.string(),
  business_name: z.string(),
  country: z.string(),
  accepts_currency: z.array(z.string()),
  accepts_rail: z.array(z.string()),
  verification_status: z.string(),
  verified_at: z.string().nullable(),
})

/** A page of the directory. */
export const merchantPage = z.object({
  merchants: z.array(merchantEntry),
  page: z.int(),
  page_size: z.int(),
  total: z.int(),
})

/** A page of the directory. */
export type MerchantPage = z.infer<typeof merchantPage>

/** The first page of a merchant's signed catalog. The texts of items are the merchant's. */
export const signedCatalog = z
  .object({
    '@context': z.unknown(),
    '@type': z.unknown(),
    merchant: z.unknown(),
    catalog_url: z.string(),
    signature: z.string(),
    signature_input: z.string(),
    content_digest: z.string(),
    items: z.array(z.record(z.string(), z.unknown())),
  })
  .refine(canBeWritten)

/** The first page of a merchant's signed catalog. */
export type SignedCatalog = z.infer<typeof signedCatalog>
