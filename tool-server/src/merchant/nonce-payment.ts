import type { CountersignClient } from '../client/index.js'
import { wantsNonce } from '../client/session.js'
import type { OutboundReply, SendRequest } from '../http/outbound.js'
import { expectReply } from '../http/refusals.js'
import { MERCHANT_RESPONSE_MAX_BYTES } from '../limits.js'
import type { MerchantRoute, Order } from '../payment/order.js'
import type { Grant } from '../state/pending-store.js'
import { nonceReply, type OrderReply, orderReply, reportReply } from './wire.js'

/** A purchase with the mandate to present to a merchant. */
export interface Payment {
  readonly client: CountersignClient
  readonly send: SendRequest
  readonly order: Order
  readonly grant: Grant
  /** A single-use nonce of the merchant. */
  readonly nonce: string
  readonly idempotencyKey: string
  readonly signal: AbortSignal
}

const STEP = 'verify-mandate'

/**
 * Places an order at a merchant that takes payments itself, with mandate and proof of possession, both bound to the
 * nonce. A merchant may name another nonce in its first response. Repeating with the same key returns the same order.
 */
export async function placeOrder(baseUrl: string, payment: Payment): Promise<OrderReply> {
  const first = await postPayment(baseUrl, payment, payment.nonce)
  const offered = first.headers['dpop-nonce']
  const again = wantsNonce(first) && typeof offered === 'string' && offered !== ''
  const reply = again ? await postPayment(baseUrl, payment, offered) : first
  return expectReply(reply, { step: STEP, schema: orderReply, trusted: false })
}

/** Reports the settlement to the merchant; returns its receipt, if it answers with one. */
export async function reportSettlement(
  baseUrl: string,
  settled: { readonly orderId: string; readonly receiptJws: string },
  call: { readonly send: SendRequest; readonly signal: AbortSignal },
): Promise<Record<string, unknown> | undefined> {
  const reply = await call.send({
    method: 'POST',
    url: `${withoutSlash(baseUrl)}/payments/${encodeURIComponent(settled.orderId)}/settlement`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receipt_jws: settled.receiptJws }),
    maxBytes: MERCHANT_RESPONSE_MAX_BYTES,
    signal: call.signal,
  })
  return expectReply(reply, { step: 'settlement report', schema: reportReply, trusted: false })?.receipt ?? undefined
}

/** Fetches a single-use nonce of the merchant, before a mandate is presented to it. */
export async function fetchNonce(
  { kind, url }: MerchantRoute,
  { send, signal }: Pick<Payment, 'send' | 'signal'>,
): Promise<string> {
  const address = kind === 'base_api' ? `${withoutSlash(url)}/nonce` : nonceUrl(url)
  const reply = await send({ method: 'GET', url: address, maxBytes: MERCHANT_RESPONSE_MAX_BYTES, signal })
  return expectReply(reply, { step: 'merchant nonce', schema: nonceReply, trusted: false }).nonce
}

/** Returns the nonce address of a verifier: its last path segment replaced by `nonce`. */
export function nonceUrl(verifyUrl: string): string {
  const url = new URL(verifyUrl)
  url.pathname = url.pathname.replace(/\/+$/, '')
  return new URL('nonce', url.href).href
}

/** Returns the members that describe the purchase to every merchant. */
export const purchaseMembers = ({ order, idempotencyKey }: Payment): Record<string, unknown> => ({
  line_items: order.lineItems,
  offer_id: order.offerId,
  offer_digest: order.offerDigest,
  idempotency_key: idempotencyKey,
})

async function postPayment(baseUrl: string, payment: Payment, nonce: string): Promise<OutboundReply> {
  const { client, grant, send, signal } = payment
  const url = `${withoutSlash(baseUrl)}/payments`
  const presentation = await client.present(grant.mandate_jwt, { audience: grant.mandate_audience, nonce })
  return send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', dpop: await client.prove({ method: 'POST', url, nonce }) },
    body: JSON.stringify({ presentation, ...purchaseMembers(payment) }),
    maxBytes: MERCHANT_RESPONSE_MAX_BYTES,
    signal,
  })
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '')
