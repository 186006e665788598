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

const pendingPurchase = z.discriminatedUnion('stage', [
  z.strictObject({
    /** It is decided what is bought, and no mandate is requested yet. */
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
    /** The person was sent a mail, and confirms in it. */
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
    /** What redeems the code, once it may have been sent. */
    redemption: tokenRequest.optional(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('approved'),
    /** What was approved; records of earlier versions do not say. */
    request_uri: z.string().optional(),
    grant,
    idempotency_key: z.string(),
    /** Set before the merchant may charge: from then on the outcome is unknown until somebody says it. */
    attempted: z.boolean(),
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
    /** What renews the grant, while its answer is not known. */
    renewal: tokenRequest.optional(),
    /** Set before the settlement is asked for. */
    attempted: z.boolean(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('settled'),
    order_id: z.string(),
    receipt: opaqueObject,
    settlement: opaqueObject,
    receipt_jws: z.string(),
    /** Records of earlier versions do not say when. */
    settled_at: epochMs.optional(),
    /** When a call first answered `paid`, although the merchant could not be told. */
    answered_at: epochMs.optional(),
    expires_at: epochMs,
  }),
  z.strictObject({
    stage: z.literal('done'),
    result: payResult,
    note: z.string().optional(),
    finished_at: epochMs,
    /** Whether the host was still there to take the answer. */
    delivered: z.boolean(),
    expires_at: epochMs,
  }),
])

/** A purchase under way, at the last step that is certain. */
export type PendingPurchase = z.infer<typeof pendingPurchase>
/** A purchase at one of its steps. */
export type PendingAt<Stage extends PendingPurchase['stage']> = Extract<PendingPurchase, { stage: Stage }>

/** The one file of one purchase, while its lock is held. */
export type PendingSlot = RecordSlot<PendingPurchase>

/** Purchases under way, each in a private file named after what is bought, so that an identical call resumes it. */
export class PendingStore extends LockedRecords<PendingPurchase> {
  constructor(home: string) {
    super({ directory: join(home, 'pending'), schema: pendingPurchase, what: 'purchase' })
  }
}
