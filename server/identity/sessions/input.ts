/** The time without use after which a session ends. */
export const SESSION_IDLE_SECONDS = 15 * 60

/**
 * Why a session ended: it was not used (`idle`), its person ended it alone or signed in again in its browser
 * (`window`), or ended it with others (`everywhere`), or it ended for security, as every session does after twelve hours.
 */
export const sessionEnds = ['idle', 'window', 'everywhere', 'security'] as const
export type SessionEnd = (typeof sessionEnds)[number]

/** Returns the reason that a word from outside names; null for any other word. */
export function readEnd(word: unknown): SessionEnd | null {
  return sessionEnds.find((end) => end === word) ?? null
}
