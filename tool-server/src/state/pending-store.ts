import { join } from 'node:path'
import * as z from 'zod'
import { tokenRequest } from '../client/token.js'
import { payResult } from '../payment/pay-result.js'
import { LockedRecords, type RecordSlot } from './locked-records.js'

const epochMs = z.int().nonnegative()
const opaqueObject = z.record(z.string(), z.unknown())

/** Tokens of an approved purchase. */
const grant = z.strictObject({
  mandate_jwt: z.string(),
  mandate_id: z.string().optional(),
  mandate_audience: z.string(),
  mandate_expires_at: epochMs,
  access_token: z.string(),
  access_expires_at: epochMs,
  refresh_token: z.string().optional(),
})

/** Tokens of an approved purchase. */
export type Grant = z.infer<typeof grant>

const settlementRequest = z.strictObject({
  connected_account_id: z.string().optional(),
  application_fee_minor: z.int().nonnegative().optional(),
})

/** Whether each attempt was answered, the last one with the bank's challenge, which the cardholder may since have passed. */
const challenged = z.boolean().optional()

const pendingPurchase = z.discriminatedUnion('stage', [
  z.strictObject({
    /** The items are chosen, and no mandate is requested yet. */
    stage: z.literal('chosen'),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('consent'),
    request_uri: z.string(),
    code_verifier: z.string(),
    state: z.string(),
    needs_person: z.boolean(),
    idempotency_key: z.string(),
    expires_at: epochMs,
  }),
  z.strictObject({
    /** The person must confirm the purchase with a mailed link. */
    stage: z.literal('confirming'),
    request_uri: z.string(),
    code_verifier: z.string(),
    state: z.string(),
    idempotency_key: z.string(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('coded'),
    request_uri: z.string(),
    code: z.string(),
    code_verifier: z.string(),
    idempotency_key: z.string(),
    issued_at: epochMs,
    /** The request that redeems the code, once it may have been sent. */
    redemption: tokenRequest.optional(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('approved'),
    /** The handle of the approved request; absent in records of earlier versions. */
    request_uri: z.string().optional(),
    grant,
    idempotency_key: z.string(),
    /**
     * Whether the merchant may have been asked to charge; set before it is, and the outcome is unknown until it
     * answers.
     */
    attempted: z.boolean(),
    challenged,
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('ordered'),
    request_uri: z.string().optional(),
    grant,
    idempotency_key: z.string(),
    order_id: z.string(),
    receipt: opaqueObject,
    settlement_request: settlementRequest,
    /** The request that renews the grant, until its response has arrived. */
    renewal: tokenRequest.optional(),
    /** Whether the settlement may have been requested; set before it is. */
    attempted: z.boolean(),
    challenged,
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('settled'),
    order_id: z.string(),
    receipt: opaqueObject,
    settlement: opaqueObject,
    receipt_jws: z.string(),
    /** When it was settled; absent in records of earlier versions. */
    settled_at: epochMs.optional(),
    /** When a call first returned `paid` although the settlement could not be reported to the merchant. */
    answered_at: epochMs.optional(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('done'),
    result: payResult,
    note: z.string().optional(),
    finished_at: epochMs,
    /** Whether the host was still connected when the result was returned. */
    delivered: z.boolean(),
    expires_at: epochMs,
  }),
])

/** An open purchase, at its last confirmed step. */
export type PendingPurchase = z.infer<typeof pendingPurchase>
/** A purchase at one of its steps. */
export type PendingAt<Stage extends PendingPurchase['stage']> = Extract<PendingPurchase, { stage: Stage }>

/** The file of one purchase, while its lock is held. */
export type PendingSlot = RecordSlot<PendingPurchase>

/** Open purchases, each in a private file named after the purchase, so that an identical call resumes it. */
export class PendingStore extends LockedRecords<PendingPurchase> {
  constructor(home: string) {
    super({ directory: join(home, 'pending'), schema: pendingPurchase, what: 'purchase' })
  }
}
