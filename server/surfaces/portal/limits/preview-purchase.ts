import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { type Judgement, judge, toJudged } from '../../../wallet/limits'
import type { previewPurchaseProcedure } from './contract'
import { type PreviewContext, type PreviewQuestion, readPreviewContext } from './store'
import type { LimitsPreview, PreviewReason } from './view'

type PurchaseSketch = ProcedureInput<typeof previewPurchaseProcedure>

/**
 * What would happen if an agent wanted to pay this now, by the same rules that decide about real payments. Without an
 * agent or a merchant, what is said about one of them in particular does not count. 404 for another person's agent.
 */
export async function previewPurchase(call: WalletCall, ask: PurchaseSketch): Promise<LimitsPreview> {
  const { platform, actor, now } = call
  const question: PreviewQuestion = {
    principalId: actor.principalId,
    clientId: ask.client_id ?? null,
    audience: ask.merchant_audience ?? null,
    currency: ask.currency,
    now,
  }
  const context = await readPreviewContext(platform.db, question)
  if (context === null) throw new ServiceError('not_found', 'There is no such principal.')
  if (question.clientId !== null && context.agent_id === null) {
    throw new ServiceError('not_found', 'There is no such agent.')
  }
  const preview = refusalOf(context, question) ?? judgePurchase(context, question, ask)
  if (preview.outcome !== 'asked') return preview
  if (!(await platform.switches.isOn('consent_scan'))) return refused({ code: 'approvals_off' })
  return context.agent_muted ? refused({ code: 'agent_muted' }) : preview
}

const refused = (reason: PreviewReason): LimitsPreview => ({ outcome: 'refused', reason })

/** What stands in the way whatever the amount is. */
function refusalOf(context: PreviewContext, { audience }: PreviewQuestion): LimitsPreview | null {
  if (context.processing_restricted) return refused({ code: 'restricted' })
  if (context.agent_revoked) return refused({ code: 'agent_revoked' })
  if (audience !== null && context.policy_denies) return refused({ code: 'merchant_not_allowed' })
  return context.has_card ? null : refused({ code: 'no_card' })
}

function judgePurchase(context: PreviewContext, question: PreviewQuestion, ask: PurchaseSketch): LimitsPreview {
  const judgement = judge(toJudged(context), { amountMinor: ask.amount_minor, currency: ask.currency })
  if (judgement.outcome === 'currency_mismatch') {
    return refused({ code: 'currency', scope: judgement.scope, currency: judgement.currency })
  }
  if (judgement.outcome === 'exceeded') return { outcome: 'asked', reason: excess(judgement, context, ask.currency) }
  return byRule(context, question)
}

function excess(
  { scope, kind, current, requested }: Extract<Judgement, { outcome: 'exceeded' }>,
  { frozen }: PreviewContext,
  currency: string,
): PreviewReason {
  if (frozen && scope === 'wallet' && kind === 'daily_cap') return { code: 'frozen' }
  return { code: 'limit', scope, kind, current, requested, currency }
}

function byRule(context: PreviewContext, { clientId, audience }: PreviewQuestion): LimitsPreview {
  const allowed = (code: 'remembered' | 'within_limits' | 'within_limits_if_known'): LimitsPreview => ({
    outcome: 'allowed',
    reason: { code },
  })
  if (context.approval_rule === 'every_purchase') return { outcome: 'asked', reason: { code: 'every_purchase' } }
  if (context.approval_rule === 'above_limits') return allowed('within_limits')
  if (context.remembered) return allowed('remembered')
  if (clientId === null || audience === null) return allowed('within_limits_if_known')
  return { outcome: 'asked', reason: { code: 'new_merchant' } }
}
