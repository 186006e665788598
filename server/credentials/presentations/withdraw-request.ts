import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { readPersonsRequest } from './persons-request'
import { type AskedFor, consumeRequest, listPendingRequests, recordOutcome } from './request-store'

/** Ends a pending request of this person; an ended one stays as it is. 404 as by `readPersonsRequest`. */
export async function withdrawPersonsRequest(
  call: WalletCall,
  { id, purpose }: { readonly id: string; readonly purpose: AskedFor },
): Promise<void> {
  const { platform } = call
  await readPersonsRequest(call, { id, purpose })
  await platform.db.transaction((tx) => withdraw(tx, call, id))
}

/** Ends all pending requests of this person. The caller holds the person's lock. */
export async function withdrawEveryRequest(tx: Transaction, call: WithdrawCall, principalId: string): Promise<void> {
  for (const id of await listPendingRequests(tx, principalId, call.now)) await withdraw(tx, call, id)
}

type WithdrawCall = Pick<WalletCall, 'platform' | 'now'>

async function withdraw(tx: Transaction, { platform, now }: WithdrawCall, id: string): Promise<void> {
  if (!(await consumeRequest(tx, id, now))) return
  const outcome = { status: 'rejected', error: 'access_denied', description: null } as const
  await recordOutcome({ sealer: platform.sealer, db: tx }, id, { outcome, now })
}
