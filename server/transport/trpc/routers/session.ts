import { TRPCError, tracked } from '@trpc/server'
import * as z from 'zod'
import { noInput } from '../../../base/contract/portal-procedure'
import { revokeAllSessions } from '../../../identity/sessions'
import { readSession, watchChanges } from '../../../surfaces/portal'
import { t } from '../init'
import { portalMutation, portalQuery, signedIn } from '../procedures'

/** What a reconnecting client says it saw last; the current revision is sent in any case. */
const resumption = z.object({ lastEventId: z.string().max(64).nullish() }).optional()

export const sessionRouter = t.router({
  me: portalQuery(noInput, readSession),
  signOutEverywhere: portalMutation(noInput, async ({ platform, actor }) => ({
    sessions_ended: await revokeAllSessions(platform, actor.principalId),
  })),
  changes: signedIn.input(resumption).subscription(({ ctx, signal }) => {
    const until = signal ?? new AbortController().signal
    return announce(watchChanges(ctx.platform, ctx.session, until), until)
  }),
})

async function* announce(revisions: AsyncIterable<string>, until: AbortSignal) {
  for await (const revision of revisions) yield tracked(revision, { revision })
  if (!until.aborted) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'The session has ended.' })
}
