import { sha256 } from './encoding'

/** What a session is named by where its id, which is as good as its cookie, must not stand: SHA-256 of the id, in hex. */
export const sessionHandle = (sessionId: string): string => sha256(sessionId).toString('hex')

/** Returns the half of a session's handle that log lines show; the log shortens anything as long as a token. */
export const loggedSession = (sessionId: string): string => sessionHandle(sessionId).slice(0, 32)
