import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { instant, pathId, text } from '../../../base/contract/wire'
import { isDay } from '../../../base/core/calendar-day'
import { parsePeriod, paymentStatuses, spendingParts } from '../../../money/payments/contract'

/** A day in the person's time zone, or an instant. */
const dayOrInstant = z.union([z.string().refine(isDay, { error: 'must be a day such as 2026-11-21' }), instant])

/** The filter of payments, for the list and for downloads. */
export const paymentSelection = z.strictObject({
  status: z.enum(paymentStatuses).optional(),
  agent: pathId.optional(),
  merchant: z.string().min(1).max(2_048).optional(),
  /** Words of the merchant or an item, or the beginning of an amount. */
  q: text(200).optional(),
  /** The first and the last day or instant, both included. */
  from: dayOrInstant.optional(),
  to: dayOrInstant.optional(),
})

export const searchPaymentsProcedure = definePortalProcedure({
  input: paymentSelection.extend({
    /** `next_cursor` of the page before. */
    cursor: z.string().max(1_024).optional(),
  }),
})

const PERIOD_MAX_CHARS = 40

/** Reads the spending of a named period or between two days, and what each bar is for. */
export const readSpendingProcedure = definePortalProcedure({
  input: z.strictObject({
    period: z
      .string()
      .max(PERIOD_MAX_CHARS)
      .transform((name, context) => {
        const period = parsePeriod(name)
        if (period !== null) return period
        context.addIssue('must be a known period or two days')
        return z.NEVER
      }),
    per: z.enum(spendingParts),
  }),
})

/** One payment by its payment intent. */
export const readPaymentProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

/** A payment with a challenge of the bank, by its settlement. */
export const cardholderChallengeProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

export const answerTestBankProcedure = definePortalProcedure({
  input: z.strictObject({ id: pathId, answer: z.enum(['confirm', 'refuse']) }),
})
