import { TransportFailure } from '../errors.js'
import { expectReply } from '../http/refusals.js'
import { MERCHANT_RESPONSE_MAX_BYTES, SETTLE_TIMEOUT_MS } from '../limits.js'
import { type Payment, purchaseMembers } from './nonce-payment.js'
import { type VerifierReply, verifierReply } from './wire.js'

/** Presents the mandate to a merchant's verifier, which charges it. Repeating with the same key never charges twice. */
export async function presentMandate(verifyUrl: string, payment: Payment): Promise<VerifierReply> {
  const { client, grant, nonce, send, signal } = payment
  const presentation = await client.present(grant.mandate_jwt, { audience: grant.mandate_audience, nonce })
  const reply = await send({
    method: 'POST',
    url: verifyUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ presentation, nonce, ...purchaseMembers(payment) }),
    maxBytes: MERCHANT_RESPONSE_MAX_BYTES,
    timeoutMs: SETTLE_TIMEOUT_MS,
    signal,
  })
  const verified = expectReply(reply, { step: 'verify-mandate', schema: verifierReply, trusted: false })
  if (grant.mandate_id !== undefined && verified.mandate_id !== grant.mandate_id) {
    throw new TransportFailure('the answer is about another mandate')
  }
  return verified
}
