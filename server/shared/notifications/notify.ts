import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { Channel, MutableEvent } from './contract'
import { type Hold, holdOf } from './held-store'
import { type ChannelsInUse, findChannels, isOldEnough } from './preference-store'
import { type PushToQueue, queuePushes } from './push-message'
import type { PushDetails } from './push-text'
import { type NewMessage, queueMessage } from './queue-message'
import { type Words, wordsIn } from './words'

/** The words of a message, in the language of the person. */
export interface MessageText {
  readonly subject: string
  readonly text: string
  /** What the mail says instead, and no phone message: a link that does something for its holder. */
  readonly mailOnly?: Pick<NewMessage, 'text' | 'links'> | undefined
}

/** What goes to a person through the channels that they chose. */
export interface Notification extends Pick<NewMessage, 'links' | 'about'> {
  /** Each channel reports an event once, however often it is seen. */
  readonly eventKey: string
  /** What kind of thing it is, where people may choose not to hear of it. */
  readonly event?: MutableEvent
  /** Mailed even to a person who wants no mail, and at any hour: they must learn of it if it was not them. */
  readonly isSecurity?: boolean
  /** It asks the person something, under the id after the colon of its key. */
  readonly isRequest?: boolean
  readonly principalId: string
  /** Their address; null when there is none. */
  readonly email: string | null
  readonly compose: (words: Words) => MessageText
  /** What devices show, and until when it matters; otherwise what kind of thing it is. */
  readonly push?: Pick<PushToQueue, 'details' | 'expiresAt'>
  /** What the buttons of an RCS message need; called only when there is going to be one on a phone that may approve. */
  readonly rcsData?: () => Promise<Readonly<Record<string, unknown>>>
}

type NotifyCall = Pick<Call, 'now' | 'platform'>

/**
 * Writes one message for each channel that the person chose, in the transaction of the event that causes them. Returns
 * the channels that lead anywhere. Quiet hours hold them back, those about security never.
 */
export async function notify(tx: Transaction, call: NotifyCall, notification: Notification): Promise<Channel[]> {
  const write = await prepareMessages(tx, call, notification)
  return write()
}

/**
 * {@link notify} in two steps: reads the channels, and returns a function that writes the messages and returns the
 * channels.
 */
export async function prepareMessages(
  tx: Transaction,
  call: NotifyCall,
  notification: Notification,
): Promise<() => Promise<Channel[]>> {
  const used = await findChannels(tx, notification.principalId, notification.event ?? null)
  return () => writeMessages(tx, call, { notification, used })
}

async function writeMessages(
  tx: Transaction,
  call: NotifyCall,
  { notification, used }: Pick<PreparedNotification, 'notification' | 'used'>,
): Promise<Channel[]> {
  if (!used.isActive) return []
  const message = notification.compose(wordsIn(used.settings.language ?? 'en'))
  const prepared = { notification, used, message, hold: holdFor(notification, used, call.now) }
  const reached = {
    email: mail(tx, call, prepared),
    push: push(tx, call, prepared),
    rcs: await rcs(tx, call, prepared),
  }
  return (['email', 'push', 'rcs'] as const).filter((channel) => reached[channel])
}

function holdFor(
  { eventKey, isSecurity, isRequest }: Notification,
  { settings }: ChannelsInUse,
  now: Date,
): Hold | null {
  if (isSecurity === true) return null
  return holdOf({ ...settings, request: isRequest === true ? eventKey : null }, now)
}

/** A notification in the person's language, with the channels that take it. */
interface PreparedNotification {
  readonly notification: Notification
  readonly used: ChannelsInUse
  readonly message: MessageText
  readonly hold: Hold | null
}

function mail(tx: Transaction, call: NotifyCall, { notification, used, message, hold }: PreparedNotification): boolean {
  if (!used.email && notification.isSecurity !== true) return false
  const { eventKey, principalId, about, links, email: recipient } = notification
  const { subject, text, mailOnly } = message
  const mailed = { eventKey, principalId, channel: 'email', recipient, subject, about, hold } as const
  queueMessage(tx, call, { ...mailed, ...(mailOnly ?? { text, links }), data: null })
  return recipient !== null
}

function push(tx: Transaction, call: NotifyCall, { notification, used, hold }: PreparedNotification): boolean {
  const { eventKey, principalId, about } = notification
  const { details, expiresAt } = notification.push ?? {
    details: { kind: notification.event ?? 'security' },
    expiresAt: null,
  }
  const [link = call.platform.config.baseUrl] = notification.links
  const { devices, settings, hidesDetails } = used
  const what = { details: hidesDetails ? hidden(details) : details, language: settings.language, hold }
  queuePushes(tx, call, { push: { eventKey, principalId, about, link, expiresAt, ...what }, devices })
  return devices.length > 0
}

const hidden = (details: PushDetails): PushDetails => (details.kind === 'test' ? details : { kind: 'hidden' })

async function rcs(
  tx: Transaction,
  call: NotifyCall,
  { notification, used, message, hold }: PreparedNotification,
): Promise<boolean> {
  const { phone, phoneConfirmedAt } = used
  if (phone === null) return false
  const { eventKey, principalId, about, links, rcsData } = notification
  queueMessage(tx, call, {
    eventKey: `${eventKey}:rcs`,
    principalId,
    channel: 'rcs',
    recipient: phone,
    subject: null,
    text: message.text,
    links,
    data: isOldEnough(phoneConfirmedAt, call.now) ? ((await rcsData?.()) ?? null) : null,
    about,
    hold,
  })
  return true
}
