import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { checkLimits, type Judgement, type LimitKind } from '../limits'
import { findPrincipal } from '../principals'
import type { ApprovalRule, LimitsPreview, purchaseSketch } from './contract'

const reasonOfKind: Readonly<Record<LimitKind, string>> = {
  single_txn_cap: 'It is more than one payment may be.',
  daily_cap: 'It would exceed what may be spent today.',
  velocity: 'It would be one payment too many for now.',
}

const reasonOfRule: Readonly<Record<ApprovalRule, LimitsPreview>> = {
  every_purchase: { outcome: 'asked', reason: 'You want to be asked about every purchase.' },
  new_merchants: {
    outcome: 'allowed',
    reason: 'It is within your limits. At a merchant that is new to the agent you are asked first.',
  },
  above_limits: { outcome: 'allowed', reason: 'It is within your limits.' },
}

/** What would happen if an agent wanted to pay this now, by the same rules that decide about real payments. */
export async function previewPurchase(call: WalletCall, ask: z.output<typeof purchaseSketch>): Promise<LimitsPreview> {
  const { platform, actor, now } = call
  const principal = await findPrincipal(platform.db, actor.principalId)
  if (principal === null) throw new ServiceError('not_found', 'There is no such principal.')
  if (principal.processing_restricted) {
    return { outcome: 'refused', reason: 'You have restricted processing, so agents get no new permission.' }
  }
  const judgement = await checkLimits(platform.db, {
    principalId: actor.principalId,
    // No agent and no merchant in particular: leave that was granted to one of them does not count.
    agentClientId: '',
    merchantAudience: '',
    amountMinor: ask.amount_minor,
    currency: ask.currency,
    now,
  })
  const preview = outcomeOf(judgement, principal.approval_rule)
  if (preview.outcome !== 'asked' || (await platform.switches.isOn('consent_scan'))) return preview
  return { outcome: 'refused', reason: 'You would have to be asked, but approvals are switched off by the operator.' }
}

function outcomeOf(judgement: Judgement, rule: ApprovalRule): LimitsPreview {
  if (judgement.outcome === 'currency_mismatch') {
    return {
      outcome: 'refused',
      reason: `Your limits are in ${judgement.currency}, so payments in other currencies are refused.`,
    }
  }
  if (judgement.outcome === 'within') return reasonOfRule[rule]
  return { outcome: 'asked', reason: `${reasonOfKind[judgement.kind]} You are asked first.` }
}
