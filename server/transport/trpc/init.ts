import { initTRPC } from '@trpc/server'
import { plainJson } from '../../base/contract/plain-json'
import type { PortalContext } from './context'
import { publicMessage, refusalData } from './refusal'

const SUBSCRIPTION_MAX_MILLISECONDS = 10 * 60_000
const HEARTBEAT_MILLISECONDS = 5_000

/** The facts of a procedure's contract, for tests that classify all procedures. */
interface ProcedureMeta {
  /** The purpose of the step-up, if the contract has one. */
  readonly stepUp?: string | undefined
}

/** The tRPC instance of all procedures. */
export const t = initTRPC
  .context<PortalContext>()
  .meta<ProcedureMeta>()
  .create({
    transformer: plainJson,
    sse: {
      // Afterwards the client reconnects by itself, and its session is checked again.
      maxDurationMs: SUBSCRIPTION_MAX_MILLISECONDS,
      ping: { enabled: true, intervalMs: HEARTBEAT_MILLISECONDS },
    },
    errorFormatter: ({ shape, error, ctx }) => ({
      ...shape,
      message: publicMessage(error),
      data: refusalData(error, { status: shape.data.httpStatus, requestId: ctx?.requestId ?? null }),
    }),
  })
