import { noInput } from '../../../base/contract/portal-procedure'
import { leaveWelcome, readWelcome } from '../../../surfaces/portal'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const welcomeRouter = t.router({
  read: portalQuery(noInput, readWelcome),
  leave: portalMutation(noInput, leaveWelcome),
})
