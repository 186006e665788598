import { listActivity, listActivityProcedure } from '../../../surfaces/portal'
import { t } from '../init'
import { portalQuery } from '../procedures'

export const activityRouter = t.router({
  list: portalQuery(listActivityProcedure, listActivity),
})
