import { Stripe } from 'stripe'
import { ServiceError } from '../../core/errors'
import { invariant } from '../../core/invariant'
import { epochSeconds } from '../../protocol/claims'
import { ensure, ProtocolError } from '../../protocol/errors'
import { WEBHOOK_TOLERANCE_SECONDS } from '../../protocol/lifetimes'

const HEADER_MAX_CHARS = 1_024
const TIME = /^t=[0-9]{1,12}$/

/**
 * Signs the body of a webhook as Stripe does: `t=<unix>,v1=<hex HMAC-SHA256 of "t.body">`.
 * @see {@link https://docs.stripe.com/webhooks#verify-manually}
 */
export function signWebhook({ body, secret, now }: { body: Uint8Array | string; secret: string; now: Date }): string {
  const payload = Buffer.from(body).toString()
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: epochSeconds(now) })
}

/**
 * Checks the signature of a webhook, whose time may differ from now by 300 s; refusals are `invalid_signature`. There
 * may be several `v1` while a secret is rotated, of which one must match. The signature is over text, so bytes that are
 * not UTF-8 are refused.
 * @see {@link https://docs.stripe.com/webhooks#verify-manually}
 */
export function verifyWebhookSignature(input: {
  readonly header: string | null
  readonly body: Uint8Array | string
  readonly secret: string
  readonly now: Date
}): void {
  const { header, body, secret, now } = input
  ensure(header !== null && header.length <= HEADER_MAX_CHARS, 'invalid_signature', 'The webhook signature is missing')
  const fields = header.split(',').map((field) => field.trim())
  const [time = '', ...otherTimes] = fields.filter((field) => field.startsWith('t='))
  ensure(TIME.test(time) && otherTimes.length === 0, 'invalid_signature', 'The webhook signature is malformed')
  // The SDK knows an upper bound for the age only.
  const isPast = Number(time.slice(2)) - epochSeconds(now) <= WEBHOOK_TOLERANCE_SECONDS
  ensure(isPast, 'invalid_signature', 'The webhook signature lies in the future')
  const { signature } = Stripe.webhooks
  invariant(signature !== null, 'the SDK verifies signatures')
  try {
    const received = [WEBHOOK_TOLERANCE_SECONDS, undefined, now.getTime()] as const
    signature.verifyHeader(Buffer.from(body), fields.join(','), secret, ...received)
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error
    throw new ProtocolError('invalid_signature', 'The webhook signature is not valid or too old')
  }
}

/** Throws 400 invalid_signature unless `verifyWebhookSignature` accepts the header `name` for the body. */
export function requireWebhookSignature(input: {
  readonly header: string | undefined
  readonly name: string
  readonly body: Uint8Array
  readonly secret: string
  readonly now: Date
}): void {
  const { header, name, ...signed } = input
  if (header === undefined) throw new ServiceError('invalid_signature', `The ${name} header is missing.`)
  try {
    verifyWebhookSignature({ header, ...signed })
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new ServiceError('invalid_signature', `${cause.message}.`, { cause })
  }
}
