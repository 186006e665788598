import { Reply } from '../../base/contract/reply'
import { API_VERSION } from '../../base/contract/version'
import type { AnonymousCall } from '../../base/core/call'
import { inTime } from '../../base/core/in-time'

const CHECK_TIMEOUT_MS = 2_000

/** GET /healthz: liveness only; it depends on no other system. */
export async function readLiveness() {
  return { status: 'ok' as const, version: API_VERSION }
}

/**
 * GET /readyz: 503 while the database does not answer within two seconds, and once the process is shutting down.
 * Without the cache all functions work, only slower: 200 with the status degraded.
 */
export async function readReadiness({ platform }: AnonymousCall) {
  const [database, cache] = await Promise.all([
    checkAnswer(() => platform.db.ping()),
    checkAnswer(() => platform.cache.ping()),
  ])
  const status = readinessOf({ database, cache, isStopping: platform.shutdown.hasBegun() })
  const isReady = status === 'ready' || status === 'degraded'
  return Reply.json({ status, database, cache }, {}, isReady ? 200 : 503)
}

type Reachable = 'ok' | 'unreachable'

function readinessOf(state: { database: Reachable; cache: Reachable; isStopping: boolean }) {
  if (state.isStopping) return 'stopping'
  if (state.database !== 'ok') return 'unavailable'
  return state.cache === 'ok' ? 'ready' : 'degraded'
}

async function checkAnswer(ping: () => Promise<void>): Promise<Reachable> {
  try {
    await inTime(ping(), CHECK_TIMEOUT_MS)
    return 'ok'
  } catch {
    return 'unreachable'
  }
}
