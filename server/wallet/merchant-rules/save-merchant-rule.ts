import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import { buildFieldError, ValidationError } from '../../base/core/errors'
import type { Queryable, Transaction } from '../../base/core/platform'
import { requireStepUpToRelax } from '../../identity/passkeys'
import { type Means, recordPersonAct } from '../../shared/audit'
import { AUDIENCE_RULE } from '../merchants'
import {
  MERCHANT_RULES_MAX,
  MERCHANT_RULES_MAX_BY_TOKEN,
  type RelaxedRule,
  type saveMerchantRuleEndpoint,
  type saveMerchantRuleProcedure,
} from './contract'
import { audienceOf } from './merchant'
import { deleteOwnRule, findOwnVerdict, isOwnAgent, type OwnRuleSubject, saveOwnRule } from './own-rules-store'

type Save = typeof saveMerchantRuleEndpoint
type WantedVerdict = InputOf<Save>['verdict']

/** Returns the change that the person must confirm before this rule is saved; null when no confirmation is needed. */
export async function previewMerchantRule(
  { platform, actor }: WalletCall,
  input: InputOf<Save>,
): Promise<{ readonly relaxes: RelaxedRule | null }> {
  const subject = subjectOf({ platform, actor }, input)
  return { relaxes: await relaxedBy(platform.db, subject, input.verdict) }
}

/**
 * POST /wallet/merchant-rules, and in the portal: allows or blocks a merchant for all the person's agents or one of
 * them, or removes the rule. After the response no purchase is granted, and no settlement starts, against the rule. 403
 * step_up_required for an allow, or for lifting a block, without confirmation, 401 insufficient_user_authentication with a wallet
 * token that does not suffice.
 */
export async function saveMerchantRule(
  call: WalletCall,
  { proof, ...input }: ProcedureInput<typeof saveMerchantRuleProcedure>,
): Promise<OutputOf<Save>> {
  const { verdict } = input
  const subject = subjectOf(call, input)
  // Under the person's lock, so that rules are saved and counted one at a time, and never during a settlement.
  const change = {
    relaxes: (tx: Transaction) => relaxedBy(tx, subject, verdict),
    save: (tx: Transaction, means: Means) => saveVerdict(tx, call, { subject, verdict, means }),
  }
  const updatedAt = await requireStepUpToRelax(call, change, proof)
  return {
    merchant_audience: subject.audience,
    agent_client_id: subject.clientId,
    verdict,
    updated_at: updatedAt?.toISOString() ?? null,
  }
}

function subjectOf({ platform, actor }: Pick<WalletCall, 'platform' | 'actor'>, input: InputOf<Save>): OwnRuleSubject {
  const audience = audienceOf(platform, input.merchant_audience)
  if (audience === null) throw buildFieldError(['body', 'merchant_audience'], AUDIENCE_RULE)
  return { principalId: actor.principalId, audience, clientId: input.agent_client_id ?? null }
}

/**
 * Returns the change to confirm, an allow or a lifted block; null for others. Other rules and "only my list" do not
 * count, since they may change later. 404 for another person's agent.
 */
async function relaxedBy(db: Queryable, subject: OwnRuleSubject, verdict: WantedVerdict): Promise<RelaxedRule | null> {
  const { principalId, audience, clientId } = subject
  if (clientId !== null && !(await isOwnAgent(db, principalId, clientId))) throw buildUnknownAgentError()
  const from = await findOwnVerdict(db, subject)
  if (from === verdict || (verdict !== 'allow' && from !== 'deny')) return null
  return { merchant_rule: { merchant_audience: audience, agent_client_id: clientId, from, to: verdict } }
}

interface VerdictChange {
  readonly subject: OwnRuleSubject
  readonly verdict: WantedVerdict
  readonly means: Means
}

/** Saves or removes the rule and records that. Returns when it was saved; null when it was removed. */
async function saveVerdict(
  tx: Transaction,
  call: WalletCall,
  { subject, verdict, means }: VerdictChange,
): Promise<Date | null> {
  const from = await findOwnVerdict(tx, subject)
  const savedAt = await writeVerdict(tx, call, { subject, verdict })
  if (from === verdict) return savedAt
  const about = { agent_client_id: subject.clientId, merchant_audience: subject.audience }
  const payload = { what: 'merchant_rule', from, to: verdict, means, ...about } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.policy.changed', payload })
  return savedAt
}

async function writeVerdict(
  tx: Transaction,
  { platform, actor, now }: WalletCall,
  { subject, verdict }: Pick<VerdictChange, 'subject' | 'verdict'>,
): Promise<Date | null> {
  if (verdict === null) {
    await deleteOwnRule(tx, subject)
    return null
  }
  const max = actor.via === 'token' ? MERCHANT_RULES_MAX_BY_TOKEN : MERCHANT_RULES_MAX
  const savedAt = await saveOwnRule(tx, { ...subject, id: platform.random.uuid(), verdict, now, max })
  if (savedAt !== null) return savedAt
  const msg = `There are ${max} rules already; forget one first`
  throw new ValidationError([{ loc: ['body'], msg, type: 'too_many' }])
}
