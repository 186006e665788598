import { isDeepStrictEqual } from 'node:util'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import type { Queryable, Transaction } from '../../base/core/platform'
import { type Means, recordPersonAct } from '../../shared/audit'
import { findMuted, saveMuted } from '../../shared/notifications'
import { type MutedEntry, mutedEntries } from '../../shared/notifications/contract'
import { nudgeJobs } from '../../shared/queue'
import { requireStepUpToRelax } from '../passkeys'
import type { chooseEventsProcedure, EventChoice } from './contract'
import { relaxedEvents } from './input'
import { notifyQuieter } from './notify-contact-change'

/** Returns the events that the person has muted, by channel. */
export async function readEvents({ platform, actor }: WalletCall): Promise<EventChoice> {
  return { muted: await findEntries(platform.db, actor.principalId) }
}

/**
 * Replaces the events that the person has muted, for every message that is written after the answer. 403
 * step_up_required when payments or disputes are muted and that is not confirmed.
 */
export async function chooseEvents(
  call: WalletCall,
  { muted, proof }: ProcedureInput<typeof chooseEventsProcedure>,
): Promise<EventChoice> {
  const { principalId } = call.actor
  const chosen = inOrder(muted)
  const change = {
    relaxes: async (tx: Transaction) => relaxedEvents(await findEntries(tx, principalId), chosen),
    save: (tx: Transaction, means: Means) => replace(tx, call, { chosen, means }),
  }
  await requireStepUpToRelax(call, change, proof)
  nudgeJobs(call.platform)
  return { muted: chosen }
}

async function replace(
  tx: Transaction,
  call: WalletCall,
  { chosen, means }: { readonly chosen: readonly MutedEntry[]; readonly means: Means },
): Promise<void> {
  const { actor, now } = call
  const before = await findEntries(tx, actor.principalId)
  if (isDeepStrictEqual(before, chosen)) return
  if (relaxedEvents(before, chosen) !== null) await notifyQuieter(tx, call, 'muted')
  await saveMuted(tx, actor.principalId, { muted: chosen, now })
  const change = { from: { muted: before }, to: { muted: chosen }, means } as const
  const payload = { what: 'notifications', ...change, passkey_id: null } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
}

const findEntries = async (db: Queryable, principalId: string): Promise<MutedEntry[]> =>
  inOrder(await findMuted(db, principalId))

const inOrder = (muted: readonly string[]): MutedEntry[] => mutedEntries.filter((entry) => muted.includes(entry))
