import { createHash } from 'node:crypto'
import { CountersignError, Refusal } from '../errors.js'
import type { OutboundReply, SendRequest } from '../http/outbound.js'
import { describeRefusal } from '../http/refusals.js'
import type { JsonObject } from '../json.js'
import { MERCHANT_RESPONSE_MAX_BYTES, SETTLE_TIMEOUT_MS } from '../limits.js'
import { verifyMandateReply } from './wire.js'

/** A presentation that another program made, with the items to buy. */
export interface ForwardedPresentation {
  readonly presentation: string
  readonly lineItems: readonly unknown[]
  readonly offerId: string | undefined
  /** The idempotency key; derived from the presentation when absent, so that a repeated call is the same request. */
  readonly idempotencyKey: string | undefined
}

const STEP = 'verify-mandate'
const RETRY_HINT = 'The mandate is still valid: call this tool again with the same idempotency_key.'
/** The codes with which a verifier may refuse a mandate. */
const MANDATE_CODES: ReadonlySet<string> = new Set([
  'mandate_audience_mismatch',
  'mandate_kb_nonce_mismatch',
  'mandate_status_revoked',
  'mandate_expired',
  'mandate_invalid',
  'offer_digest_mismatch',
])

/**
 * Posts a presentation to a merchant's verifier; returns its response unchanged when that says `ok` and names the
 * mandate.
 */
export async function forwardPresentation(
  verifyUrl: string,
  forwarded: ForwardedPresentation,
  call: { readonly send: SendRequest; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const reply = await call.send({
    method: 'POST',
    url: verifyUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(toBody(forwarded)),
    maxBytes: MERCHANT_RESPONSE_MAX_BYTES,
    timeoutMs: SETTLE_TIMEOUT_MS,
    acceptAnyBody: true,
    signal: call.signal,
  })
  const parsed = reply.status === 200 ? verifyMandateReply.safeParse(reply.json) : null
  if (parsed === null) throw refusalOf(reply)
  if (!parsed.success) throw new CountersignError(`${STEP} failed: 502 bad_gateway`, RETRY_HINT)
  return parsed.data
}

function toBody({ presentation, lineItems, offerId, idempotencyKey }: ForwardedPresentation): JsonObject {
  return {
    presentation,
    line_items: lineItems,
    offer_id: offerId,
    idempotency_key: idempotencyKey ?? createHash('sha256').update(presentation).digest('base64url'),
  }
}

function refusalOf(reply: OutboundReply): Refusal {
  const { status, code, retryAfterMs } = describeRefusal(reply, false)
  const isNamed = code !== undefined && (status !== 422 || MANDATE_CODES.has(code))
  const refused = { status, retryAfterMs, ...(isNamed && { code }) }
  return new Refusal(STEP, { ...refused, description: status >= 500 ? RETRY_HINT : undefined })
}
