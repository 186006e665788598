import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import type { Config } from '../../../base/core/platform'
import { type Exceeds, judge, readJudged } from '../../../wallet/limits'
import type { previewPurchaseProcedure } from './contract'
import { type PreviewContext, type PreviewSubject, readPreviewContext } from './store'
import type { LimitsPreview, PreviewReason } from './view'

type PlannedPurchase = ProcedureInput<typeof previewPurchaseProcedure>

/**
 * What would happen if an agent wanted to pay this now, by the same rules that decide about real payments. Without an
 * agent or a merchant, what is said about one of them in particular does not count. 404 for another person's agent.
 */
export async function previewPurchase(call: WalletCall, purchase: PlannedPurchase): Promise<LimitsPreview> {
  const { platform, actor, now } = call
  const subject: PreviewSubject = {
    principalId: actor.principalId,
    clientId: purchase.client_id ?? null,
    audience: purchase.merchant_audience ?? null,
    currency: purchase.currency,
    amountMinor: purchase.amount_minor,
    now,
  }
  const context = await readPreviewContext(platform.db, subject)
  if (context === null) throw new ServiceError('not_found', 'There is no such principal.')
  if (subject.clientId !== null && context.agent_id === null) {
    throw new ServiceError('not_found', 'There is no such agent.')
  }
  const preview = findRefusal(platform.config, context, subject) ?? (await judgePurchase(call, context, subject))
  if (preview.outcome !== 'asked') return preview
  if (!(await platform.switches.isOn('consent_scan'))) return refuse({ code: 'approvals_off' })
  return preview
}

const refuse = (reason: PreviewReason): LimitsPreview => ({ outcome: 'refused', reason })

/** Reasons to refuse that do not depend on the amount. */
function findRefusal(
  { unlistedMerchants }: Config,
  context: PreviewContext,
  { audience }: PreviewSubject,
): LimitsPreview | null {
  const isUnlisted = audience !== null && !context.merchant_listed
  if (context.merchant_lapsed || (isUnlisted && unlistedMerchants === 'refuse'))
    return refuse({ code: 'merchant_unlisted' })
  if (context.processing_restricted) return refuse({ code: 'restricted' })
  if (context.agent_revoked) return refuse({ code: 'agent_revoked' })
  if (context.stop !== null) return refuse({ code: context.stop === 'frozen' ? 'frozen' : 'agent_paused' })
  if (audience !== null && context.policy_denies) return refuse({ code: 'merchant_not_allowed' })
  return context.has_card ? null : refuse({ code: 'no_card' })
}

async function judgePurchase(
  { platform }: WalletCall,
  context: PreviewContext,
  subject: PreviewSubject,
): Promise<LimitsPreview> {
  const judged = await readJudged(platform.db, context, { ...subject, agentClientId: subject.clientId })
  const judgement = judge(judged, subject)
  if (judgement.outcome === 'currency_mismatch') {
    return refuse({ code: 'currency', scope: judgement.scope, currency: judgement.currency })
  }
  if (judgement.outcome === 'exceeded')
    return { outcome: 'asked', reason: describeExcess(judgement.exceeds, subject.currency) }
  return applyRule(context, subject)
}

function describeExcess([first]: Exceeds, currency: string): PreviewReason {
  const { scope, kind, current_minor: current, requested_minor: requested } = first
  return { code: 'limit', scope, kind, current, requested, currency }
}

function applyRule(context: PreviewContext, { clientId, audience }: PreviewSubject): LimitsPreview {
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
