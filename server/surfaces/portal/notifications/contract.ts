import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'

/** Sends a test message by mail or phone; devices have a procedure of their own. */
export const sendTestProcedure = definePortalProcedure({
  input: z.strictObject({ channel: z.enum(['email', 'rcs']) }),
})
