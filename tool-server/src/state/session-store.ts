import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { tokenRequest } from '../client/token.js'
import { canonicalJson } from '../json.js'
import { LockedRecords, type RecordSlot } from './locked-records.js'

const epochMs = z.int().nonnegative()

const sessionRecord = z.discriminatedUnion('stage', [
  /** The person has been asked for access. */
  z.strictObject({
    stage: z.literal('requested'),
    request_uri: z.string(),
    code_verifier: z.string(),
    state: z.string(),
    needs_person: z.boolean(),
    expires_at: epochMs,
  }),
  /** The person must confirm the access with a mailed link. */
  z.strictObject({
    stage: z.literal('confirming'),
    code_verifier: z.string(),
    state: z.string(),
    expires_at: epochMs,
  }),
  /** The person approved: a code that is still to be redeemed. */
  z.strictObject({
    stage: z.literal('coded'),
    code: z.string(),
    code_verifier: z.string(),
    issued_at: epochMs,
    /** The request that redeems the code, once it may have been sent. */
    redemption: tokenRequest.optional(),
    expires_at: epochMs,
  }),
  /** Tokens of a session that the person approved. */
  z.strictObject({
    stage: z.literal('open'),
    access_token: z.string(),
    access_expires_at: epochMs,
    refresh_token: z.string().optional(),
    /** The request that renews the tokens, until its response has arrived. */
    renewal: tokenRequest.optional(),
    expires_at: epochMs,
  }),
  /** A revocation that was requested and whose response has not arrived. */
  z.strictObject({ stage: z.literal('attempted'), began_at: epochMs, expires_at: epochMs }),
  /** A revocation whose result was returned by a call; the time is the server's. */
  z.strictObject({ stage: z.literal('revoked'), revoked_at: z.string(), expires_at: epochMs }),
])

/** Access to a wallet, requested or granted, or a revocation in it. */
export type SessionRecord = z.infer<typeof sessionRecord>
/** A record at one of its stages. */
export type SessionAt<Stage extends SessionRecord['stage']> = Extract<SessionRecord, { stage: Stage }>
/** The file of one record, while its lock is held. */
export type SessionSlot = RecordSlot<SessionRecord>

/** Access to wallets, each in a private file named by a digest of the client and the request. */
export class SessionStore extends LockedRecords<SessionRecord> {
  constructor(home: string) {
    super({ directory: join(home, 'sessions'), schema: sessionRecord, what: 'session' })
  }
}

/** Returns the key of a record: equal for equal members in any order. */
export const sessionKey = (members: Readonly<Record<string, string>>): string =>
  createHash('sha256').update(canonicalJson(members)).digest('hex')
