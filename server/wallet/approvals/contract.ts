import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure, type ProcedureInput } from '../../base/contract/portal-procedure'
import { identifier, lineItem, minorUnits, pathId, text, timestamp } from '../../base/contract/wire'
import { MAX_AMOUNT_MINOR } from '../../base/core/money'
import { confirmable } from '../../identity/passkeys/contract'
import { exceededLimit } from '../limits/contract'

const tag = 'Consent'

/** A waiting approval as the person sees it. It never contains keys, tokens or request handles. */
const pendingConsent = z
  .strictObject({
    authorization_id: z.string(),
    created_at: timestamp,
    expires_at: timestamp,
    consent_mode: z.enum(['dashboard', 'scan']),
    agent: z.strictObject({ client_id: z.string(), label: z.string(), purpose: z.string().nullable() }),
    merchant_audience: z.string().optional(),
    merchant_name: z.string().optional(),
    amount_minor: minorUnits.optional(),
    currency: z.string().optional(),
    line_items: z.array(lineItem).optional(),
    offer_id: z.string().optional(),
    scope: z.string(),
    first_purchase_at_merchant: z.boolean(),
    limit_bump_id: z.string().optional(),
    exceeds: z
      .array(exceededLimit)
      .optional()
      .meta({ description: 'The limits that approving lifts for this purchase, and nothing else.' }),
  })
  .meta({ id: 'PendingConsent' })
export type PendingConsent = z.output<typeof pendingConsent>

export const listPendingConsentsEndpoint = defineEndpoint({
  operationId: 'listPendingConsents',
  method: 'GET',
  path: '/oauth/consent/scan/pending',
  summary: 'List purchases and wallet access that wait for the person, newest first',
  tag,
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: z.strictObject({ pending: z.array(pendingConsent) }).meta({ id: 'PendingConsents' }),
  switch: 'consent_scan',
  refusal: 'validation',
})

export const readPendingConsentEndpoint = defineEndpoint({
  operationId: 'readPendingConsent',
  method: 'GET',
  path: '/oauth/consent/scan/pending/{authorization_id}',
  summary: 'Read one pending approval',
  tag,
  access: { actor: 'wallet', scope: 'wallet:read' },
  params: z.object({ authorization_id: pathId }),
  output: pendingConsent,
  switch: 'consent_scan',
  refusal: 'validation',
})

export const decideConsentEndpoint = defineEndpoint({
  operationId: 'decideConsent',
  method: 'POST',
  path: '/oauth/consent/scan',
  summary: 'Approve or decline a pending approval',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  body: {
    kind: 'json',
    schema: z
      .strictObject({ authorization_id: identifier(255), decision: z.enum(['approve', 'decline']) })
      .meta({ id: 'ConsentDecision' }),
  },
  output: z
    .strictObject({ authorization_id: z.string(), status: z.enum(['approved', 'declined']) })
    .meta({ id: 'ConsentDecided' }),
  switch: 'consent_scan',
  refusal: 'validation',
  refusals: ['not_found', 'conflict', 'forbidden', 'insufficient_user_authentication'],
})

/** The purchase as the approve page displayed it. Members that an item does not have are null. */
export const shownPurchase = z.strictObject({
  merchant_origin: z.string().max(2_048),
  amount_minor: minorUnits,
  currency: z.string().max(3),
  items: z
    .array(
      z.strictObject({
        sku: text(200),
        title: text(300).nullable(),
        qty: z.int(),
        unit_price_minor: minorUnits.nullable(),
      }),
    )
    .max(200),
  exceeds: z.array(exceededLimit).min(1).max(12).optional(),
  /**
   * The amount in minor units above which this agent must ask again at this merchant, as the person chose; 0 for every
   * purchase.
   */
  ask_above_minor: minorUnits.min(0).max(MAX_AMOUNT_MINOR).optional(),
})
export type ShownPurchase = z.output<typeof shownPurchase>

/** The request for wallet access as the approve page displayed it. */
const shownAccess = z.strictObject({ scope: z.string().max(1_024) })
export type ShownAccess = z.output<typeof shownAccess>

/** The highest page number of the list of past approvals. */
export const PAST_PAGES = 1_000

/** The approvals that were decided or have expired, newest first. */
export const listPastProcedure = definePortalProcedure({
  input: z.strictObject({ page: z.int().min(1).max(PAST_PAGES).optional() }).optional(),
})

/**
 * The person's decision in the portal; with an approval comes what the page displayed. Since declining only tightens, the
 * verb asks for the switch, and only for an approval.
 */
export const decideConsentProcedure = definePortalProcedure({
  input: z.strictObject({
    authorization_id: identifier(255),
    decision: z.enum(['approve', 'decline']),
    shown: z.union([shownPurchase, shownAccess]).optional(),
    ...confirmable,
  }),
  stepUp: 'consent.approve',
})
export type ConsentDecision = ProcedureInput<typeof decideConsentProcedure>

/** The largest number of requests declined in one call; no person has more waiting. */
const DECLINED_AT_ONCE = 100

/** The requests that the person saw when they declined all of them. */
export const declineConsentsProcedure = definePortalProcedure({
  input: z.strictObject({ authorization_ids: z.array(identifier(255)).min(1).max(DECLINED_AT_ONCE) }),
})
