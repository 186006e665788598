import { setTimeout as sleep } from 'node:timers/promises'
import { changesTopic } from '../../../base/core/announce-change'
import { ServiceError } from '../../../base/core/errors'
import type { Platform } from '../../../base/core/platform'
import { isSessionActive, type PortalSession } from '../../../identity/sessions'
import { readRevision } from './store'

/** How often the database is read, since without a cache changes of other processes are not announced. */
const LOOK_MILLISECONDS = 2_000
/** The most streams of one session; each tab holds one. */
const STREAMS_MAX = 20
/** The most of one person, who has as many sessions as they open: a bound for memory alone. */
const STREAMS_OF_PERSON_MAX = 10 * STREAMS_MAX
const RETRY_SECONDS = 30

/** Open streams by session and by person; ids of sessions are random, so none is the id of a person. */
const streams = new Map<string, number>()

/**
 * Yields the person's revision at once and then whenever it changed, until the signal aborts. Returns when the session
 * ends, which is noticed within two seconds. 429 rate_limited, before anything is yielded, beyond 20 streams of the
 * session or 200 of the person.
 */
export function watchChanges(
  platform: Platform,
  session: PortalSession,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  if (countOf(session.id) >= STREAMS_MAX || countOf(session.principalId) >= STREAMS_OF_PERSON_MAX) {
    const headers = { 'Retry-After': String(RETRY_SECONDS) }
    throw new ServiceError('rate_limited', 'Too many pages are open.', { headers })
  }
  return watch(platform, session, signal)
}

async function* watch(platform: Platform, session: PortalSession, signal: AbortSignal): AsyncGenerator<string, void> {
  const { id, principalId } = session
  for (const owner of [id, principalId]) streams.set(owner, countOf(owner) + 1)
  const waiter = createWaiter()
  const unsubscribe = platform.cache.subscribe(changesTopic(principalId), waiter.wake)
  try {
    let known: string | null = null
    while (!signal.aborted && (await isSessionActive(platform, session))) {
      const revision = await readRevision(platform.db, principalId, platform.clock.now())
      if (revision !== known) yield revision
      known = revision
      await waiter.wait(LOOK_MILLISECONDS, signal)
    }
  } finally {
    unsubscribe()
    for (const owner of [id, principalId]) closeOne(owner)
  }
}

const countOf = (owner: string): number => streams.get(owner) ?? 0

function closeOne(owner: string): void {
  const left = countOf(owner) - 1
  if (left > 0) streams.set(owner, left)
  else streams.delete(owner)
}

/** Returns a waiter whose `wake` ends a wait early; a wake between two waits ends the next one at once. */
function createWaiter() {
  let isWoken = false
  let stopWaiting: (() => void) | null = null
  return {
    wake(): void {
      isWoken = true
      stopWaiting?.()
    },
    async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
      const early = new AbortController()
      stopWaiting = () => early.abort()
      if (!isWoken)
        await sleep(milliseconds, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(() => undefined)
      stopWaiting = null
      isWoken = false
    },
  }
}
