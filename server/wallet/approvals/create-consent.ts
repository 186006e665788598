import type { LineItem } from '../../base/contract/wire'
import type { Call, Client } from '../../base/core/call'
import { buildBarredError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { sha256, sha256Base64url } from '../../base/protocol/encoding'
import { type MessageText, notify, type PushDetails, shopName, type Words } from '../../shared/notifications'
import { lockPrincipal, requirePrincipal } from '../../shared/principals'
import { describeExceeds, type Exceeds, findStop, openBumpOfConsent, type Stop } from '../limits'
import { findSecondsToAsk } from './early-authorize-store'
import { insertConsent, type NewConsent } from './store'

const HANDLE_CHARS = 22
/** The `Retry-After`, in seconds, of a request that was refused because too many wait. */
const ASK_AGAIN_SECONDS = 60

export interface ConsentToCreate {
  readonly authorizationId: string
  /** The agent's handle. Only one-way derivations of it are stored. */
  readonly requestUri: string
  readonly principalId: string
  readonly client: Client
  readonly email: string | null
  readonly mode: 'dashboard' | 'scan'
  readonly scope: readonly string[]
  readonly payment: {
    readonly audience: string
    readonly amount_minor: number
    readonly currency: string
    readonly line_items: readonly LineItem[]
    readonly offer_id?: string | undefined
  } | null
  readonly merchantName: string | null
  readonly merchantVerified: boolean
  readonly firstPurchaseAtMerchant: boolean
  /** The limits that the purchase would exceed; approving it then lifts them once. */
  readonly exceeds: Exceeds | null
  readonly expiresAt: Date
}

/**
 * Returns the last segment of the address that the agent may show: it identifies the consent and does not reveal the
 * handle.
 */
export function approvalHandle(requestUri: string): string {
  return sha256Base64url(`approve:${requestUri}`).slice(0, HANDLE_CHARS)
}

/**
 * Returns the two digits that both agent and page show, so that the person sees that they are about the same request.
 */
export function matchCode(requestUri: string): string {
  const number = sha256(`match-code:${requestUri}`).readUInt32BE(0) % 100
  return String(number).padStart(2, '0')
}

/** Returns 429 with Retry-After: the agent has as many approvals waiting as it may have. */
export function buildTooManyWaitingError(): ServiceError {
  const headers = { 'retry-after': String(ASK_AGAIN_SECONDS) }
  return new ServiceError('rate_limited', 'Too many requests of this agent are waiting for an answer.', { headers })
}

function buildTooManyEarlyError(seconds: number): ServiceError {
  const headers = { 'retry-after': String(seconds) }
  return new ServiceError(
    'rate_limited',
    'Too many requests of this agent were sent to authorize before they were decided. Try again later.',
    { headers },
  )
}

/**
 * Asks the person for an approval: inserts the consent, the limit bump that it needs, and the message about it. Returns
 * null, or for a purchase the stop that prevents it, in which case nothing is inserted. 400 access_denied when
 * processing is restricted; 429 when the agent has three waiting or has sent too many to authorize undecided. Parallel
 * requests wait for each other, so that three are never exceeded.
 */
export async function createConsent(tx: Transaction, call: Call, consent: ConsentToCreate): Promise<Stop | null> {
  await lockPrincipal(tx, consent.principalId)
  const { principalId, client } = consent
  const stop = consent.payment === null ? null : await findStop(tx, { principalId, clientId: client.id })
  if (stop !== null) return stop
  const limitBumpId = await bumpOf(tx, call, consent)
  const inserted = await insertConsent(tx, { ...toConsent(consent), limitBumpId, now: call.now })
  if (inserted === null) throw await buildUnservedError(tx, consent, call.now)
  await announce(tx, call, { ...consent, ...inserted })
  return null
}

async function buildUnservedError(
  tx: Transaction,
  { principalId, client }: ConsentToCreate,
  now: Date,
): Promise<ServiceError> {
  const { erased, processing_restricted: restricted } = await requirePrincipal(tx, principalId)
  if (erased || restricted) return buildBarredError()
  const seconds = await findSecondsToAsk(tx, { principalId, clientId: client.id, now })
  return seconds === null ? buildTooManyWaitingError() : buildTooManyEarlyError(seconds)
}

function toConsent(consent: ConsentToCreate): Omit<NewConsent, 'limitBumpId' | 'now'> {
  const { payment } = consent
  return {
    authorizationId: consent.authorizationId,
    approvalHandle: approvalHandle(consent.requestUri),
    matchCode: matchCode(consent.requestUri),
    principalId: consent.principalId,
    clientId: consent.client.id,
    kind: payment === null ? 'wallet' : 'payment',
    mode: consent.mode,
    merchantAudience: payment?.audience ?? null,
    merchantName: consent.merchantName,
    amountMinor: payment?.amount_minor ?? null,
    currency: payment?.currency ?? null,
    lineItems: payment?.line_items ?? null,
    offerId: payment?.offer_id ?? null,
    scope: consent.scope,
    firstPurchaseAtMerchant: consent.firstPurchaseAtMerchant,
    expiresAt: consent.expiresAt,
  }
}

/** Opens the limit bump that is decided with the consent; returns its id, or null when the payment exceeds no limit. */
async function bumpOf(tx: Transaction, call: Call, consent: ConsentToCreate): Promise<string | null> {
  const { exceeds, payment } = consent
  if (exceeds === null || payment === null) return null
  return openBumpOfConsent(tx, call, {
    consentId: consent.authorizationId,
    principalId: consent.principalId,
    agentClientId: consent.client.id,
    merchantAudience: payment.audience,
    currency: payment.currency,
    amountMinor: payment.amount_minor,
    items: sql`${JSON.stringify(payment.line_items)}::jsonb`,
    exceeds,
    expiresAt: consent.expiresAt,
  })
}

type NamedConsent = ConsentToCreate & { readonly agentName: string }

async function announce(tx: Transaction, call: Call, consent: NamedConsent): Promise<void> {
  // The link opens a page that asks for sign-in and shows the request; following it decides nothing.
  const link = `${call.platform.config.baseUrl}/approve/${consent.authorizationId}`
  await notify(tx, call, {
    eventKey: `consent:${consent.authorizationId}`,
    isRequest: true,
    principalId: consent.principalId,
    email: consent.email,
    compose: (words) => composeText(words, consent, link),
    links: [link],
    push: { details: pushDetailsOf(consent), expiresAt: consent.expiresAt },
  })
}

/** Returns the request's facts for a message on a lock screen. */
function pushDetailsOf({ payment, merchantName, merchantVerified, requestUri }: ConsentToCreate): PushDetails {
  if (payment === null) return { kind: 'access', matchCode: matchCode(requestUri) }
  const { amount_minor: amountMinor, currency, audience } = payment
  const shop = { name: merchantName, audience, verified: merchantVerified }
  return { kind: 'purchase', amountMinor, currency, shop, matchCode: matchCode(requestUri) }
}

function composeText(words: Words, consent: NamedConsent, link: string): MessageText {
  const { subject, wish, facts, ifNothing } = describe(words, consent)
  return { subject, text: `${wish}\n\n${facts.join('\n')}\n\n${words.requests.decide(link)}\n\n${ifNothing}` }
}

/**
 * Describes the request in words. Text that the agent wrote appears only among the facts, never in the subject or first
 * line.
 */
function describe(words: Words, { payment, agentName, merchantName, merchantVerified, exceeds }: NamedConsent) {
  const { requests, money, quoted } = words
  const agent = requests.agent(quoted(agentName))
  if (payment === null) return { ...requests.access, ifNothing: requests.confirmed.ifNothing, facts: [agent] }
  const { amount_minor: amountMinor, currency, audience } = payment
  const shop = shopName({ name: merchantName, audience, verified: merchantVerified })
  return {
    subject: requests.purchase.subject,
    wish: requests.purchase.wish(money(amountMinor, currency), shop),
    ifNothing: requests.ifNothing,
    facts: [
      requests.shop(audience, merchantVerified),
      agent,
      ...(exceeds === null ? [] : [describeExceeds(exceeds, currency, words)]),
    ],
  }
}
