import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { pathId } from '../../../base/contract/wire'
import { auditEvents } from '../../../shared/audit/contract'

/** Which entries: what the page is narrowed by, and what is downloaded. */
export const activityFilter = z.strictObject({
  event: z.enum(auditEvents).optional(),
  agent: pathId.optional(),
})

export const listActivityProcedure = definePortalProcedure({
  input: activityFilter.extend({
    /** Entries before this number: the `seq` of the last one of the page before. */
    before: z.int().min(1).optional(),
  }),
})
