import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { instant, pathId, text } from '../../../base/contract/wire'
import { paymentStatuses } from '../../../money/payments/contract'

/** Which payments: what the list is narrowed by, and what is downloaded. */
export const paymentSelection = z.strictObject({
  status: z.enum(paymentStatuses).optional(),
  agent: pathId.optional(),
  merchant: z.string().min(1).max(2_048).optional(),
  /** Words of the shop or an item, or the beginning of an amount. */
  q: text(200).optional(),
  from: instant.optional(),
  to: instant.optional(),
})

export const searchPaymentsProcedure = definePortalProcedure({
  input: paymentSelection.extend({
    /** `next_cursor` of the page before. */
    cursor: z.string().max(1_024).optional(),
  }),
})

/** One payment by its payment intent. */
export const readPaymentProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

/** A payment that the bank asks about, by its settlement. */
export const bankStepUpProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

export const answerTestBankProcedure = definePortalProcedure({
  input: z.strictObject({ id: pathId, answer: z.enum(['confirm', 'refuse']) }),
})
