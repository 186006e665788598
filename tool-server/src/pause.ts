import { setTimeout as sleep } from 'node:timers/promises'
import { Cancelled } from './errors.js'

/** Waits, unless the call is cancelled first. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(Math.max(0, milliseconds), undefined, signal === undefined ? {} : { signal })
  } catch {
    throw new Cancelled()
  }
}
