import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { SECURITY_CURSOR } from '../input'

export const securityActivityProcedure = definePortalProcedure({
  input: z.strictObject({
    /** The cursor: `next_before` of the page before. */
    before: z
      .string()
      .regex(SECURITY_CURSOR)
      .transform((text) => {
        const [, seq, milliseconds, handle] = SECURITY_CURSOR.exec(text) ?? []
        const signIn = handle === undefined ? null : { at: new Date(Number(milliseconds)), handle }
        return { seq: Number(seq) === 0 ? null : Number(seq), signIn }
      })
      .optional(),
  }),
})
