import type { WalletCall } from '../../base/core/call'
import { readPersonsRequest } from './persons-request'
import { type AskedFor, consumeRequest, recordOutcome } from './request-store'

/** Ends a request of this person that nobody has answered; one that has ended stays as it is. 404 as reading it. */
export async function withdrawPersonsRequest(
  call: WalletCall,
  { id, purpose }: { readonly id: string; readonly purpose: AskedFor },
): Promise<void> {
  const { platform, now } = call
  await readPersonsRequest(call, { id, purpose })
  await platform.db.transaction(async (tx) => {
    if (!(await consumeRequest(tx, id, now))) return
    const outcome = { status: 'rejected', error: 'access_denied', description: null } as const
    await recordOutcome({ sealer: platform.sealer, db: tx }, id, { outcome, now })
  })
}
