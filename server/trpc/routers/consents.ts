import { TRPCError, tracked } from '@trpc/server'
import * as z from 'zod'
import { listPastConsents, muteAgent, unmuteAgent } from '../../consent'
import { portalDecision } from '../../consent/contract'
import { decideInPortal, listWaitingConsents, readConsentDetail, watchChanges } from '../../portal'
import { agentChoice, consentChoice, nothing } from '../../portal/contract'
import { t } from '../init'
import { portalMutation, portalQuery, signedIn } from '../procedures'

/** What a reconnecting client says it saw last; the current revision is sent in any case. */
const resumption = z.object({ lastEventId: z.string().max(64).nullish() }).optional()

export const consentsRouter = t.router({
  pending: portalQuery(nothing, listWaitingConsents),
  past: portalQuery(nothing, listPastConsents),
  one: portalQuery(consentChoice, readConsentDetail),
  decide: portalMutation(portalDecision, decideInPortal),
  muteAgent: portalMutation(agentChoice, muteAgent),
  unmuteAgent: portalMutation(agentChoice, unmuteAgent),
  changes: signedIn.input(resumption).subscription(async function* ({ ctx, signal }) {
    const until = signal ?? new AbortController().signal
    for await (const revision of watchChanges(ctx.platform, ctx.session, until)) yield tracked(revision, { revision })
    if (!until.aborted) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'The session has ended.' })
  }),
})
