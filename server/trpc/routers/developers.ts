import { listRequests, readDevelopers } from '../../portal'
import { nothing } from '../../portal/contract'
import { t } from '../init'
import { portalQuery } from '../procedures'

export const developersRouter = t.router({
  read: portalQuery(nothing, readDevelopers),
  requests: portalQuery(nothing, listRequests),
})
