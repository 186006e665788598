import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../core/platform'
import { isSessionAlive, type PortalSession } from '../sessions'
import { readRevision } from './store'

/** How often the database is asked: another process may have changed something and have no way to say so. */
const LOOK_MILLISECONDS = 2_000

/**
 * Yields the person's revision at once and then whenever it changed, until the signal aborts. Returns when the session
 * ends, which is noticed within two seconds.
 */
export async function* watchChanges(
  platform: Platform,
  session: PortalSession,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const bell = createBell()
  const unsubscribe = platform.cache.subscribe(`principal:${session.principalId}`, bell.ring)
  try {
    let known: string | null = null
    while (!signal.aborted && (await isSessionAlive(platform, session))) {
      const revision = await readRevision(platform.db, session.principalId, platform.clock.now())
      if (revision !== known) yield revision
      known = revision
      await bell.wait(LOOK_MILLISECONDS, signal)
    }
  } finally {
    unsubscribe()
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
