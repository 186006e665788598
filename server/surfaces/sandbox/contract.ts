import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { pathId } from '../../base/contract/wire'
import { settledBody } from '../../money/settlement/contract'
import {
  cardsBody,
  catalogBody,
  catalogPreview,
  directoryPage,
  nonceBody,
  orderBody,
  outboxBody,
  paidOrderBody,
  paymentBody,
  settlementReportBody,
  shopBody,
  verifiedMandateBody,
  verifyMandateBody,
} from './wire'

/** A presentation of 64 KiB and its line items. */
const PURCHASE_MAX_BYTES = 131_072

const sandbox = { access: { actor: 'anonymous' }, refusal: 'validation', sandboxOnly: true } as const
const shop = { ...sandbox, tag: 'Sandbox merchants', params: z.object({ merchant_id: pathId }) } as const
const directory = { ...sandbox, tag: 'Merchant directory' } as const
const verifier = { ...sandbox, tag: 'Mandate verifier' } as const

export const readShopEndpoint = defineEndpoint({
  ...shop,
  operationId: 'readSandboxShop',
  method: 'GET',
  path: '/sandbox/merchants/{merchant_id}',
  summary: "Show a sandbox merchant's shop window: a page for people, JSON for programs",
  headers: ['accept'],
  output: shopBody,
  produces: ['application/json', 'text/html'],
  refusals: ['not_found'],
})

export const readCatalogEndpoint = defineEndpoint({
  ...shop,
  operationId: 'readSandboxCatalog',
  method: 'GET',
  path: '/sandbox/merchants/{merchant_id}/.well-known/oid4ac-catalog',
  summary: 'Read the whole catalog, signed in its header fields (RFC 9421, RFC 9530)',
  output: catalogBody,
  refusals: ['not_found'],
})

export const readMerchantJwksEndpoint = defineEndpoint({
  ...shop,
  operationId: 'readSandboxMerchantJwks',
  method: 'GET',
  path: '/sandbox/merchants/{merchant_id}/jwks.json',
  summary: 'Read the keys that the merchant signs its catalog with',
  output: z.strictObject({ keys: z.array(z.record(z.string(), z.string())) }),
  refusals: ['not_found'],
})

export const issueMerchantNonceEndpoint = defineEndpoint({
  ...shop,
  operationId: 'issueSandboxMerchantNonce',
  method: 'GET',
  path: '/sandbox/merchants/{merchant_id}/nonce',
  summary: 'Get a single-use nonce for one presentation to this merchant',
  output: nonceBody,
  refusals: ['not_found'],
})

export const placeOrderEndpoint = defineEndpoint({
  ...shop,
  operationId: 'placeSandboxOrder',
  method: 'POST',
  path: '/sandbox/merchants/{merchant_id}/payments',
  summary: 'Order with a mandate; nonce and DPoP proof are bound to it, and nothing is charged yet',
  headers: ['dpop'],
  body: { kind: 'json', schema: paymentBody, maxBytes: PURCHASE_MAX_BYTES },
  output: orderBody,
  status: 201,
  otherStatuses: { 200: 'The order was placed before' },
  refusals: [
    'not_found',
    'use_dpop_nonce',
    'invalid_token',
    'mandate_invalid',
    'mandate_expired',
    'mandate_audience_mismatch',
    'mandate_kb_nonce_mismatch',
    'mandate_status_revoked',
    'offer_digest_mismatch',
    'invalid_request',
    'idempotency_conflict',
    'mandate_consumed',
  ],
  statusOf: { use_dpop_nonce: 401, invalid_request: 422 },
})

export const reportSettlementEndpoint = defineEndpoint({
  ...shop,
  operationId: 'reportSandboxSettlement',
  method: 'POST',
  path: '/sandbox/merchants/{merchant_id}/payments/{order_id}/settlement',
  summary: "Submit the receipt of an order's settlement; the merchant verifies it offline and fulfils",
  params: z.object({ merchant_id: pathId, order_id: pathId }),
  body: { kind: 'json', schema: settlementReportBody },
  output: paidOrderBody,
  refusals: ['not_found', 'invalid_request'],
  statusOf: { invalid_request: 422 },
})

const verifies = {
  method: 'POST',
  body: { kind: 'json', schema: verifyMandateBody, maxBytes: PURCHASE_MAX_BYTES },
  refusals: [
    'mandate_invalid',
    'mandate_expired',
    'mandate_audience_mismatch',
    'mandate_kb_nonce_mismatch',
    'mandate_status_revoked',
    'offer_digest_mismatch',
    'invalid_request',
    'payment_declined',
    'card_required',
    'forbidden',
    'access_denied',
    'limit_exceeded',
    'step_up_required',
    'limit_currency_mismatch',
    'idempotency_conflict',
    'idempotency_in_flight',
    'mandate_consumed',
    'rate_limited',
    'bad_gateway',
    'service_unavailable',
  ],
  statusOf: { access_denied: 403, invalid_request: 422 },
} as const

export const verifyAtMerchantEndpoint = defineEndpoint({
  ...shop,
  ...verifies,
  operationId: 'verifyMandateAtSandboxMerchant',
  path: '/sandbox/merchants/{merchant_id}/verify-mandate',
  summary: 'Verify a presentation for this merchant and charge the mandate',
  output: verifiedMandateBody,
  refusals: ['not_found', ...verifies.refusals],
})

export const issueTestNonceEndpoint = defineEndpoint({
  ...verifier,
  operationId: 'issueTestNonce',
  method: 'GET',
  path: '/merchant_test/nonce',
  summary: 'Get a single-use nonce for one presentation to the verifier that stands in for any merchant',
  output: nonceBody,
})

export const verifyMandateEndpoint = defineEndpoint({
  ...verifier,
  ...verifies,
  operationId: 'verifyMandate',
  path: '/merchant_test/verify-mandate',
  summary: "Verify a presentation on behalf of the mandate's merchant, whichever it is, and charge the mandate",
  output: verifiedMandateBody,
})

export const chargeMandateEndpoint = defineEndpoint({
  ...verifier,
  ...verifies,
  operationId: 'chargeMandate',
  path: '/merchant_test/charge',
  summary: 'Verify a presentation as verify-mandate does, and return the whole settlement',
  output: settledBody,
})

const filter = z.string().optional()
const directoryQuota = { limit: 600, windowSeconds: 60 } as const

export const listMerchantsEndpoint = defineEndpoint({
  ...directory,
  operationId: 'listDirectoryMerchants',
  method: 'GET',
  path: '/discovery/merchants',
  summary: 'List verified merchants, filtered and in pages',
  // Plain texts, since an invalid filter is a 400 invalid_filter, not a validation error.
  query: z.object({
    country: filter.meta({ description: 'ISO 3166-1 alpha-2, upper case.' }),
    currency: filter.meta({ description: 'ISO 4217, upper case.' }),
    rail: filter.meta({ description: 'A payment rail that the merchant accepts, for instance `card`.' }),
    q: filter.meta({ description: 'Part of the name or id.' }),
    page: filter.meta({ description: 'From 1.' }),
    page_size: filter.meta({ description: 'From 1; at most 100 are given whatever is asked for. 20 when absent.' }),
  }),
  output: directoryPage,
  refusals: ['invalid_filter'],
  quota: directoryQuota,
})

export const previewCatalogEndpoint = defineEndpoint({
  ...directory,
  operationId: 'previewCatalog',
  method: 'GET',
  path: '/discovery/merchants/{merchant_id}/catalog-preview',
  summary: "Read the first page of a verified merchant's catalog, with the merchant's own signature fields",
  params: z.object({ merchant_id: pathId }),
  output: catalogPreview,
  refusals: ['not_found'],
  quota: directoryQuota,
})

export const listSandboxCardsEndpoint = defineEndpoint({
  ...verifier,
  operationId: 'listSandboxCards',
  method: 'GET',
  path: '/sandbox/cards',
  summary: 'List the test cards, and what each does',
  output: cardsBody,
})

export const readOutboxEndpoint = defineEndpoint({
  ...sandbox,
  tag: 'Sandbox',
  operationId: 'readSandboxOutbox',
  method: 'GET',
  path: '/sandbox/outbox',
  summary: 'List every message that the service has sent, newest first: a page for people, JSON for programs',
  headers: ['accept'],
  output: outboxBody,
  produces: ['application/json', 'text/html'],
  guardedInPublic: true,
})
