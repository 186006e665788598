/** A session nobody uses ends after this; each use moves the end. */
export const SESSION_IDLE_SECONDS = 15 * 60
