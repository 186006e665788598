import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Queryable } from '../../base/core/platform'
import { findMutedUntil, saveMutedUntil } from './store'

const MUTED_SECONDS = 60 * 60

/**
 * For an hour the agent may not ask the person anything: what would need an answer is refused as if too many waited. What
 * waits already, and what needs no answer, goes on. 404 for unknown, foreign and revoked agents.
 */
export async function muteAgent(call: WalletCall, input: { readonly client_id: string }) {
  const until = new Date(call.now.getTime() + MUTED_SECONDS * 1000)
  await setMuted(call, input.client_id, until)
  return { muted_until: until.toISOString() }
}

/** The agent may ask again. */
export async function unmuteAgent(call: WalletCall, input: { readonly client_id: string }) {
  await setMuted(call, input.client_id, null)
  return { muted_until: null }
}

async function setMuted({ platform, actor }: WalletCall, clientId: string, until: Date | null): Promise<void> {
  const found = await saveMutedUntil(platform.db, { principalId: actor.principalId, clientId, until })
  if (!found) throw new ServiceError('not_found', 'There is no such agent.')
  await announceChange(platform, actor.principalId)
}

/** Until when the person's agent may not ask; null when it may. */
export async function readMutedUntil(
  db: Queryable,
  agent: { readonly principalId: string; readonly clientId: string; readonly now: Date },
): Promise<string | null> {
  return (await findMutedUntil(db, agent))?.toISOString() ?? null
}
