import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { readCardholderChallenge } from '../../../money/settlement'
import { checkMerchant } from '../shared/check-merchant'
import type { cardholderChallengeProcedure } from './contract'
import type { ChallengeView } from './view'

/** Returns a payment that waits, or waited, for the bank's confirmation, with what is known of its merchant. */
export async function readChallenge(
  call: WalletCall,
  input: ProcedureInput<typeof cardholderChallengeProcedure>,
): Promise<ChallengeView> {
  const challenge = await readCardholderChallenge(call, input)
  const { platform, actor, now } = call
  const merchant = { audience: challenge.merchant_audience, principalId: actor.principalId, now }
  return { ...challenge, ...(await checkMerchant(platform.db, merchant)) }
}
