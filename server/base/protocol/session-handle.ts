import { sha256 } from './encoding'

/** What a session is named by where its id, which is as good as its cookie, must not stand: SHA-256 of the id, in hex. */
export const sessionHandle = (sessionId: string): string => sha256(sessionId).toString('hex')

/** The first half of it, by which log lines name the session: the log cuts whatever is as long as a token. */
export const loggedSession = (sessionId: string): string => sessionHandle(sessionId).slice(0, 32)
