import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { pathId } from '../../../base/contract/wire'
import { auditEvents } from '../../../shared/audit/contract'

/** The filter of entries, for the page and for downloads. */
export const activityFilter = z.strictObject({
  event: z.enum(auditEvents).optional(),
  agent: pathId.optional(),
})

export const listActivityProcedure = definePortalProcedure({
  input: activityFilter.extend({
    /** The `seq` before which entries are returned: that of the last entry of the page before. */
    before: z.int().min(1).optional(),
  }),
})
