import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { updateMutedUntil } from '../../oauth/clients'

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
  const isUpdated = await updateMutedUntil(platform.db, { principalId: actor.principalId, clientId, until })
  if (!isUpdated) throw new ServiceError('not_found', 'There is no such agent.')
  await announceChange(platform, actor.principalId)
}
