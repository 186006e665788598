import { createHmac, timingSafeEqual } from 'node:crypto'
import { epochSeconds } from './claims'
import { ensure } from './errors'
import { WEBHOOK_TOLERANCE_SECONDS } from './lifetimes'

const HEADER_MAX_CHARS = 1_024
const TIME = /^[0-9]{1,12}$/

/**
 * Signs the body of a webhook as `t=<unix>,v1=<hex HMAC-SHA256 of "t.body">`. The form is that of Stripe's webhooks.
 * @see {@link https://docs.stripe.com/webhooks#verify-manually}
 */
export function signWebhook({ body, secret, now }: { body: Uint8Array | string; secret: string; now: Date }): string {
  const time = String(epochSeconds(now))
  return `t=${time},v1=${macOf(time, body, secret)}`
}

/**
 * Checks the signature of a webhook; refusals are `invalid_signature`. Several `v1` may stand beside each other while a
 * secret is rotated: one that fits is enough.
 * @see {@link https://docs.stripe.com/webhooks#verify-manually}
 */
export function checkWebhookSignature(input: {
  readonly header: string | null
  readonly body: Uint8Array | string
  readonly secret: string
  readonly now: Date
}): void {
  const { header, body, secret, now } = input
  ensure(header !== null && header.length <= HEADER_MAX_CHARS, 'invalid_signature', 'The webhook signature is missing')
  const fields = header.split(',').map((field) => field.trim())
  const valuesOf = (name: string) =>
    fields.filter((field) => field.startsWith(`${name}=`)).map((field) => field.slice(name.length + 1))
  const [time, ...otherTimes] = valuesOf('t')
  const hasTime = time !== undefined && TIME.test(time) && otherTimes.length === 0
  ensure(hasTime, 'invalid_signature', 'The webhook signature is malformed')
  const wanted = Buffer.from(macOf(time, body, secret))
  const isSigned = valuesOf('v1')
    .map((mac) => Buffer.from(mac))
    .some((given) => given.length === wanted.length && timingSafeEqual(given, wanted))
  ensure(isSigned, 'invalid_signature', 'The webhook signature is not valid')
  const isRecent = Math.abs(epochSeconds(now) - Number(time)) <= WEBHOOK_TOLERANCE_SECONDS
  ensure(isRecent, 'invalid_signature', 'The webhook signature is too old')
}

function macOf(time: string, body: Uint8Array | string, secret: string): string {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')
}
