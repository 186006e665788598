import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../base/core/platform'

const running = new WeakMap<Platform, Set<Promise<unknown>>>()

function setOf(platform: Platform): Set<Promise<unknown>> {
  const set = running.get(platform) ?? new Set()
  running.set(platform, set)
  return set
}

/** Runs settlement work and registers it, so that a shutdown waits for it. */
export async function trackSettlement<T>(platform: Platform, work: () => Promise<T>): Promise<T> {
  const set = setOf(platform)
  const task = work()
  set.add(task)
  try {
    return await task
  } finally {
    set.delete(task)
  }
}

/** Resolves when no settlement is in flight in this process, or after `timeoutMilliseconds`. Returns whether none is. */
export async function drainSettlements(platform: Platform, timeoutMilliseconds: number): Promise<boolean> {
  const timeout = delay(timeoutMilliseconds, false, { ref: false })
  const emptied = async (): Promise<boolean> => {
    while (setOf(platform).size > 0) await Promise.allSettled(setOf(platform))
    return true
  }
  return Promise.race([emptied(), timeout])
}
