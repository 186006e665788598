import * as z from 'zod'

/** A line item as an argument of tools. */
export const lineItem = z.strictObject({
  sku: z.string().min(1).describe('As in the catalog'),
  qty: z.int().min(1),
  unit_price_minor: z.int().min(0).optional().describe('In minor units of the currency'),
  currency: z.string().length(3).optional().describe('ISO 4217; the one of amount'),
})
