import { noInput } from '../../../base/contract/portal-procedure'
import { listRequests, readDevelopers } from '../../../surfaces/portal'
import { t } from '../init'
import { portalQuery } from '../procedures'

export const developersRouter = t.router({
  read: portalQuery(noInput, readDevelopers),
  requests: portalQuery(noInput, listRequests),
})
