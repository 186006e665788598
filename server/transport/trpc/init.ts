import { initTRPC } from '@trpc/server'
import { plainJson } from '../../base/contract/plain-json'
import type { PortalContext } from './context'
import { publicMessage, refusalData } from './refusal'

const SUBSCRIPTION_MAX_MILLISECONDS = 10 * 60_000
const HEARTBEAT_MILLISECONDS = 5_000

/** What a procedure's contract says of it, for tests that sort all of them. */
interface ProcedureMeta {
  /** What the person confirms, where the contract names it. */
  readonly stepUp?: string | undefined
}

/** One tRPC instance. */
export const t = initTRPC
  .context<PortalContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: plainJson,
    sse: {
      // The client reconnects by itself, and its session is checked again.
      maxDurationMs: SUBSCRIPTION_MAX_MILLISECONDS,
      ping: { enabled: true, intervalMs: HEARTBEAT_MILLISECONDS },
    },
    errorFormatter: ({ shape, error, ctx }) => ({
      ...shape,
      message: publicMessage(error),
      data: refusalData(error, { status: shape.data.httpStatus, requestId: ctx?.requestId ?? null }),
    }),
  })
