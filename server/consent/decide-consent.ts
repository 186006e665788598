import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import type { Transaction } from '../core/platform'
import { approveBump, declineBump } from '../limits'
import { lockPrincipal } from '../principals'
import { rememberedSubject } from './create-consent'
import { type ConsentRow, decidePending, findConsent, rememberApproval } from './store'

interface Decision {
  readonly authorization_id: string
  readonly decision: 'approve' | 'decline'
}

/**
 * Records the person's decision. The same decision again changes nothing and answers the same; the opposite one is a
 * conflict; unknown, expired and foreign consents look alike. Approving also approves the limit bump that was named.
 */
export async function decide(call: WalletCall, input: Decision) {
  const { actor, platform, now } = call
  const status: 'approved' | 'declined' = input.decision === 'approve' ? 'approved' : 'declined'
  const decided = await platform.db.transaction(async (tx) => {
    const verdict = {
      authorizationId: input.authorization_id,
      principalId: actor.principalId,
      status,
      via: actor.via,
      now,
    } as const
    // Before all other rows: a bump's grants are decided under this lock.
    await lockPrincipal(tx, actor.principalId)
    const row = await decidePending(tx, verdict)
    if (row !== null) await applyDecision(tx, call, { ...row, id: verdict.authorizationId, status })
    return row !== null
  })
  if (!decided) await requireSameDecision(call, input.authorization_id, status)
  await platform.cache.publish(`principal:${actor.principalId}`)
  return { authorization_id: input.authorization_id, status }
}

type Decided = Pick<ConsentRow, 'client_id' | 'merchant_audience' | 'scope' | 'limit_bump_id' | 'status'> & {
  readonly id: string
}

async function applyDecision(tx: Transaction, call: WalletCall, row: Decided): Promise<void> {
  const { principalId } = call.actor
  if (row.limit_bump_id !== null) {
    const settleBump = row.status === 'approved' ? approveBump : declineBump
    await settleBump(tx, call, { id: row.limit_bump_id, principalId, consentId: row.id })
  }
  if (row.status !== 'approved') return
  const payment = row.merchant_audience === null ? null : { audience: row.merchant_audience }
  const subject = rememberedSubject({ payment, scope: row.scope })
  await rememberApproval(tx, { principalId, clientId: row.client_id, subject, now: call.now })
}

async function requireSameDecision(
  call: WalletCall,
  authorizationId: string,
  status: ConsentRow['status'],
): Promise<void> {
  const row = await findConsent(call.platform.db, call.actor.principalId, authorizationId)
  if (row === null || row.authorization_id !== authorizationId || row.status === 'pending') {
    throw new ServiceError('not_found', 'There is no such request waiting.')
  }
  if (row.status !== status) {
    throw new ServiceError('conflict', `The request was already ${row.status}.`)
  }
}
