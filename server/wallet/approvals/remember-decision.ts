import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { requirePrincipal } from '../../shared/principals'
import { forgetMerchantApproval, saveRememberedApproval } from './remembered-store'
import { rememberedSubject } from './remembered-subject'
import type { DecidedConsent } from './store'

/** How often the approved amount a later purchase may be without another approval, where the person did not choose. */
const REMEMBERED_TIMES = 2

/** Up to which amount an approved purchase is remembered unless the person chooses otherwise. */
export const rememberedAmount = (approvedMinor: number): number => REMEMBERED_TIMES * approvedMinor

interface ApprovedRequest {
  readonly decision: DecidedConsent
  /** Above which amount the person wants to be asked next time; undefined where they did not choose. */
  readonly askAbove: number | undefined
}

/**
 * Remembers an approval, in place of an earlier one of the same; a merchant is forgotten where every purchase is to be asked
 * about. A purchase is remembered under the rule `new_merchants` alone, with which the page says so. The caller holds the
 * person's lock.
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
