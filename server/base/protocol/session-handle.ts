import { sha256 } from './encoding'

/** Returns the public name of a session, SHA-256 of its id in hex, since the id itself is as secret as the cookie. */
export const sessionHandle = (sessionId: string): string => sha256(sessionId).toString('hex')

/** Returns the half of a session's handle that log lines show; the log shortens anything as long as a token. */
export const loggedSession = (sessionId: string): string => sessionHandle(sessionId).slice(0, 32)
