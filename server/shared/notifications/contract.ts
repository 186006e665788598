/** The channels of messages: mail, phone messages (RCS), and messages to browsers (web push). */
export const channels = ['email', 'rcs', 'push'] as const
export type Channel = (typeof channels)[number]

/** The events whose messages a person may turn off; requests and changes of security are always sent. */
export const mutableEvents = ['payments', 'near_limit', 'disputes'] as const
export type MutableEvent = (typeof mutableEvents)[number]

export type MutedEntry = `${MutableEvent}:${Channel}`
/** Every event with every channel that can be turned off for it, as stored. */
export const mutedEntries: readonly MutedEntry[] = mutableEvents.flatMap((event) =>
  channels.map((channel) => `${event}:${channel}` as const),
)

/** The languages of messages; the first one is the default. */
export const messageLanguages = ['en', 'de'] as const
export type MessageLanguage = (typeof messageLanguages)[number]

/** The most devices of one person that receive push messages. */
export const PUSH_DEVICES_MAX = 10
/** How long a device must have failed to receive messages before the page says so. */
export const PUSH_FAILING_SECONDS = 86_400
/** How long a push service keeps a message that has no expiry of its own. */
export const PUSH_TTL_SECONDS = 86_400
