import { listActivity } from '../../portal'
import { activitySearch } from '../../portal/contract'
import { t } from '../init'
import { portalQuery } from '../procedures'

export const activityRouter = t.router({
  list: portalQuery(activitySearch, listActivity),
})
