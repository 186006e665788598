/** A session ends when it has not been used for this long. */
export const SESSION_IDLE_SECONDS = 15 * 60
