import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { confirmable } from '../../../identity/passkeys/contract'

export const enrolTestCardProcedure = definePortalProcedure({
  input: z.strictObject({
    number: z.string().regex(/^[0-9 ]{12,23}$/, { error: 'must be a test card' }),
    ...confirmable,
  }),
  switch: 'card_enrolment',
  stepUp: 'card.add',
})

export const beginEnrolmentProcedure = definePortalProcedure({
  input: z.strictObject(confirmable),
  switch: 'card_enrolment',
  stepUp: 'card.add',
})
