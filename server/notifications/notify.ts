import type { Call } from '../core/call'
import type { Queryable } from '../core/platform'
import { type NewMessage, queueMessage } from './queue-message'
import { findPreferences, STANDARD_PREFERENCES } from './store'

/** Something that a person is told through the channels that they chose. */
export interface News extends Pick<NewMessage, 'text' | 'links' | 'about'> {
  /** Each channel tells an event once, however often it is seen. */
  readonly eventKey: string
  readonly principalId: string
  /** Their address; null when there is none. */
  readonly email: string | null
  readonly subject: string
  /** What the buttons of an RCS message need; asked for only when there is going to be one. */
  readonly rcsData?: () => Promise<Readonly<Record<string, unknown>>>
}

/** Writes one message for each channel that the person chose, in the transaction of the event that causes them. */
export async function notify(tx: Queryable, call: Pick<Call, 'now' | 'platform'>, news: News): Promise<void> {
  const { eventKey, principalId, subject, text, links, about } = news
  const chosen = (await findPreferences(tx, principalId)) ?? STANDARD_PREFERENCES
  if (chosen.email_enabled) {
    const message = { eventKey, principalId, channel: 'email', recipient: news.email, subject, text, links } as const
    await queueMessage(tx, call, { ...message, data: null, about })
  }
  if (!chosen.rcs_enabled) return
  await queueMessage(tx, call, {
    eventKey: `${eventKey}:rcs`,
    principalId,
    channel: 'rcs',
    recipient: chosen.rcs_phone_e164,
    subject: null,
    text,
    links,
    data: (await news.rcsData?.()) ?? null,
    about,
  })
}
