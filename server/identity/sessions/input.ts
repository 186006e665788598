/** A session ends when it has not been used for this long. */
export const SESSION_IDLE_SECONDS = 15 * 60

/**
 * Why a session ended: it was not used, its person signed out in another window or everywhere, or it was ended for
 * security, which is also why no session lasts longer than twelve hours.
 */
export const sessionEnds = ['idle', 'window', 'everywhere', 'security'] as const
export type SessionEnd = (typeof sessionEnds)[number]

/** The end that a word from elsewhere names; null for any other word. */
export function readEnd(word: unknown): SessionEnd | null {
  return sessionEnds.find((end) => end === word) ?? null
}
