import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import type { EventChoice, eventChoice } from './contract'
import { mutedEntries } from './contract'
import { findMuted, writeMuted } from './event-store'

/** What the person does not want to be told, by event and channel. */
export async function readEvents({ platform, actor }: WalletCall): Promise<EventChoice> {
  const muted = await findMuted(platform.db, actor.principalId)
  return { muted: mutedEntries.filter((entry) => muted.includes(entry)) }
}

/** Replaces what the person does not want to be told; it holds for every message that is written after the answer. */
export async function chooseEvents(
  { platform, actor, now }: WalletCall,
  { muted }: z.output<typeof eventChoice>,
): Promise<EventChoice> {
  const chosen = mutedEntries.filter((entry) => muted.includes(entry))
  await writeMuted(platform.db, actor.principalId, { muted: chosen, now })
  await platform.cache.publish(`principal:${actor.principalId}`)
  return { muted: chosen }
}
