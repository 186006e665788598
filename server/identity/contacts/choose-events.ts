import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { findMuted, saveMuted } from '../../shared/notifications'
import { mutedEntries } from '../../shared/notifications/contract'
import type { chooseEventsProcedure, EventChoice } from './contract'

/** Returns the events that the person has muted, by channel. */
export async function readEvents({ platform, actor }: WalletCall): Promise<EventChoice> {
  const muted = await findMuted(platform.db, actor.principalId)
  return { muted: mutedEntries.filter((entry) => muted.includes(entry)) }
}

/** Replaces the events that the person has muted, for every message that is written after the answer. */
export async function chooseEvents(
  { platform, actor, now }: WalletCall,
  { muted }: ProcedureInput<typeof chooseEventsProcedure>,
): Promise<EventChoice> {
  const chosen = mutedEntries.filter((entry) => muted.includes(entry))
  await saveMuted(platform.db, actor.principalId, { muted: chosen, now })
  await announceChange(platform, actor.principalId)
  return { muted: chosen }
}
