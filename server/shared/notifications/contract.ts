export const channels = ['email', 'rcs'] as const
export type Channel = (typeof channels)[number]

/** What a person may choose not to be told; what asks them something, and changes of security, are told in any case. */
export const mutableEvents = ['payments', 'near_limit', 'disputes'] as const
export type MutableEvent = (typeof mutableEvents)[number]

export type MutedEntry = `${MutableEvent}:${Channel}`
/** Every event and channel that can be switched off, as it is kept. */
export const mutedEntries: readonly MutedEntry[] = mutableEvents.flatMap((event) =>
  channels.map((channel) => `${event}:${channel}` as const),
)
