import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { Channel, MutableEvent } from './contract'
import { type Hold, holdOf } from './held-store'
import { type ChannelsInUse, findChannels, isOldEnough } from './preference-store'
import { type PushToQueue, queuePushes } from './push-message'
import type { PushNews } from './push-text'
import { type NewMessage, queueMessage } from './queue-message'
import { type Words, wordsIn } from './words'

/** What a person is told, in their language. */
export interface Said {
  readonly subject: string
  readonly text: string
  /** What the mail says instead, and no phone message: a link that does something for its holder. */
  readonly mailOnly?: Pick<NewMessage, 'text' | 'links'> | undefined
}

/** Something that a person is told through the channels that they chose. */
export interface News extends Pick<NewMessage, 'links' | 'about'> {
  /** Each channel tells an event once, however often it is seen. */
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
  readonly say: (words: Words) => Said
  /** What devices show, and until when it matters; otherwise what kind of thing it is. */
  readonly push?: Pick<PushToQueue, 'news' | 'expiresAt'>
  /** What the buttons of an RCS message need; called only when there is going to be one on a phone that may approve. */
  readonly rcsData?: () => Promise<Readonly<Record<string, unknown>>>
}

type NotifyCall = Pick<Call, 'now' | 'platform'>

/**
 * Writes one message for each channel that the person chose, in the transaction of the event that causes them. Returns
 * the channels that lead anywhere. Quiet hours hold them back, those about security never.
 */
export async function notify(tx: Transaction, call: NotifyCall, news: News): Promise<Channel[]> {
  const tell = await prepareNotification(tx, call, news)
  return tell()
}

/** The same in two steps: reads the channels, and returns what writes the messages and tells which channels lead anywhere. */
export async function prepareNotification(
  tx: Transaction,
  call: NotifyCall,
  news: News,
): Promise<() => Promise<Channel[]>> {
  const used = await findChannels(tx, news.principalId, news.event ?? null)
  return () => writeMessages(tx, call, { news, used })
}

async function writeMessages(
  tx: Transaction,
  call: NotifyCall,
  { news, used }: Pick<Telling, 'news' | 'used'>,
): Promise<Channel[]> {
  if (!used.isActive) return []
  const said = news.say(wordsIn(used.settings.language ?? 'en'))
  const telling = { news, used, said, hold: holdFor(news, used, call.now) }
  const told = {
    email: mail(tx, call, telling),
    push: push(tx, call, telling),
    rcs: await message(tx, call, telling),
  }
  return (['email', 'push', 'rcs'] as const).filter((channel) => told[channel])
}

function holdFor({ eventKey, isSecurity, isRequest }: News, { settings }: ChannelsInUse, now: Date): Hold | null {
  if (isSecurity === true) return null
  return holdOf({ ...settings, request: isRequest === true ? eventKey : null }, now)
}

interface Telling {
  readonly news: News
  readonly used: ChannelsInUse
  readonly said: Said
  readonly hold: Hold | null
}

function mail(tx: Transaction, call: NotifyCall, { news, used, said, hold }: Telling): boolean {
  if (!used.email && news.isSecurity !== true) return false
  const { eventKey, principalId, about, links, email: recipient } = news
  const { subject, text, mailOnly } = said
  const mailed = { eventKey, principalId, channel: 'email', recipient, subject, about, hold } as const
  queueMessage(tx, call, { ...mailed, ...(mailOnly ?? { text, links }), data: null })
  return recipient !== null
}

function push(tx: Transaction, call: NotifyCall, { news, used, hold }: Telling): boolean {
  const { eventKey, principalId, about } = news
  const { news: shown, expiresAt } = news.push ?? { news: { kind: news.event ?? 'security' }, expiresAt: null }
  const [link = call.platform.config.baseUrl] = news.links
  const { devices, settings, hidesDetails } = used
  const what = { news: hidesDetails ? hidden(shown) : shown, language: settings.language, hold }
  queuePushes(tx, call, { push: { eventKey, principalId, about, link, expiresAt, ...what }, devices })
  return devices.length > 0
}

const hidden = (news: PushNews): PushNews => (news.kind === 'test' ? news : { kind: 'hidden' })

async function message(tx: Transaction, call: NotifyCall, { news, used, said, hold }: Telling): Promise<boolean> {
  const { phone, phoneConfirmedAt } = used
  if (phone === null) return false
  const { eventKey, principalId, about, links, rcsData } = news
  queueMessage(tx, call, {
    eventKey: `${eventKey}:rcs`,
    principalId,
    channel: 'rcs',
    recipient: phone,
    subject: null,
    text: said.text,
    links,
    data: isOldEnough(phoneConfirmedAt, call.now) ? ((await rcsData?.()) ?? null) : null,
    about,
    hold,
  })
  return true
}
