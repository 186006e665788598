import { initTRPC } from '@trpc/server'
import type { PortalContext } from './context'
import { describe, publicMessage } from './refusal'

const SUBSCRIPTION_MAX_MILLISECONDS = 10 * 60_000
const HEARTBEAT_MILLISECONDS = 5_000

/** One tRPC instance. Wire types are plain JSON, so there is no transformer. */
export const t = initTRPC.context<PortalContext>().create({
  sse: {
    // The client reconnects by itself, and its session is looked at anew.
    maxDurationMs: SUBSCRIPTION_MAX_MILLISECONDS,
    ping: { enabled: true, intervalMs: HEARTBEAT_MILLISECONDS },
  },
  errorFormatter: ({ shape, error, ctx }) => ({
    ...shape,
    message: publicMessage(error),
    data: describe(error, { status: shape.data.httpStatus, requestId: ctx?.requestId ?? null }),
  }),
})
