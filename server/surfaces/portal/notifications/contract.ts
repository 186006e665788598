import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'

/** Devices are tried by a procedure of their own. */
export const sendTestProcedure = definePortalProcedure({
  input: z.strictObject({ channel: z.enum(['email', 'rcs']) }),
})
