import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { pathId } from '../../../base/contract/wire'

/** By the request's id or by the handle in the agent's link. */
export const readApprovalProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })
