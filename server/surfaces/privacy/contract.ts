import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { mailAddress, plainLine, timestamp } from '../../base/contract/wire'
import type { LegalGround, Retention } from '../../base/core/retention-entry'
import type { ContactsView } from '../../identity/contacts/contract'
import { confirmable } from '../../identity/passkeys/contract'
import { portabilityDump } from './dump-schema'
import type { PersonalKind } from './stored-kinds'

/** The six rights of GDPR Articles 15 to 18, 20 and 21, by which requests are stored. */
export const privacyRights = ['access', 'rectification', 'erasure', 'portability', 'restriction', 'objection'] as const
export type PrivacyRight = (typeof privacyRights)[number]

/** The results of requests. `dropped`: the person was erased before their data was mailed. */
export const privacyResults = [
  'queued',
  'mailed',
  'dropped',
  'rectified',
  'erased',
  'exported',
  'restricted',
  'lifted',
  'objected',
] as const
export type PrivacyResult = (typeof privacyResults)[number]

/** The number of times that one person may use one right on one UTC day, in the portal and with tokens alike. */
export const REQUESTS_PER_DAY = 10
/** The time for which an Idempotency-Key gets the same answer. */
export const REPLIES_KEPT_SECONDS = { access: 86_400, portability: 3_600 } as const
/** The time within which requested data is mailed. */
export const DELIVERY_SECONDS = 86_400
const DISPLAY_NAME_MAX = 100
export const PORTABILITY_SCHEMA_PATH = '/privacy/dsar/portability-schema.json'

const tag = 'Privacy'
const access = { actor: 'wallet', scope: 'privacy:dsar' } as const
const right = { method: 'POST', tag, access, refusal: 'oauth' } as const

/**
 * A body without members. With an Idempotency-Key, the verb refuses members after it has compared the body with the
 * first one.
 */
const nothing = z.strictObject({}).meta({ id: 'Nothing' })
const keyed = {
  kind: 'json',
  schema: z
    .looseObject({})
    .meta({ id: 'NothingKeyed', override: { type: 'object', additionalProperties: false } })
    .transform((body) => ({ hasMembers: Object.keys(body).length > 0 })),
  optional: true,
  digest: true,
} as const
const unkeyed = { kind: 'json', schema: nothing, optional: true } as const

export const accessEndpoint = defineEndpoint({
  ...right,
  operationId: 'requestAccess',
  path: '/privacy/dsar/access',
  summary: 'Mail everything that is stored about the person to their address, as a JSON file, within a day',
  headers: ['idempotency-key'],
  body: keyed,
  output: z
    .strictObject({
      status: z.literal('queued'),
      request_id: z.string(),
      estimated_delivery: timestamp.meta({ description: 'The mail leaves by then, at most 24 hours ahead.' }),
    })
    .meta({ id: 'AccessQueued' }),
  refusals: ['invalid_request', 'rate_limited', 'idempotency_conflict', 'idempotency_in_flight'],
})

export const portabilityEndpoint = defineEndpoint({
  ...right,
  operationId: 'exportData',
  path: '/privacy/dsar/portability',
  summary: 'Download the data of the person in the form that the portability schema describes',
  headers: ['idempotency-key'],
  body: keyed,
  output: portabilityDump.meta({ id: 'PortabilityDump' }),
  refusals: ['invalid_request', 'rate_limited', 'idempotency_conflict', 'idempotency_in_flight'],
})

export const portabilitySchemaEndpoint = defineEndpoint({
  operationId: 'readPortabilitySchema',
  method: 'GET',
  path: PORTABILITY_SCHEMA_PATH,
  summary: 'Read the JSON Schema (2020-12) of the portability dump',
  tag,
  access: { actor: 'anonymous' },
  output: z.unknown(),
  produces: 'application/schema+json',
  refusal: 'oauth',
})

/** A name of one plain line of 1 to 100 characters; null removes it. */
const displayName = plainLine(2 * DISPLAY_NAME_MAX)
  .min(1)
  .refine((name) => Array.from(name).length <= DISPLAY_NAME_MAX, {
    error: `must have at most ${DISPLAY_NAME_MAX} characters`,
  })
  .nullable()

const corrections = {
  email: z.string().trim().pipe(mailAddress).optional(),
  display_name: displayName.optional(),
}

export const rectificationEndpoint = defineEndpoint({
  ...right,
  operationId: 'rectify',
  path: '/privacy/dsar/rectification',
  summary: "Correct the person's name at once, and their address once it is confirmed by the link mailed to it",
  body: {
    kind: 'json',
    /** Unknown members, and an object without any, are refused by the verb, with 400. */
    schema: z
      .looseObject(corrections)
      .meta({ id: 'RectificationRequest', override: { additionalProperties: false, minProperties: 1 } })
      .transform(({ email, display_name, ...others }) => ({ email, display_name, unknown: Object.keys(others) })),
    missing: 'invalid_request',
  },
  output: z
    .strictObject({
      status: z.literal('rectified'),
      fields: z.array(z.enum(['display_name', 'email'])).meta({ description: 'What stands as asked from now on.' }),
      pending: z.array(z.enum(['email'])).meta({ description: 'What waits for a confirmation by mail.' }),
    })
    .meta({ id: 'Rectified' }),
  refusal: 'validation',
  refusals: ['invalid_request', 'rate_limited', 'insufficient_user_authentication'],
})

/** Corrects data from the portal; a new address requires the person's confirmation. */
export const rectifyProcedure = definePortalProcedure({
  input: z.strictObject({ ...corrections, ...confirmable }),
  stepUp: 'security.relax',
})

export const erasureEndpoint = defineEndpoint({
  ...right,
  operationId: 'erase',
  path: '/privacy/dsar/erasure',
  summary: 'Erase the person: revoke their agents and empty what is personal; the token used ends too',
  body: unkeyed,
  output: z
    .strictObject({
      status: z.literal('erased'),
      request_id: z.string(),
      redacted: z
        .array(z.strictObject({ table: z.string(), columns: z.array(z.string()) }))
        .meta({ description: 'What was emptied, sorted by table and column.' }),
      agents_revoked: z.int().min(0),
      families_revoked: z.int().min(0),
    })
    .meta({ id: 'Erased' }),
  refusals: ['invalid_request', 'rate_limited'],
})
export type ErasureSummary = z.input<(typeof erasureEndpoint)['output']>

export const restrictionEndpoint = defineEndpoint({
  ...right,
  operationId: 'restrictProcessing',
  path: '/privacy/dsar/restriction',
  summary: 'Restrict processing: agents get no tokens and nothing is charged until the person lifts it in the portal',
  body: unkeyed,
  output: z.strictObject({ processing_restricted: z.literal(true) }).meta({ id: 'ProcessingRestricted' }),
  refusals: ['invalid_request', 'rate_limited'],
})

/** Lifts the restriction, with the person's confirmation. The API has no operation for it. */
export const liftRestrictionProcedure = definePortalProcedure({
  input: z.strictObject(confirmable),
  stepUp: 'security.relax',
})

export const objectionEndpoint = defineEndpoint({
  ...right,
  operationId: 'objectToMarketing',
  path: '/privacy/dsar/objection',
  summary: 'Object to marketing; payments go on as before',
  body: unkeyed,
  output: z.strictObject({ marketing_objected: z.literal(true) }).meta({ id: 'MarketingObjected' }),
  refusals: ['invalid_request', 'rate_limited'],
})

/** Mails the stored data, or returns it to the portal. Both require the person's confirmation. */
export const ownDataProcedure = definePortalProcedure({ input: z.strictObject(confirmable), stepUp: 'privacy.data' })

/** Erases the person from the portal. */
export const eraseProcedure = definePortalProcedure({ input: z.strictObject(confirmable), stepUp: 'security.relax' })

/** A request as the privacy page lists it. */
export interface PrivacyRequestView {
  readonly request_id: string
  readonly kind: PrivacyRight
  readonly requested_at: string
  /** The time of completion; null while the request is under way, and when it failed. */
  readonly completed_at: string | null
  /** The result; `failed` when the data could not be mailed and is not tried again. */
  readonly result: PrivacyResult | 'failed'
}

/** A kind of data: how long it is kept, its legal ground (GDPR Article 6(1)), and what an erasure does to it. */
export interface StoredKind {
  readonly kind: PersonalKind
  readonly kept: Retention['kept']
  readonly ground: LegalGround
  readonly erasure: 'deleted' | 'emptied' | 'kept'
}

/** The content of the privacy page: the person's data, and their earlier requests. */
export interface PrivacyView {
  readonly principal: { readonly id: string; readonly display_name: string | null; readonly email: string | null }
  /** The first letter and the domain of the address to which data is mailed; null without an address. */
  readonly mailed_to: string | null
  readonly pending_email: ContactsView['pending_email']
  readonly processing_restricted: boolean
  readonly marketing_objected: boolean
  /** Newest first. */
  readonly requests: readonly PrivacyRequestView[]
  readonly kinds: readonly StoredKind[]
}
