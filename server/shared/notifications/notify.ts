import type { Call } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import type { Channel, MutableEvent } from './contract'
import { findChannels, isOldEnough } from './preference-store'
import { type PushedDevice, type PushOrder, queuePushes } from './push-message'
import type { PushNews } from './push-text'
import { type NewMessage, queueMessage } from './queue-message'

/** Something that a person is told through the channels that they chose. */
export interface News extends Pick<NewMessage, 'text' | 'links' | 'about'> {
  /** Each channel tells an event once, however often it is seen. */
  readonly eventKey: string
  /** What kind of thing it is, where people may choose not to hear of it. */
  readonly event?: MutableEvent
  /** Mailed even to a person who wants no mail: they must learn of it if it was not them. */
  readonly isSecurity?: boolean
  readonly principalId: string
  /** Their address; null when there is none. */
  readonly email: string | null
  readonly subject: string
  /** What the mail says instead, and no phone message: a link that does something for its holder. */
  readonly mailOnly?: Pick<NewMessage, 'text' | 'links'> | undefined
  /** What devices show, and until when it matters; otherwise what kind of thing it is. */
  readonly push?: Pick<PushOrder, 'news' | 'expiresAt'>
  /** What the buttons of an RCS message need; called only when there is going to be one on a phone that may approve. */
  readonly rcsData?: () => Promise<Readonly<Record<string, unknown>>>
}

/**
 * Writes one message for each channel that the person chose, in the transaction of the event that causes them. Returns
 * the channels that lead anywhere.
 */
export async function notify(tx: Queryable, call: Pick<Call, 'now' | 'platform'>, news: News): Promise<Channel[]> {
  const { eventKey, principalId, subject, text, links, about } = news
  const { isActive, email, phone, phoneConfirmedAt, ...pushing } = await findChannels(
    tx,
    principalId,
    news.event ?? null,
  )
  const told: Channel[] = []
  if (!isActive) return told
  if (email || news.isSecurity === true) {
    const mail = { eventKey, principalId, channel: 'email', recipient: news.email, subject, about } as const
    await queueMessage(tx, call, { ...mail, ...(news.mailOnly ?? { text, links }), data: null })
    if (news.email !== null) told.push('email')
  }
  if (await pushNews(tx, call, { news, ...pushing })) told.push('push')
  if (phone === null) return told
  await queueMessage(tx, call, {
    eventKey: `${eventKey}:rcs`,
    principalId,
    channel: 'rcs',
    recipient: phone,
    subject: null,
    text,
    links,
    data: isOldEnough(phoneConfirmedAt, call.now) ? ((await news.rcsData?.()) ?? null) : null,
    about,
  })
  return [...told, 'rcs']
}

interface Pushing {
  readonly news: News
  readonly devices: readonly PushedDevice[]
  readonly hidesDetails: boolean
}

/** Returns whether there is a device. */
async function pushNews(
  tx: Queryable,
  call: Pick<Call, 'now' | 'platform'>,
  { news, devices, hidesDetails }: Pushing,
): Promise<boolean> {
  const { eventKey, principalId, about } = news
  const { news: shown, expiresAt } = news.push ?? { news: { kind: news.event ?? 'security' }, expiresAt: null }
  const [link = call.platform.config.baseUrl] = news.links
  const order = { eventKey, principalId, about, link, expiresAt, news: hidesDetails ? hidden(shown) : shown }
  await queuePushes(tx, call, { order, devices })
  return devices.length > 0
}

const hidden = (news: PushNews): PushNews => (news.kind === 'test' ? news : { kind: 'hidden' })
