import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { itemsMatchAmount } from '../../../base/core/line-items'
import { AUTHORIZATION_CODE_TTL_SECONDS, PROCESS_CLOCKS_APART_SECONDS } from '../../../base/protocol/lifetimes'
import { canApproveByWallet } from '../../../credentials/presentations'
import { needsPasskey, readPasskeyStatus, webauthnRelyingParty } from '../../../identity/passkeys'
import { keepSessionAlive } from '../../../identity/sessions'
import { type PortalConsent, readConsentForPortal, rememberedAmount } from '../../../wallet/approvals'
import { findPayingCard, listCards } from '../../../wallet/cards'
import { type Allowance, evaluateLimits, readAllowances } from '../../../wallet/limits'
import { findResemblance } from '../shared/check-merchant'
import type { readApprovalProcedure } from './contract'
import { readOperator } from './read-operator'
import { findConsentContext, findLastPurchase } from './store'
import type { ConsentEffect, ConsentView, LastPurchase, SettlementProgress } from './view'

/**
 * Returns the approve page: the request, its effect on the limits, and its outcome. While the request waits, reading
 * its page keeps the session from idling out.
 */
export async function readApproval(
  call: WalletCall,
  input: ProcedureInput<typeof readApprovalProcedure>,
): Promise<ConsentView> {
  const consent = await readConsentForPortal(call, input)
  if (consent.status === 'pending') await keepSessionAlive(call)
  const context = await findConsentContext(call.platform.db, call.actor.principalId, {
    authorizationId: consent.authorization_id,
    now: call.now,
  })
  if (context === null) throw new ServiceError('not_found', 'There is no such request.')
  const { principalId } = call.actor
  return {
    ...consent,
    usable_until: usableUntil(call, consent),
    merchant_verified: context.merchant_verified,
    ...(await readCard(call, consent)),
    effect: await effectOf(call, consent),
    payment: context.payment,
    settlement_status: progressOf(context.settlement),
    settlement_id: context.settlement?.id ?? null,
    total_matches: totalMatches(consent),
    agent_is_new: context.agent_is_new,
    agent_connected_at: context.agent_connected_at.toISOString(),
    operated_by: await readOperator(call, consent.agent.client_id),
    last_purchase: await lastPurchase(call, consent),
    resembles: context.merchant_verified ? null : await resemblance(call, consent),
    approvals_on: await call.platform.switches.isOn('consent_scan'),
    asks_passkey: needsPasskey(
      await readPasskeyStatus(call.platform.db, principalId),
      webauthnRelyingParty(call.platform.config),
    ),
    takes_wallet_app: await takesWalletApp(call, consent),
    ask_above_minor: context.asks_at_new_merchants ? proposedAmount(consent) : null,
    agent_paused: context.agent_paused,
  }
}

/**
 * Returns until when the agent can pay if each step comes as late as it can: the approval when the request expires, and
 * the mandate when the code expires.
 */
function usableUntil({ platform }: WalletCall, { expires_at: expiresAt }: PortalConsent): string {
  const seconds = AUTHORIZATION_CODE_TTL_SECONDS + platform.config.mandateTtlSeconds + PROCESS_CLOCKS_APART_SECONDS
  return new Date(Date.parse(expiresAt) + seconds * 1000).toISOString()
}

/** Returns the card that would be charged. An expired card is charged too: its bank may know the new one. */
async function readCard(
  call: WalletCall,
  { agent }: PortalConsent,
): Promise<Pick<ConsentView, 'default_card' | 'own_card_removed'>> {
  const { principalId } = call.actor
  const paying = await findPayingCard(call.platform.db, { principalId, clientId: agent.client_id })
  const card = (await listCards.verb(call)).cards.find(({ id }) => id === paying.cardId)
  return {
    default_card:
      card === undefined ? null : { brand: card.brand, last4: card.last4, expired: card.status === 'expired' },
    own_card_removed: paying.isOwnRemoved,
  }
}

const takesWalletApp = async (call: WalletCall, { kind, status }: PortalConsent): Promise<boolean> =>
  kind === 'payment' && status === 'pending' && (await canApproveByWallet(call))

const proposedAmount = ({ amount_minor: amountMinor }: PortalConsent): number | null =>
  amountMinor === undefined ? null : rememberedAmount(amountMinor)

type Context = NonNullable<Awaited<ReturnType<typeof findConsentContext>>>

/** Returns the progress that the page shows: a payment that is reserved or sent to the processor is in progress. */
function progressOf(settlement: Context['settlement']): SettlementProgress {
  if (settlement === null) return 'none'
  const { state } = settlement
  return state === 'reserved' || state === 'submitting' ? 'in_progress' : state
}

async function lastPurchase(call: WalletCall, consent: PortalConsent): Promise<LastPurchase | null> {
  const { merchant_audience: audience, created_at: createdAt } = consent
  if (audience === undefined) return null
  const before = new Date(createdAt)
  const row = await findLastPurchase(call.platform.db, call.actor.principalId, { audience, before })
  if (row === null) return null
  const { at, amount_minor, currency, items, client_id, agent_label: label } = row
  return { at: at.toISOString(), amount_minor, currency, items, agent: { client_id, label } }
}

/** Returns the known merchant that an unverified merchant's address resembles; null for none. */
async function resemblance(call: WalletCall, { merchant_audience: audience }: PortalConsent) {
  if (audience === undefined) return null
  return findResemblance(call.platform.db, { audience, principalId: call.actor.principalId, now: call.now })
}

const NO_EFFECT: ConsentEffect = {
  limit_currency: null,
  left_before_minor: null,
  left_after_minor: null,
  refused_currency: false,
}

/** Returns the effect of an approval on today's limits. */
async function effectOf(call: WalletCall, consent: PortalConsent): Promise<ConsentEffect> {
  const { amount_minor: amountMinor, currency } = consent
  if (amountMinor === undefined || currency === undefined) return NO_EFFECT
  const allowances = await readAllowances(call.platform.db, {
    principalId: call.actor.principalId,
    agentClientId: consent.agent.client_id,
    currency,
    now: call.now,
  })
  const evaluation = evaluateLimits({ ...allowances, grants: [] }, { amountMinor, currency })
  return {
    limit_currency:
      evaluation.outcome === 'currency_mismatch' ? evaluation.currencies.join(', ') : allowances.wallet.limits.currency,
    ...leftOf(allowances.wallet, { amountMinor, currency }),
    refused_currency: evaluation.outcome === 'currency_mismatch',
  }
}

function leftOf({ limits, usage }: Allowance, purchase: { amountMinor: number; currency: string }) {
  if (limits.dailyCapMinor === null || limits.currency !== purchase.currency)
    return { left_before_minor: null, left_after_minor: null }
  const before = limits.dailyCapMinor - usage.usedTodayMinor
  return { left_before_minor: Math.max(0, before), left_after_minor: Math.max(0, before - purchase.amountMinor) }
}

function totalMatches({ line_items: items, amount_minor: amountMinor, currency }: PortalConsent): boolean {
  if (items === undefined || amountMinor === undefined || currency === undefined) return true
  return itemsMatchAmount(items, { amountMinor, currency })
}
