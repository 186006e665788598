import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'

export const enrolTestCardProcedure = definePortalProcedure({
  input: z.strictObject({ number: z.string().regex(/^[0-9 ]{12,23}$/, { error: 'must be a test card' }) }),
  switch: 'card_enrolment',
})
