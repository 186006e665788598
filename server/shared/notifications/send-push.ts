import { OutboundFailure } from '../../base/core/outbound-failure'
import type { OutboundAnswer, Platform } from '../../base/core/platform'
import { encryptPush, parsePushKeys, signVapid } from '../../base/protocol/web-push'
import { deleteGoneDevice, findAddress, markDevice } from './device-store'
import { readPushKey } from './push-key'
import type { PushData } from './push-message'
import { isPushService, openSubscription, type PushSubscription } from './push-subscription'
import { type PushText, pushText } from './push-text'

const SALT_BYTES = 16
const PRIVATE_KEY_BYTES = 32
/** The length to which a message is padded before it is encrypted, so that its length tells a push service nothing. */
const PADDED_BYTES = 2_800
const RETRY_MAX_SECONDS = 3_600

/** The content that one device shows. */
export interface PushContent extends PushText {
  /** The page of this server that it opens. */
  readonly link: string
}

/**
 * The result of sending a message: accepted by the push service, the device is gone, or not accepted for now or for
 * good.
 */
export type PushOutcome =
  | { readonly kind: 'accepted' | 'gone' }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'postponed'; readonly code: string; readonly retrySeconds: number }

interface PushToSend {
  readonly content: PushContent
  readonly data: PushData
  /** The person that the device must belong to; null when the message was written for the device itself. */
  readonly principalId: string | null
}

/**
 * Sends one message to one device now, and records the result with the device. Never throws for failures of the push
 * service.
 */
export async function sendPush(platform: Platform, { content, data, principalId }: PushToSend): Promise<PushOutcome> {
  const { db, sealer, clock } = platform
  const address = await findAddress(db, data.device_id, principalId)
  if (address === null) return { kind: 'gone' }
  const subscription = openSubscription(sealer, address.endpoint_hash, address.sealed_subscription)
  const outcome = await post(platform, { subscription, content, data })
  if (outcome.kind === 'gone') await deleteGoneDevice(db, address)
  else await markDevice(db, address.id, { isOk: outcome.kind === 'accepted', now: clock.now() })
  return outcome
}

interface Posted {
  readonly subscription: PushSubscription
  readonly content: PushContent
  readonly data: PushData
}

async function post(platform: Platform, posted: Posted): Promise<PushOutcome> {
  // The setting may have changed since the device was added.
  if (!isPushService(platform, posted.subscription.endpoint)) return { kind: 'refused', code: 'NOT_ALLOWED' }
  try {
    const answer = await postOnce(platform, posted, PADDED_BYTES)
    if (answer.status !== 413) return toOutcome(answer, platform.clock.now())
    const smaller = { ...posted, content: { ...posted.content, ...pushText({ kind: 'hidden' }, posted.data.language) } }
    return toOutcome(await postOnce(platform, smaller, 0), platform.clock.now())
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { kind: 'postponed', code: 'UNREACHABLE', retrySeconds: 0 }
  }
}

/** Posts a message to a push service once. @see {@link https://www.rfc-editor.org/rfc/rfc8030#section-5} */
async function postOnce(
  platform: Platform,
  { subscription, content, data }: Posted,
  paddedBytes: number,
): Promise<OutboundAnswer> {
  const { outbound, random, clock, config } = platform
  const now = clock.now()
  const key = await readPushKey(platform)
  const { endpoint } = subscription
  const { title, body, link } = content
  const { topic, urgency, language: lang } = data
  const text = JSON.stringify({ title, body, url: pathOf(link), tag: topic, lang })
  const secrets = {
    keys: parsePushKeys(subscription),
    salt: random.bytes(SALT_BYTES),
    privateKey: random.bytes(PRIVATE_KEY_BYTES),
    paddedBytes,
  }
  return outbound.post(endpoint, {
    headers: {
      authorization: await signVapid({ endpoint, subject: config.pushContact, now }, key),
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      ttl: String(Math.max(0, Math.ceil((Date.parse(data.expires_at) - now.getTime()) / 1000))),
      urgency,
      topic,
    },
    body: encryptPush(Buffer.from(text), secrets),
  })
}

const pathOf = (link: string): string => {
  const { pathname, search } = new URL(link)
  return pathname + search
}

/** Returns the outcome of a response. Redirects are not followed and count as refusals. */
function toOutcome({ status, retryAfter }: OutboundAnswer, now: Date): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const code = `HTTP_${status}`
  if (status !== 429 && status < 500) return { kind: 'refused', code }
  return { kind: 'postponed', code, retrySeconds: retrySeconds(retryAfter, now) }
}

/** Reads a `Retry-After` in seconds or as a date (RFC 9110 section 10.2.3); returns an hour at most. */
function retrySeconds(value: string | null, now: Date): number {
  const seconds = /^\d{1,9}$/.test(value ?? '') ? Number(value) : (Date.parse(value ?? '') - now.getTime()) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(0, seconds), RETRY_MAX_SECONDS)
}
