import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { currencyCode, lineItem, minorUnits, pathId, timestamp } from '../../base/contract/wire'
import { paymentStatuses } from '../../money/payments/contract'

/** The version of the format; other versions are read by other rules. */
export const EVIDENCE_VERSION = 2
export const EVIDENCE_TYPE = 'countersign-evidence'
/** The `typ` of the signature over a whole pack. */
export const EVIDENCE_SEAL_TYPE = 'evidence-pack+jwt'

const payment = z.strictObject({
  payment_intent_id: z.string(),
  settlement_id: z.string(),
  mandate_id: z.string(),
  agent_client_id: z.string(),
  payer: z.strictObject({ principal_id: z.string(), name: z.string().nullable() }),
  merchant: z.strictObject({ audience: z.string(), name: z.string().nullable() }),
  amount_minor: minorUnits,
  currency: currencyCode,
  items: z.array(lineItem),
  card: z.strictObject({ brand: z.string(), last4: z.string() }),
  status: z.enum(paymentStatuses),
  processed_at: timestamp,
})

const mandate = z.discriminatedUnion('kept', [
  z.strictObject({
    kept: z.literal(true),
    sd_jwt: z.string().meta({ description: 'The SD-JWT VC with all disclosures, as it was issued.' }),
    presentation: z.string().meta({ description: 'The mandate as it was presented to be settled.' }),
  }),
  z.strictObject({ kept: z.literal(false), reason: z.string() }),
])

const decided = {
  authorization_id: z.string(),
  asked_at: timestamp,
  decided_at: timestamp,
  decided_via: z.string(),
}

const shown = { display_digest: z.string(), display: z.record(z.string(), z.unknown()) }

const approval = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('passkey'),
    ...decided,
    ...shown,
    passkey_id: z.string(),
    nonce: z.string(),
    challenge: z.string(),
    authenticator_data: z.string(),
    client_data_json: z.string(),
    signature: z.string(),
    public_key: z.string().meta({ description: 'COSE key (RFC 9052) as base64url.' }),
  }),
  z.strictObject({
    kind: z.literal('wallet_presentation'),
    ...decided,
    ...shown,
    presentation: z.string().meta({ description: 'SD-JWT VC with its key binding, as the wallet app presented it.' }),
    transaction_data: z.string().meta({ description: 'As it was sent to the wallet app, which hashed it: base64url.' }),
    nonce: z.string(),
    audience: z.string(),
    holder_jkt: z.string().meta({ description: 'Thumbprint of the key that signed (RFC 7638).' }),
  }),
  z.strictObject({ kind: z.enum(['magic_link', 'demo']), ...decided, ...shown }),
  z.strictObject({ kind: z.literal('no_evidence'), ...decided }),
  z.strictObject({
    kind: z.literal('rule'),
    rule: z.enum(['approved_over_limit', 'remembered_merchant', 'within_limits']),
  }),
])

const settlement = z.strictObject({
  settlement_id: z.string(),
  state: z.string(),
  amount_minor: minorUnits,
  currency: currencyCode,
  merchant_audience: z.string(),
  application_fee_minor: minorUnits,
  connected_account_id: z.string().nullable(),
  reserved_at: timestamp,
  settled_at: timestamp.nullable(),
})

const refund = z.strictObject({
  payment_intent_id: z.string(),
  reason: z.string(),
  amount_minor: minorUnits,
  currency: currencyCode,
  demanded_at: timestamp,
  refunded_at: timestamp.nullable(),
})

const entry = z.strictObject({
  seq: z.int(),
  ts: timestamp,
  event: z.string(),
  tenant_id: z.string(),
  actor: z.strictObject({ kind: z.string(), id: z.string() }),
  payload: z.record(z.string(), z.unknown()),
  prev_hash: z.string(),
  entry_hash: z.string(),
})

const audit = z.strictObject({
  entries: z.array(
    z.strictObject({
      entry,
      inclusion: z
        .strictObject({ leaf_index: z.int(), hashes: z.array(z.string()) })
        .nullable()
        .meta({
          description: 'Inclusion proof (RFC 9162 section 2.1.3) against the checkpoint; null when there is none.',
        }),
    }),
  ),
  checkpoint: z
    .strictObject({ jws: z.string(), note: z.string(), tree_size: z.int() })
    .nullable()
    .meta({ description: 'Null when the chain could not be signed.' }),
})

/** The evidence about one purchase, which `@countersign/verify` checks without a server. */
export const evidencePack = z
  .strictObject({
    type: z.literal(EVIDENCE_TYPE),
    version: z.literal(EVIDENCE_VERSION),
    issuer: z.string(),
    created_at: timestamp,
    payment,
    mandate,
    approval,
    receipt: z.strictObject({ jws: z.string() }),
    settlement,
    disputes: z.array(z.strictObject({ status: z.enum(['pending', 'won', 'lost']), at: timestamp, seq: z.int() })),
    refunds: z.array(refund),
    audit,
    keys: z.strictObject({ keys: z.array(z.record(z.string(), z.string())) }),
    seal: z.string().meta({ description: `JWS of type ${EVIDENCE_SEAL_TYPE} over the SHA-256 of every member.` }),
  })
  .meta({ id: 'EvidencePack' })
export type EvidencePack = z.output<typeof evidencePack>

const shape = {
  method: 'GET',
  params: z.object({ payment_intent_id: pathId }),
  output: evidencePack,
  refusal: 'validation',
  refusals: ['not_found'],
} as const

export const readEvidenceEndpoint = defineEndpoint({
  ...shape,
  operationId: 'readEvidence',
  path: '/wallet/payments/{payment_intent_id}/evidence',
  summary: 'Export everything that proves one payment of the person, for a dispute',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'audit:read' },
  quota: { limit: 30, windowSeconds: 60 },
})

export const readEvidenceAsOperatorEndpoint = defineEndpoint({
  ...shape,
  operationId: 'readEvidenceAsOperator',
  path: '/operator/payments/{payment_intent_id}/evidence',
  summary: 'Export everything that proves a payment of any person',
  tag: 'Operator',
  access: { actor: 'operator' },
})
