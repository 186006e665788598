import { listPending, type PortalConsent } from '../consent'
import type { WalletCall } from '../core/call'
import { perform } from './perform'
import { listPortalMembers } from './store'

/** What waits for the person, newest first, with what the portal shows beyond the interface. */
export async function listWaitingConsents(call: WalletCall): Promise<{ pending: PortalConsent[] }> {
  const { pending } = await perform(listPending, call)
  if (pending.length === 0) return { pending: [] }
  const ids = pending.map((consent) => consent.authorization_id)
  const members = await listPortalMembers(call.platform.db, call.actor.principalId, ids)
  const memberOf = new Map(members.map((row) => [row.authorization_id, row]))
  return {
    pending: pending.flatMap((consent) => {
      const row = memberOf.get(consent.authorization_id)
      if (row === undefined) return []
      const undecided = { status: 'pending' as const, decided_at: null, mandate_id: null }
      return [{ ...consent, kind: row.kind, match_code: row.match_code, ...undecided }]
    }),
  }
}
