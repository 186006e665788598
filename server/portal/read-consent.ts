import type * as z from 'zod'
import { listCards } from '../cards'
import { type PortalConsent, readConsentForPortal, readMutedUntil } from '../consent'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { type Judged, type Judgement, judge, readJudged } from '../limits'
import { needsPasskey, readStanding, relyingParty } from '../passkeys'
import { findLastPurchase, listKnownShops } from './consent-store'
import type { ConsentEffect, ConsentView, consentChoice, LastPurchase } from './contract'
import { findLookAlike } from './look-alike'
import { perform } from './perform'
import { findConsentSurroundings, progressOf } from './store'

/** The approve page: the request, what it would do to the limits, and what became of it. */
export async function readConsentDetail(call: WalletCall, input: z.output<typeof consentChoice>): Promise<ConsentView> {
  const consent = await readConsentForPortal(call, input)
  const around = await findConsentSurroundings(call.platform.db, call.actor.principalId, consent.authorization_id)
  if (around === null) throw new ServiceError('not_found', 'There is no such request.')
  const { cards } = await perform(listCards, call)
  const card = cards.find((candidate) => candidate.is_default && candidate.status === 'active')
  const { principalId } = call.actor
  const agent = { principalId, clientId: consent.agent.client_id, now: call.now }
  return {
    ...consent,
    merchant_verified: around.merchant_verified,
    default_card: card === undefined ? null : { brand: card.brand, last4: card.last4 },
    effect: await effectOf(call, consent),
    payment: around.payment,
    settlement_status: progressOf(around.settlement),
    settlement_id: around.settlement?.id ?? null,
    total_matches: totalMatches(consent),
    agent_is_new: around.agent_is_new,
    last_purchase: await lastPurchase(call, consent),
    resembles: around.merchant_verified ? null : await resemblance(call, consent),
    asks_passkey: needsPasskey(await readStanding(call.platform.db, principalId), relyingParty(call.platform.config)),
    agent_muted_until: await readMutedUntil(call.platform.db, agent),
  }
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

/** A verified merchant is who it says; of any other it is told which shop its address could be taken for. */
async function resemblance(call: WalletCall, { merchant_audience: audience }: PortalConsent) {
  if (audience === undefined) return null
  return findLookAlike(audience, await listKnownShops(call.platform.db, call.actor.principalId))
}

const NO_EFFECT: ConsentEffect = {
  limit_currency: null,
  left_before_minor: null,
  left_after_minor: null,
  exceeded: null,
  refused_currency: false,
}

/** What approving would use up of today, while it can still be decided. */
async function effectOf(call: WalletCall, consent: PortalConsent): Promise<ConsentEffect> {
  const { merchant_audience: merchantAudience, amount_minor: amountMinor, currency } = consent
  if (merchantAudience === undefined || amountMinor === undefined || currency === undefined) return NO_EFFECT
  const judged = await readJudged(call.platform.db, {
    principalId: call.actor.principalId,
    agentClientId: consent.agent.client_id,
    merchantAudience,
    currency,
    now: call.now,
  })
  const judgement = judge(judged, { amountMinor, currency })
  return {
    limit_currency: judgement.outcome === 'currency_mismatch' ? judgement.currency : judged.wallet.limits.currency,
    ...leftOf(judged, { amountMinor, currency }),
    exceeded: exceededOf(judgement),
    refused_currency: judgement.outcome === 'currency_mismatch',
  }
}

function leftOf({ wallet: { limits, usage } }: Judged, ask: { amountMinor: number; currency: string }) {
  if (limits.dailyCapMinor === null || limits.currency !== ask.currency)
    return { left_before_minor: null, left_after_minor: null }
  const before = limits.dailyCapMinor - usage.usedTodayMinor
  return { left_before_minor: Math.max(0, before), left_after_minor: Math.max(0, before - ask.amountMinor) }
}

function exceededOf(judgement: Judgement): ConsentEffect['exceeded'] {
  if (judgement.outcome === 'currency_mismatch') return null
  return judgement.outcome === 'within'
    ? []
    : [judgement, ...judgement.others].map(({ scope, kind }) => ({ scope, kind }))
}

/** Items that all name a price must come to the amount exactly; where some do not, the others may not exceed it. */
function totalMatches({ line_items: items, amount_minor: amountMinor }: PortalConsent): boolean {
  if (items === undefined || amountMinor === undefined) return true
  const prices = items.flatMap(({ qty, unit_price_minor: price }) => (price === undefined ? [] : [qty * price]))
  const total = prices.reduce((sum, price) => sum + price, 0)
  return prices.length === items.length ? total === amountMinor : total <= amountMinor
}
