import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { currencyCode, freeText, identifier, pathId, timestamp } from '../../base/contract/wire'
import { findCanonicalAudience } from '../../base/protocol/audience'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'
import { confirmable } from '../../identity/passkeys/contract'
import { type CredentialConfigurationId, credentialConfigurationIds } from '../../oauth/credential-offers/contract'

const tag = 'Credentials'
const BODY_MAX_BYTES = 65_536
const AGES_MAX = 8

const principalId = identifier(255).meta({ description: 'A person of the caller’s tenant.' })

const serviceMandateSubject = z
  .strictObject({
    principal_id: principalId,
    merchant_audience: z
      .string()
      .max(URI_MAX_CHARS)
      .refine((url) => findCanonicalAudience(url) !== null, {
        error: 'must be an absolute URL without query and fragment',
      })
      .optional(),
    currency: currencyCode.optional(),
    max_amount_minor: z.int().min(1).optional(),
    purpose: freeText(200).min(1).optional(),
  })
  .refine(({ currency, max_amount_minor: amount }) => amount === undefined || currency !== undefined, {
    error: 'max_amount_minor needs a currency',
    path: ['currency'],
  })
  .meta({ id: 'ServiceMandateSubject' })

const ages = z
  .record(z.string().regex(/^(?:[1-9]\d?|1[0-4]\d|150)$/, { error: 'must be an age from 1 to 150' }), z.boolean())
  .refine((record) => Object.keys(record).length >= 1 && Object.keys(record).length <= AGES_MAX, {
    error: `must have 1 to ${AGES_MAX} ages`,
  })

const ageVerifiedBuyerSubject = z
  .strictObject({
    age_equal_or_over: ages.meta({ example: { 18: true } }),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, { error: 'must be an ISO 3166-1 alpha-2 code in upper case' })
      .optional(),
    principal_id: principalId.optional(),
  })
  .meta({ id: 'AgeVerifiedBuyerSubject' })

const txCode = z
  .boolean()
  .optional()
  .meta({ description: 'Asks for a transaction code, to be sent to the person on another channel.' })

const [SERVICE_MANDATE, AGE_VERIFIED_BUYER] = credentialConfigurationIds
const offerRequest = z
  .discriminatedUnion('credential_configuration_id', [
    z.strictObject({
      credential_configuration_id: z.literal(SERVICE_MANDATE),
      subject: serviceMandateSubject,
      tx_code: txCode,
    }),
    z.strictObject({
      credential_configuration_id: z.literal(AGE_VERIFIED_BUYER),
      subject: ageVerifiedBuyerSubject,
      tx_code: txCode,
    }),
  ])
  .meta({ id: 'CredentialOfferRequest' })

/** OpenID4VCI section 4.1.1. */
const credentialOffer = z
  .strictObject({
    credential_issuer: z.string(),
    credential_configuration_ids: z.array(z.enum(credentialConfigurationIds)),
    grants: z.strictObject({
      'urn:ietf:params:oauth:grant-type:pre-authorized_code': z.strictObject({
        'pre-authorized_code': z.string(),
        tx_code: z.strictObject({ input_mode: z.literal('numeric'), length: z.int() }).optional(),
      }),
    }),
  })
  .meta({ id: 'CredentialOffer' })
export type CredentialOffer = z.output<typeof credentialOffer>

export const createOfferEndpoint = defineEndpoint({
  operationId: 'createCredentialOffer',
  method: 'POST',
  path: '/oid4vci/credential-offer',
  summary: 'Offer a credential to a wallet (OpenID4VCI section 4)',
  tag,
  access: { actor: 'backend' },
  body: { kind: 'json', schema: offerRequest, maxBytes: BODY_MAX_BYTES },
  output: z
    .strictObject({
      credential_offer: credentialOffer,
      c_nonce: z.string(),
      credential_offer_uri: z.string(),
      deep_link: z.string(),
      qr_payload: z.string(),
      expires_in: z.int().positive(),
      tx_code: z.string().optional().meta({ description: 'For the person, on another channel than the offer.' }),
    })
    .meta({ id: 'CreatedCredentialOffer' }),
  refusal: 'validation',
  refusals: ['not_found'],
})

export const readOfferEndpoint = defineEndpoint({
  operationId: 'readCredentialOffer',
  method: 'GET',
  path: '/oid4vci/credential-offer/{offer_id}',
  summary: 'Read a credential offer while it can be redeemed (OpenID4VCI section 4.1.3)',
  tag,
  access: { actor: 'anonymous' },
  params: z.object({ offer_id: pathId }),
  output: credentialOffer,
  refusal: 'oauth',
  refusals: ['not_found'],
})

export const createNonceEndpoint = defineEndpoint({
  operationId: 'createCredentialNonce',
  method: 'POST',
  path: '/oid4vci/nonce',
  summary: 'Get a nonce for the proof of a credential request (OpenID4VCI section 7)',
  tag,
  access: { actor: 'anonymous' },
  output: z.strictObject({ c_nonce: z.string() }).meta({ id: 'CredentialNonce' }),
  refusal: 'oauth',
})

const anything = (description: string) => z.unknown().optional().meta({ description })

export const issueCredentialEndpoint = defineEndpoint({
  operationId: 'issueCredential',
  method: 'POST',
  path: '/oid4vci/credential',
  summary: 'Issue a credential for a pre-authorized code, or for the access token of one (OpenID4VCI section 8)',
  tag,
  access: { actor: 'anonymous' },
  headers: ['authorization', 'dpop'],
  body: {
    kind: 'json',
    malformed: 'invalid_credential_request',
    maxBytes: BODY_MAX_BYTES,
    // The members are checked by the verb, whose errors are those of OpenID4VCI section 8.3.1.2.
    schema: z
      .object({
        'pre-authorized_code': anything('The code of the offer; not together with an access token.'),
        tx_code: anything('The transaction code, when the offer asks for one; with a code only.'),
        credential_configuration_id: anything('That of the offer. With an access token it is required.'),
        credential_identifier: anything('None are given out.'),
        proof: anything('`{"proof_type":"jwt","jwt":"…"}`'),
        proofs: anything('`{"jwt":["…"]}`, in place of `proof`.'),
        credential_response_encryption: anything('Not supported.'),
      })
      .meta({ id: 'CredentialRequest' }),
  },
  output: z
    .strictObject({ credentials: z.array(z.strictObject({ credential: z.string() })) })
    .meta({ id: 'CredentialResponse' }),
  refusal: 'oauth',
  refusals: [
    'credential_request_denied',
    'invalid_credential_request',
    'invalid_grant',
    'invalid_nonce',
    'invalid_proof',
    'invalid_token',
    'service_unavailable',
    'unknown_credential_configuration',
    'unknown_credential_identifier',
  ],
})

export const revokeCredentialEndpoint = defineEndpoint({
  operationId: 'revokeCredential',
  method: 'POST',
  path: '/operator/credentials/{credential_id}/revoke',
  summary: 'Revoke a credential for good, in the status list',
  tag: 'Operator',
  access: { actor: 'operator' },
  params: z.object({ credential_id: pathId }),
  output: z.strictObject({ credential_id: z.string(), revoked_at: timestamp }).meta({ id: 'RevokedCredential' }),
  refusal: 'validation',
  refusals: ['not_found'],
})

const document = {
  method: 'GET',
  tag,
  access: { actor: 'anonymous' },
  headers: ['if-none-match'],
  refusal: 'oauth',
} as const

export const readIssuerMetadataEndpoint = defineEndpoint({
  ...document,
  operationId: 'readCredentialIssuer',
  path: '/.well-known/openid-credential-issuer',
  summary: 'Read the credential issuer metadata (OpenID4VCI section 12.2)',
  output: z.looseObject({ credential_issuer: z.string() }).meta({ id: 'CredentialIssuerMetadata' }),
})

const typeMetadata = z.looseObject({ vct: z.string() }).meta({ id: 'CredentialTypeMetadata' })

export const readServiceMandateTypeEndpoint = defineEndpoint({
  ...document,
  operationId: 'readServiceMandateType',
  path: '/vct/service-mandate/1',
  summary: 'Read the type metadata of the service mandate (SD-JWT VC)',
  output: typeMetadata,
})

export const readAgeVerifiedBuyerTypeEndpoint = defineEndpoint({
  ...document,
  operationId: 'readAgeVerifiedBuyerType',
  path: '/vct/age-verified-buyer/1',
  summary: 'Read the type metadata of the age-verified buyer (SD-JWT VC)',
  output: typeMetadata,
})

/** The number of open offers about one person at which the portal creates no more. */
export const OPEN_OFFERS_MAX = 5

export const offerOwnCredentialProcedure = definePortalProcedure({
  input: z.strictObject(confirmable),
  stepUp: 'credential.offer',
})
/** A credential about the person, or an offer of one. */
export const ownCredentialProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

/** A credential that a wallet app has fetched, as the portal shows it to its person. */
export interface OwnCredential {
  readonly id: string
  readonly kind: CredentialConfigurationId
  readonly status: 'active' | 'expired' | 'revoked'
  readonly issued_at: string
  readonly expires_at: string
  readonly revoked_at: string | null
}

/**
 * The state of an offer. `taken`: a wallet app has used the code but not fetched the credential yet. `ended`: it was
 * cancelled, or ended by wrong guesses.
 */
export interface OwnOfferState {
  readonly id: string
  readonly status: 'open' | 'taken' | 'added' | 'ended' | 'expired'
  readonly expires_at: string
}
