import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Transaction } from '../../base/core/platform'
import { type MessageText, notify, type Words } from '../../shared/notifications'
import { describeParties, purchaseOf } from './answers'
import { CHALLENGE_RETRY_SECONDS, CHALLENGE_SECONDS, FIRST_LOOK_SECONDS } from './bounds'
import type { SettlementContext } from './finalise'
import { mayMove } from './states'
import { markWaiting, type SettlementDetails, type SettlementStatus } from './store'

/**
 * Records that the bank wants the cardholder's confirmation, keeps the money held, and asks the person once to answer
 * their bank. Returns whether this call asked.
 */
export async function askCardholder(
  tx: Transaction,
  { platform, mover, settlement }: SettlementContext,
  paymentIntentId: string,
): Promise<boolean> {
  invariant(mayMove(mover, 'ask_cardholder'), `${mover} may ask the cardholder`)
  const now = platform.clock.now()
  const after = (seconds: number) => new Date(now.getTime() + seconds * 1000)
  const asked = await markWaiting(tx, {
    id: settlement.id,
    paymentIntentId,
    lookAt: after(FIRST_LOOK_SECONDS),
    until: after(CHALLENGE_SECONDS),
  })
  if (!asked) return false
  const link = `${platform.config.baseUrl}/payments/confirm/${settlement.id}`
  const call = { platform, now }
  await notify(tx, call, {
    eventKey: `step-up:${settlement.id}`,
    isRequest: true,
    principalId: settlement.principal_id,
    email: settlement.email,
    compose: (words) => composeText(words, settlement, link),
    links: [link],
    push: { details: { kind: 'bank', ...purchaseOf(settlement) }, expiresAt: after(CHALLENGE_SECONDS) },
  })
  return true
}

function composeText(words: Words, settlement: SettlementDetails, link: string): MessageText {
  const { bank, agent, shop } = words.requests
  const { amount, merchant, agentName, card } = describeParties(settlement, words)
  const facts = [shop(settlement.merchant_audience, settlement.merchant_verified), agent(agentName)]
  return {
    subject: bank.subject(amount, merchant),
    text: `${bank.wish(amount, merchant, card)}\n\n${facts.join('\n')}\n\n${bank.decide(CHALLENGE_SECONDS / 60, link)}`,
  }
}

/**
 * Returns 403 step_up_required for a request while the bank waits; the same key gets the final answer once the
 * cardholder has answered.
 */
export function buildChallengePendingError(settlement: SettlementStatus): ServiceError {
  return new ServiceError(
    'step_up_required',
    'The bank requires the cardholder to confirm the payment; they have been notified. Repeat the request with the same idempotency key.',
    {
      members: {
        settlement_id: settlement.id,
        status: 'requires_action',
        expires_at: settlement.action_until?.toISOString() ?? null,
      },
      headers: { 'retry-after': String(CHALLENGE_RETRY_SECONDS) },
    },
  )
}
