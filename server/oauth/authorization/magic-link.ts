import { Reply } from '../../base/contract/reply'
import { BASE64URL_32_BYTES } from '../../base/contract/wire'
import { announceChange } from '../../base/core/announce-change'
import type { AnonymousCall, Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { maskMailAddress } from '../../base/core/mask-mail-address'
import type { Platform, Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { MAGIC_LINK_TTL_SECONDS } from '../../base/protocol/lifetimes'
import { recordPersonAct } from '../../shared/audit'
import { findWords, queueMessage, shopName, type Words } from '../../shared/notifications'
import { lockPrincipal, requirePrincipal } from '../../shared/principals'
import { insertConfirmedPurchase } from '../../wallet/approvals'
import { describeStop } from '../../wallet/limits'
import { isListedAudience } from '../../wallet/merchants'
import {
  type ConsumedLink,
  consumeMagicLink,
  findMagicLink,
  insertMagicLink,
  type LinkedRequest,
  type MagicLinkRow,
} from './magic-link-store'
import { mintCode, redirectTo, redirectWithError } from './redirect'

const TOO_MANY_WAITING = 'Too many requests of this agent wait for the person to confirm them.'

/**
 * Replaces an approved request by a magic link, which is mailed to the person. Returns null when another redirect has
 * consumed the request meanwhile. The link opens a page, on which the person must confirm.
 */
export async function sendMagicLink(
  call: AnonymousCall,
  { handleHash, principalId }: { readonly handleHash: string; readonly principalId: string },
): Promise<Reply | null> {
  const { platform, now } = call
  const token = platform.random.token(32)
  const tokenHash = sha256Base64url(token)
  const expiresAt = new Date(now.getTime() + MAGIC_LINK_TTL_SECONDS * 1000)
  const request = await platform.db.transaction(async (tx) => {
    // Locked, so that code that deletes open links sees this one, and parallel redirects do not exceed their number.
    await lockPrincipal(tx, principalId)
    const linked = await insertMagicLink(tx, { handleHash, tokenHash, now, expiresAt })
    if (linked?.linked === true) await notifyPerson(tx, call, { request: linked, token, tokenHash })
    return linked
  })
  if (request === null) return null
  if (!request.linked) {
    return deny(call, request, request.crowded ? TOO_MANY_WAITING : 'The person cannot be asked to confirm.')
  }
  return Reply.json({ status: 'confirmation_sent', expires_in: MAGIC_LINK_TTL_SECONDS }, {}, 202)
}

/** Redirects with access_denied, with the freeze or pause as description, else this reason. */
function deny(call: AnonymousCall, request: LinkedRequest | ConsumedLink, reason: string): Reply {
  return redirectWithError(call, request, [
    'access_denied',
    request.stop === null ? reason : describeStop(request.stop),
  ])
}

interface Announcement {
  readonly request: LinkedRequest
  readonly token: string
  readonly tokenHash: string
}

async function notifyPerson(tx: Transaction, call: Call, { request, token, tokenHash }: Announcement): Promise<void> {
  const link = `${call.platform.config.baseUrl}/magic-link?token=${token}`
  const words = await findWords(tx, request.principal_id)
  const { subject, wish, facts } = await describeTo(tx, call, { request, words })
  const { decide, ifNothing } = words.requests.confirmed
  queueMessage(tx, call, {
    eventKey: `magic-link:${tokenHash}`,
    principalId: request.principal_id,
    channel: 'email',
    recipient: request.email,
    subject,
    text: `${wish}\n\n${facts.join('\n')}\n\n${decide(MAGIC_LINK_TTL_SECONDS / 60, link)}\n\n${ifNothing}`,
    links: [link],
  })
}

interface RequestInWords {
  readonly request: LinkedRequest
  readonly words: Words
}

/** Returns the subject and texts of the mail; only `facts` has words of the agent. */
async function describeTo(tx: Transaction, { now }: Call, { request, words }: RequestInWords) {
  const { requests, money, quoted } = words
  const { subject, accessSubject, wish, accessWish } = requests.confirmed
  const agent = requests.agent(quoted(request.client_name))
  const { payment } = describe(request)
  if (payment === null) return { subject: accessSubject, wish: accessWish, facts: [agent] }
  const { merchant_audience: audience, amount_minor: amountMinor, currency } = payment
  const [amount, verified] = [money(amountMinor, currency), await isListedAudience(tx, audience, now)]
  const shop = shopName({ name: null, audience, verified })
  return {
    subject: subject(amount, shop),
    wish: wish(amount, shop),
    facts: [requests.shop(audience, verified), agent],
  }
}

/** Returns the payment that is requested, with the merchant's canonical address; null for wallet access. */
function describe({
  merchant_audience: merchant,
  authorization_details: [detail],
}: Pick<MagicLinkRow, 'merchant_audience' | 'authorization_details'>) {
  const { amount_minor: amountMinor, currency } = detail ?? {}
  const isPayment = merchant !== null && typeof amountMinor === 'number' && typeof currency === 'string'
  return { payment: isPayment ? { merchant_audience: merchant, amount_minor: amountMinor, currency } : null }
}

/**
 * GET /oauth/magic-link/confirm: consumes the link and redirects to the agent with a code. Unknown, expired and
 * malformed tokens get the same error, used ones another. The token is never repeated.
 */
export async function confirmMagicLink(call: AnonymousCall, { token }: { token?: string | undefined }) {
  const tokenHash = token !== undefined && BASE64URL_32_BYTES.test(token) ? sha256Base64url(token) : null
  if (tokenHash === null) throw buildUnknownLinkError()
  const { code, stored } = mintCode(call)
  const consumed = await call.platform.db.transaction(async (tx) => {
    const authorizationId = call.platform.random.uuid()
    const link = await consumeMagicLink(tx, { tokenHash, authorizationId, code: stored })
    if (link?.coded === true) {
      await recordConfirmation(tx, call, link)
      await auditConfirmation(tx, call, link)
    }
    return link
  })
  if (consumed?.coded === true) {
    await announceChange(call.platform, consumed.principal_id)
    return redirectTo(call, consumed, { code })
  }
  if (consumed !== null) return deny(call, consumed, 'The agent was revoked, or the person no longer takes requests.')
  const link = await findMagicLink(call.platform.db, tokenHash)
  if (link === null || link.consumed_at === null) throw buildUnknownLinkError()
  throw new ServiceError('invalid_request', 'This link was used before: each link confirms once.')
}

/** Records how a purchase was confirmed. Does nothing for wallet access, which has no mandate to refer to it. */
async function recordConfirmation(tx: Transaction, { now }: Call, link: ConsumedLink): Promise<void> {
  const { authorization_id: authorizationId, merchant_audience: merchantAudience } = link
  const [detail] = link.authorization_details
  if (detail?.type !== 'oid4ac_mandate' || authorizationId === null || merchantAudience === null) return
  await insertConfirmedPurchase(tx, {
    authorizationId,
    tokenHash: link.token_hash,
    principalId: link.principal_id,
    clientId: link.client_id,
    merchantAudience,
    amountMinor: detail.amount_minor,
    currency: detail.currency,
    lineItems: detail.line_items,
    offerId: detail.offer_id ?? null,
    scope: link.scope,
    askedAt: link.created_at,
    expiresAt: link.expires_at,
    now,
  })
}

async function auditConfirmation(tx: Transaction, { now }: Call, link: ConsumedLink): Promise<void> {
  const { principal_id: principalId, client_id: clientId } = link
  const { tenant_id: tenantId } = await requirePrincipal(tx, principalId)
  const payload = {
    what: link.merchant_audience === null ? 'wallet_access' : 'purchase',
    from: 'allowed_by_rules',
    to: 'approved',
    means: 'magic_link',
    agent_client_id: clientId,
    authorization_id: link.authorization_id,
    display_digest: null,
    passkey_id: null,
  } as const
  await recordPersonAct(tx, { actor: { principalId, tenantId }, now }, { event: 'oid4ac.consent.approved', payload })
}

function buildUnknownLinkError(): ServiceError {
  return new ServiceError('invalid_request', 'The link is unknown or has expired.')
}

/**
 * Reads the content of the page behind a magic link, without consuming it. Returns null when the link is unknown or
 * expired unused; `used` is true for a used one while it is kept.
 */
export async function readMagicLink(platform: Platform, token: string) {
  const link = BASE64URL_32_BYTES.test(token) ? await findMagicLink(platform.db, sha256Base64url(token)) : null
  if (link === null || (link.consumed_at === null && link.expires_at <= platform.clock.now())) return null
  const { payment } = describe(link)
  const email = link.email === null ? null : maskMailAddress(link.email)
  return { principalId: link.principal_id, agent: link.client_name, email, payment, used: link.consumed_at !== null }
}
