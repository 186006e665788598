import { tracked } from '@trpc/server'
import * as z from 'zod'
import { noInput } from '../../../base/contract/portal-procedure'
import type { Platform } from '../../../base/core/platform'
import { type PortalSession, readSessionEnd, revokeAllSessions } from '../../../identity/sessions'
import { readSession, watchChanges } from '../../../surfaces/portal'
import { t } from '../init'
import { portalMutation, portalQuery, signedIn, signedOutError } from '../procedures'

/** The last event that a reconnecting client has seen; it is ignored, as the current revision is always sent. */
const resumption = z.object({ lastEventId: z.string().max(64).nullish() }).optional()

export const sessionRouter = t.router({
  me: portalQuery(noInput, readSession),
  signOutEverywhere: portalMutation(noInput, async ({ platform, actor }) => ({
    sessions_ended: await revokeAllSessions(platform, actor.principalId, 'everywhere'),
  })),
  changes: signedIn.input(resumption).subscription(({ ctx, signal }) => {
    const until = signal ?? new AbortController().signal
    return announce(ctx, watchChanges(ctx.platform, ctx.session, until), until)
  }),
})

interface StreamOptions {
  readonly platform: Platform
  readonly session: PortalSession
}

async function* announce({ platform, session }: StreamOptions, revisions: AsyncIterable<string>, until: AbortSignal) {
  for await (const revision of revisions) yield tracked(revision, { revision })
  if (!until.aborted) throw signedOutError('The session has ended.', await readSessionEnd(platform, session))
}
