/** Mail, phone messages, and messages to browsers (web push). */
export const channels = ['email', 'rcs', 'push'] as const
export type Channel = (typeof channels)[number]

/** What a person may choose not to be told; what asks them something, and changes of security, are told in any case. */
export const mutableEvents = ['payments', 'near_limit', 'disputes'] as const
export type MutableEvent = (typeof mutableEvents)[number]

export type MutedEntry = `${MutableEvent}:${Channel}`
/** Every event and channel that can be switched off, as it is kept. */
export const mutedEntries: readonly MutedEntry[] = mutableEvents.flatMap((event) =>
  channels.map((channel) => `${event}:${channel}` as const),
)

/** The languages that messages are written in; the first one where nobody chose. */
export const messageLanguages = ['en', 'de'] as const
export type MessageLanguage = (typeof messageLanguages)[number]

/** Devices of one person that get push messages. */
export const PUSH_DEVICES_MAX = 10
/** A device that has taken no message for this long is named on the page. */
export const PUSH_FAILING_SECONDS = 86_400
/** How long a push service keeps a message that ends with nothing else. */
export const PUSH_TTL_SECONDS = 86_400
