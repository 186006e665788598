import type { InputOf, OutputOf } from '../contract/endpoint'
import type { WalletCall } from '../core/call'
import { ValidationError } from '../core/errors'
import type { Transaction } from '../core/platform'
import { lockPrincipal } from '../principals'
import { MERCHANT_RULES_MAX, type saveMerchantRuleEndpoint } from './contract'
import { audienceOf, isSafeAudience } from './merchant'
import { forgetOwnRule, isOwnAgent, type OwnRuleSubject, saveOwnRule } from './own-rules-store'
import { requireAgent } from './require-agent'

type Save = typeof saveMerchantRuleEndpoint
type Verdict = InputOf<Save>['verdict']

/**
 * POST /wallet/merchant-rules: the person allows or blocks a merchant for all their agents or one of them, or forgets
 * what they said. From the answer on no purchase is granted, and no settlement starts, against it.
 */
export async function saveMerchantRule(call: WalletCall, input: InputOf<Save>): Promise<OutputOf<Save>> {
  const { platform, actor } = call
  const subject = {
    principalId: actor.principalId,
    audience: readAudience(input),
    clientId: input.agent_client_id ?? null,
  }
  const updatedAt = await platform.db.transaction(async (tx) => {
    // Rules are saved and counted one after the other, and never amid a settlement.
    await lockPrincipal(tx, subject.principalId)
    if (subject.clientId !== null) requireAgent(await isOwnAgent(tx, subject.principalId, subject.clientId))
    return change(tx, call, { subject, verdict: input.verdict })
  })
  await platform.cache.publish(`principal:${actor.principalId}`)
  return {
    merchant_audience: subject.audience,
    agent_client_id: subject.clientId,
    verdict: input.verdict,
    updated_at: updatedAt?.toISOString() ?? null,
  }
}

async function change(
  tx: Transaction,
  { platform, now }: WalletCall,
  { subject, verdict }: { subject: OwnRuleSubject; verdict: Verdict },
): Promise<Date | null> {
  if (verdict === null) {
    await forgetOwnRule(tx, subject)
    return null
  }
  const rule = { ...subject, id: platform.random.uuid(), verdict, now, most: MERCHANT_RULES_MAX }
  const savedAt = await saveOwnRule(tx, rule)
  if (savedAt !== null) return savedAt
  const msg = `There are ${MERCHANT_RULES_MAX} rules already; forget one first`
  throw new ValidationError([{ loc: ['body'], msg, type: 'too_many' }])
}

/** Whatever an agent may name can be blocked and forgotten; on the list comes only what nobody on the way can replace. */
function readAudience({ merchant_audience: given, verdict }: InputOf<Save>): string {
  const audience = audienceOf(given)
  if (audience !== null && (verdict !== 'allow' || isSafeAudience(audience))) return audience
  const msg = 'Must be an absolute https URL, or http on the loopback interface'
  throw new ValidationError([{ loc: ['body', 'merchant_audience'], msg, type: 'value_error' }])
}
