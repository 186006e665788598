import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { Channel, MutableEvent } from './contract'
import { type Hold, holdOf } from './held-store'
import { type ChannelsInUse, findChannels, isOldEnough } from './preference-store'
import { type PushToQueue, queuePushes } from './push-message'
import type { PushDetails } from './push-text'
import { type NewMessage, queueMessage } from './queue-message'
import { type Words, wordsIn } from './words'

/** The text of a message, in the language of the person. */
export interface MessageText {
  readonly subject: string
  readonly text: string
  /** Another text and links for the mail only, and no phone message: for a link that acts for its holder. */
  readonly mailOnly?: Pick<NewMessage, 'text' | 'links'> | undefined
}

/** A message to a person through the channels that they chose. */
export interface Notification extends Pick<NewMessage, 'links' | 'about'> {
  /** The key of the event; each channel reports an event once. */
  readonly eventKey: string
  /** The event that people may turn off; absent for messages that are always sent. */
  readonly event?: MutableEvent
  /**
   * Whether the message is mailed even when mail is turned off, and at any hour, because the change may not have been
   * the person's.
   */
  readonly isSecurity?: boolean
  /** Whether it asks the person for a decision, under the id after the colon of its key. */
  readonly isRequest?: boolean
  readonly principalId: string
  /** The person's e-mail address; null when there is none. */
  readonly email: string | null
  readonly compose: (words: Words) => MessageText
  /** The facts that devices show, and when the message expires; absent for the general text of the event. */
  readonly push?: Pick<PushToQueue, 'details' | 'expiresAt'>
  /** Returns the data for the buttons of an RCS message; called only when one is sent to a phone that may approve. */
  readonly rcsData?: () => Promise<Readonly<Record<string, unknown>>>
}

type NotifyCall = Pick<Call, 'now' | 'platform'>

/**
 * Writes one message for each channel that the person chose, in the transaction of the event. Returns the channels
 * used. Quiet hours hold messages back, except those about security.
 */
export async function notify(tx: Transaction, call: NotifyCall, notification: Notification): Promise<Channel[]> {
  const write = await prepareMessages(tx, call, notification)
  return write()
}

/**
 * Like {@link notify}, in two steps: reads the channels, and returns a function that writes the messages and returns
 * the channels.
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

/** A notification in the person's language, with the channels that it is sent through. */
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
  queueMessage(tx, call, { ...mailed, ...(mailOnly ?? { text, links }) })
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
