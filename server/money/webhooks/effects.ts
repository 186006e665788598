import { askProcessor } from '../../base/core/ask-processor'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { enrolCard } from '../../wallet/cards'
import { applyDispute, type DisputeStatus } from '../payments'
import { findSettlementByIntent, prepareIntentEffect, type Settlement } from '../settlement'
import type { ProcessorEvent } from './contract'

/** The effect of an event, after it was checked with the processor. */
export interface Effect {
  /** Writes the effect in the transaction that consumes the event's id. Returns whether anything changed. */
  readonly apply: (tx: Transaction) => Promise<boolean>
  /** The person whose pages show the change. */
  readonly principalId: string
}

type Prepare = (call: AnonymousCall, object: ProcessorEvent['data']['object']) => Promise<Effect | null>

const effects: Readonly<Record<string, Prepare>> = {
  'setup_intent.succeeded': prepareEnrolment,
  'payment_intent.succeeded': prepareSettlement,
  'payment_intent.payment_failed': prepareSettlement,
  'payment_intent.requires_action': prepareSettlement,
  'payment_intent.canceled': prepareSettlement,
  'charge.dispute.created': prepareDispute,
  'charge.dispute.updated': prepareDispute,
  'charge.dispute.closed': prepareDispute,
}

/**
 * Asks the processor about the event's subject and prepares its effect; returns null when the event is of no interest.
 * The event itself is only a hint: cards and money follow the processor's answer.
 */
export async function prepareEffect(call: AnonymousCall, event: ProcessorEvent): Promise<Effect | null> {
  const prepare = Object.hasOwn(effects, event.type) ? effects[event.type] : undefined
  return prepare === undefined ? null : askProcessor(() => prepare(call, event.data.object))
}

async function prepareEnrolment(
  { platform, now }: AnonymousCall,
  object: ProcessorEvent['data']['object'],
): Promise<Effect | null> {
  const intent = await platform.processor.retrieveSetupIntent(idOf(object['id']))
  if (intent === null || intent.principalId === null) return null
  if (intent.status !== 'succeeded') throw buildTooEarlyError()
  return { principalId: intent.principalId, apply: (tx) => enrolCard(tx, { platform, now }, intent) }
}

async function prepareSettlement(
  { platform }: AnonymousCall,
  object: ProcessorEvent['data']['object'],
): Promise<Effect | null> {
  const intent = await platform.processor.retrievePaymentIntent(idOf(object['id']))
  const effect = intent === null ? null : await prepareIntentEffect(platform, 'webhook', intent)
  if (effect === 'undecided') throw buildTooEarlyError()
  return effect
}

const disputeStatuses: ReadonlyMap<string, DisputeStatus> = new Map([
  ['needs_response', 'pending'],
  ['under_review', 'pending'],
  // An inquiry, which may become a chargeback or be closed without one.
  ['warning_needs_response', 'pending'],
  ['warning_under_review', 'pending'],
  ['warning_closed', 'won'],
  ['won', 'won'],
  ['lost', 'lost'],
])

async function prepareDispute(
  { platform, now }: AnonymousCall,
  object: ProcessorEvent['data']['object'],
): Promise<Effect | null> {
  const { processor } = platform
  // The processor's record is newer than a late event; the event, which is signed, replaces a record that is missing.
  const dispute = (await processor.retrieveDispute(idOf(object['id']))) ?? {
    paymentIntentId: idOf(object['payment_intent']),
    status: idOf(object['status']),
  }
  const status = disputeStatuses.get(dispute.status)
  const { paymentIntentId } = dispute
  const settlement = await findSettlementByIntent(platform.db, paymentIntentId)
  if (status === undefined || settlement === null) return null
  const intent = await processor.retrievePaymentIntent(paymentIntentId)
  if (intent === null || intent.settlementId !== settlement.id) return null
  // The event about the payment itself may still be on its way; the dispute waits for it.
  if (!isFinal(settlement) || intent.outcome.status === 'unknown') throw buildTooEarlyError()
  if (intent.outcome.status !== 'succeeded') return null
  return {
    principalId: settlement.principal_id,
    apply: (tx) => applyDispute(tx, { paymentIntentId, status, platform, now }),
  }
}

const isFinal = ({ response }: Settlement) => response !== null

function idOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Returns 503: the processor does not confirm its event yet and must send it again. */
function buildTooEarlyError(): ServiceError {
  return new ServiceError('service_unavailable', 'The processor does not confirm this event yet. Send it again.', {
    headers: { 'retry-after': '5' },
  })
}
