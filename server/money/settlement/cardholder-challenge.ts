import { announceChange } from '../../base/core/announce-change'
import { askProcessor } from '../../base/core/ask-processor'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { inTime } from '../../base/core/in-time'
import type { Platform } from '../../base/core/platform'
import { advance } from './advance'
import { mayAgentPay } from './authority-store'
import { FREEZE_WAIT_MILLISECONDS } from './bounds'
import {
  findSettlementDetails,
  listWaitingSettlements,
  listWithdrawnSettlements,
  type SettlementDetails,
  type SettlementStatus,
} from './store'

/** A payment that the bank wants its cardholder to confirm. Amounts in minor units. */
export interface CardholderChallenge {
  readonly settlement_id: string
  readonly status: 'waiting' | 'succeeded' | 'failed'
  readonly amount_minor: number
  readonly currency: string
  readonly merchant_audience: string
  readonly merchant_name: string | null
  readonly merchant_verified: boolean
  readonly agent_client_id: string
  readonly agent_name: string
  readonly card: { readonly brand: string; readonly last4: string }
  readonly payment_intent_id: string
  readonly expires_at: string
}

/** The data with which the cardholder's browser confirms the payment with their bank. */
export interface BankConfirmation {
  readonly publishable_key: string | null
  readonly client_secret: string
  readonly payment_method_id: string
}

type ChallengeRow = SettlementDetails & { readonly payment_intent_id: string; readonly action_until: Date }

function renderChallenge(row: ChallengeRow): CardholderChallenge {
  return {
    settlement_id: row.id,
    status: row.state === 'succeeded' || row.state === 'failed' ? row.state : 'waiting',
    amount_minor: row.amount_minor,
    currency: row.currency,
    merchant_audience: row.merchant_audience,
    merchant_name: row.merchant_name,
    merchant_verified: row.merchant_verified,
    agent_client_id: row.client_id,
    agent_name: row.agent_name,
    card: { brand: row.brand, last4: row.last4 },
    payment_intent_id: row.payment_intent_id,
    expires_at: row.action_until.toISOString(),
  }
}

const isChallenge = (row: SettlementDetails): row is ChallengeRow =>
  row.payment_intent_id !== null && row.action_until !== null

async function requireOwn({ platform, actor }: WalletCall, id: string): Promise<ChallengeRow> {
  const row = await findSettlementDetails(platform.db, id)
  if (row === null || row.principal_id !== actor.principalId || !isChallenge(row)) {
    throw new ServiceError('not_found', 'There is no such payment to confirm.')
  }
  return row
}

/** Returns the caller's payments that wait for their bank's confirmation, the earliest deadline first. */
export async function listCardholderChallenges({ platform, actor, now }: WalletCall): Promise<CardholderChallenge[]> {
  const rows = await listWaitingSettlements(platform.db, actor.principalId, now)
  return rows.filter(isChallenge).map(renderChallenge)
}

/**
 * Returns one of the caller's payments that waits, or waited, for their bank's confirmation. `bank` is null once it
 * cannot be confirmed, or its agent may not pay any more. 404 for any other.
 */
export async function readCardholderChallenge(
  call: WalletCall,
  { id }: { readonly id: string },
): Promise<CardholderChallenge & { readonly bank: BankConfirmation | null }> {
  const row = await requireOwn(call, id)
  const { db, processor } = call.platform
  const isOpen = row.state === 'requires_action' && row.action_until > call.now
  if (!isOpen || !(await mayAgentPay(db, row.mandate_id))) return { ...renderChallenge(row), bank: null }
  const intent = await askProcessor(() => processor.retrievePaymentIntent(row.payment_intent_id))
  const bank =
    intent?.outcome.status === 'requires_action'
      ? {
          publishable_key: processor.publishableKey,
          client_secret: intent.clientSecret,
          payment_method_id: row.payment_method_id,
        }
      : null
  return { ...renderChallenge(row), bank }
}

/** Asks the processor for the bank's answer, after the cardholder has answered. The resolver also asks later. */
export async function checkCardholderChallenge(
  call: WalletCall,
  { id }: { readonly id: string },
): Promise<CardholderChallenge> {
  const row = await requireOwn(call, id)
  const { platform } = call
  if (row.state === 'requires_action') {
    const intent = await askProcessor(() => platform.processor.retrievePaymentIntent(row.payment_intent_id))
    if (intent !== null) {
      await askProcessor(() => advance(platform, 'cardholder', { kind: 'reconcile', settlementId: id, intent }))
    }
  }
  return renderChallenge(await requireOwn(call, id))
}

/** Declines the payment for the cardholder: closes the intent and fails the settlement, unless the money had moved. */
export async function declineCardholderChallenge(
  call: WalletCall,
  { id }: { readonly id: string },
): Promise<CardholderChallenge> {
  const row = await requireOwn(call, id)
  const { platform } = call
  if (row.state === 'requires_action') {
    await askProcessor(() => closeChallenge(platform, row, 'authentication_required'))
  }
  return renderChallenge(await requireOwn(call, id))
}

/**
 * Follows the commit of everything after which agents may not pay any more: tells the person's open pages, and closes
 * the payments that wait for the bank although their agents may not pay, so that a later confirmation charges nothing.
 * Resolves after five seconds at the latest; what the processor has not closed by then is left to the resolver.
 */
export async function announceStop(platform: Platform, principalId: string): Promise<void> {
  await announceChange(platform, principalId)
  const rows = await listWithdrawnSettlements(platform.db, principalId)
  const closing = rows.filter(isChallenge).map(async (row) => {
    try {
      await inTime(closeChallenge(platform, row, 'authorization_withdrawn'), FREEZE_WAIT_MILLISECONDS)
    } catch (cause) {
      platform.log.warn('withdrawn settlement not closed', { settlementId: row.id }, cause)
    }
  })
  await Promise.all(closing)
}

function closeChallenge(platform: Platform, row: ChallengeRow, code: string): Promise<SettlementStatus | null> {
  const charge = { settlement: row, paymentIntentId: row.payment_intent_id }
  return advance(platform, 'cardholder', { kind: 'close', ...charge, code })
}
