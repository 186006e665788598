import { sha256 } from './encoding'

/** What a session is named by where its id, which is as good as its cookie, must not stand: SHA-256 of the id, in hex. */
export const sessionHandle = (sessionId: string): string => sha256(sessionId).toString('hex')
