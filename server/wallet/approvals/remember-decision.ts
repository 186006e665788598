import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { requirePrincipal } from '../../shared/principals'
import { forgetMerchantApproval, saveRememberedApproval } from './remembered-store'
import { rememberedSubject } from './remembered-subject'
import type { DecidedConsent } from './store'

/**
 * The factor on the approved amount up to which later purchases need no approval, unless the person chose an amount.
 */
const REMEMBERED_TIMES = 2

/** Returns the amount in minor units up to which later purchases need no approval, unless the person chose another. */
export const rememberedAmount = (approvedMinor: number): number => REMEMBERED_TIMES * approvedMinor

interface ApprovedRequest {
  readonly decision: DecidedConsent
  /** The amount in minor units above which the agent must ask again; undefined when the person did not choose. */
  readonly askAbove: number | undefined
}

/**
 * Remembers an approval and replaces an earlier one of the same subject; deletes it for a merchant where the person
 * wants to be asked about every purchase. A purchase is remembered only under the rule `new_merchants`, under which the
 * page says so. The caller holds the person's lock.
 */
export async function rememberDecision(
  tx: Transaction,
  { actor, now }: WalletCall,
  { decision, askAbove }: ApprovedRequest,
): Promise<void> {
  const { client_id: clientId, merchant_audience: audience, amount_minor: amount, currency, scope } = decision
  const { principalId } = actor
  const isPurchase = audience !== null && amount !== null && currency !== null
  const upTo = askAbove ?? rememberedAmount(amount ?? 0)
  if (isPurchase && upTo === 0) {
    await forgetMerchantApproval(tx, principalId, { clientId, audience })
    return
  }
  if (isPurchase && !(await asksAtNewMerchants(tx, principalId))) return
  await saveRememberedApproval(tx, {
    principalId,
    clientId,
    subject: rememberedSubject({ payment: isPurchase ? { audience } : null, scope }),
    purchase: isPurchase ? { up_to_minor: upTo, currency, merchant_name: decision.merchant_name } : null,
    now,
  })
}

async function asksAtNewMerchants(tx: Transaction, principalId: string): Promise<boolean> {
  const { approval_rule: rule } = await requirePrincipal(tx, principalId)
  return rule === 'new_merchants'
}
