import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { recordLimits } from './change-limits'
import { limitsFromWire, type RecordedLimits } from './wire-limits'

interface NewAgent {
  readonly principalId: string
  readonly clientId: string
}

/**
 * Saves for a newly registered agent the limits that the person chose for it in the portal. The caller holds the
 * person's lock.
 */
export async function startAgentLimits(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { agent, limits }: { readonly agent: NewAgent; readonly limits: RecordedLimits },
): Promise<void> {
  const chosen = { platform, now, actor: { via: 'portal' as const, session: null } }
  await recordLimits(tx, chosen, { owner: agent, kind: 'connect', before: null, after: limitsFromWire(limits) })
}
