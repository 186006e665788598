import { readSession } from '../../portal'
import { nothing } from '../../portal/contract'
import { revokeAllSessions } from '../../sessions'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const sessionRouter = t.router({
  me: portalQuery(nothing, readSession),
  signOutEverywhere: portalMutation(nothing, async ({ platform, actor }) => ({
    sessions_ended: await revokeAllSessions(platform, actor.principalId),
  })),
})
