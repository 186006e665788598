import { setTimeout as sleep } from 'node:timers/promises'
import { changesTopic } from '../../../base/core/announce-change'
import { ServiceError } from '../../../base/core/errors'
import type { Platform } from '../../../base/core/platform'
import { isSessionAlive, type PortalSession } from '../../../identity/sessions'
import { readRevision } from './store'

/** How often the database is asked: another process may have changed something and have no way to say so. */
const LOOK_MILLISECONDS = 2_000
/** A tab holds one stream; more than this of one person are no longer tabs. */
const STREAMS_MAX = 20

const streams = new Map<string, number>()

/**
 * Yields the person's revision at once and then whenever it changed, until the signal aborts. Returns when the session
 * ends, which is noticed within two seconds.
 */
export async function* watchChanges(
  platform: Platform,
  session: PortalSession,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { principalId } = session
  const open = (streams.get(principalId) ?? 0) + 1
  if (open > STREAMS_MAX) throw new ServiceError('rate_limited', 'Too many pages are open.')
  streams.set(principalId, open)
  const bell = createBell()
  const unsubscribe = platform.cache.subscribe(changesTopic(principalId), bell.ring)
  try {
    let known: string | null = null
    while (!signal.aborted && (await isSessionAlive(platform, session))) {
      const revision = await readRevision(platform.db, principalId, platform.clock.now())
      if (revision !== known) yield revision
      known = revision
      await bell.wait(LOOK_MILLISECONDS, signal)
    }
  } finally {
    unsubscribe()
    const left = (streams.get(principalId) ?? 1) - 1
    if (left > 0) streams.set(principalId, left)
    else streams.delete(principalId)
  }
}

/** Waiting that can be cut short; a ring while nobody waits is kept for the next one who does. */
function createBell() {
  let rung = false
  let wake: (() => void) | null = null
  return {
    ring(): void {
      rung = true
      wake?.()
    },
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      const early = new AbortController()
      wake = () => early.abort()
      if (!rung)
        await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(() => undefined)
      wake = null
      rung = false
    },
  }
}
