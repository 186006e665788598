import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { BASE64URL_32_BYTES, currencyCode, lineItems, merchantCode, minorUnits, pathId } from '../../base/contract/wire'
import { MAX_AMOUNT_MINOR } from '../../base/core/money'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'

const tag = 'Authorization'

/** The RFC 9396 object for one purchase. */
const paymentAuthorization = z
  .strictObject({
    type: z.literal('oid4ac_mandate'),
    merchant: z.string().min(1).max(URI_MAX_CHARS),
    amount_minor: minorUnits.min(1).max(MAX_AMOUNT_MINOR),
    currency: currencyCode,
    line_items: lineItems,
    offer_id: merchantCode(255).optional(),
    offer_digest: z.string().regex(BASE64URL_32_BYTES).optional(),
  })
  .meta({ id: 'PaymentAuthorization' })
export type PaymentAuthorization = z.output<typeof paymentAuthorization>

/** The RFC 9396 object for wallet access. */
const walletAuthorization = z
  .strictObject({
    type: z.literal('oid4ac_wallet'),
    actions: z
      .array(z.enum(['read', 'write', 'audit', 'dsar']))
      .min(1)
      .max(4),
  })
  .meta({ id: 'WalletAuthorization' })

const authorizationDetail = z.discriminatedUnion('type', [paymentAuthorization, walletAuthorization])
export type AuthorizationDetail = z.output<typeof authorizationDetail>
export const authorizationDetails = z.array(authorizationDetail).min(1).max(10)

/** Returns the schema of a parameter as long as a form allows, so that a too long one gets its own error code. */
const parameter = (description: string) => z.string().max(65_536).optional().meta({ description })

export const pushAuthorizationRequestEndpoint = defineEndpoint({
  operationId: 'pushAuthorizationRequest',
  method: 'POST',
  path: '/oauth/par',
  summary: 'Push an authorization request (RFC 9126)',
  tag,
  access: { actor: 'client', kind: 'agent', dpop: 'mint', credentials: 'body', consumes: 'verb' },
  body: {
    kind: 'form',
    repeatable: ['resource'],
    schema: z
      .object({
        client_id: z.string().max(256).meta({ description: 'The caller (RFC 9126 section 2.1).' }),
        response_type: parameter('Always code.'),
        redirect_uri: parameter('One of the registered addresses; any port on loopback (RFC 8252).'),
        scope: parameter('Space-separated scopes within the registration.'),
        resource: z.array(z.string()).optional().meta({ description: 'Resource indicators (RFC 8707), one or more.' }),
        authorization_details: parameter('JSON array (RFC 9396).'),
        code_challenge: parameter('PKCE challenge (RFC 7636).'),
        code_challenge_method: parameter('Always S256.'),
        state: parameter('Echoed at the redirect.'),
        dpop_jkt: parameter('Thumbprint of the DPoP key; must be that of the proof (RFC 9449 section 10).'),
        consent_mode_hint: parameter('auto, dashboard or scan.'),
        acr_values: parameter('Without urn:oid4ac:acr:rule in it, the person is asked in any case (RFC 9470).'),
        max_age: parameter('Seconds. The person is asked in any case (RFC 9470).'),
        request: parameter('Not supported.'),
        request_uri: parameter('Not allowed here.'),
      })
      .meta({ id: 'PushedAuthorizationRequest' }),
  },
  output: z
    .strictObject({ request_uri: z.string(), expires_in: z.int().positive() })
    .meta({ id: 'PushedAuthorizationResponse' }),
  status: 201,
  refusal: 'oauth',
  refusals: [
    'access_denied',
    'invalid_authorization_details',
    'invalid_scope',
    'invalid_target',
    'request_not_supported',
    'unsupported_response_type',
  ],
})
export type PushedParameters = z.output<(typeof pushAuthorizationRequestEndpoint)['body']['schema']>

export const readPushedRequestStatusEndpoint = defineEndpoint({
  operationId: 'readPushedRequestStatus',
  method: 'GET',
  path: '/oauth/par/{request_uri}/status',
  summary: 'Check whether a pushed request has been decided',
  tag,
  access: { actor: 'anonymous' },
  params: z.object({ request_uri: pathId }),
  output: z.strictObject({ status: z.enum(['approved', 'pending', 'declined']) }).meta({ id: 'DecisionStatus' }),
  switch: 'consent_scan',
  refusal: 'oauth',
})

export const authorizeEndpoint = defineEndpoint({
  operationId: 'authorize',
  method: 'GET',
  path: '/oauth/authorize',
  summary: 'Exchange a decided pushed request for an authorization code, by redirect',
  tag,
  access: { actor: 'anonymous' },
  query: z.object({
    request_uri: z.string().optional(),
    client_id: z.string().max(256).optional(),
  }),
  output: z
    .strictObject({ status: z.literal('confirmation_sent'), expires_in: z.int().positive() })
    .meta({ id: 'ConfirmationSent' }),
  redirects: 'or-202',
  consuming: true,
  refusal: 'oauth',
  refusals: ['invalid_request_uri'],
})

export const confirmMagicLinkEndpoint = defineEndpoint({
  operationId: 'confirmMagicLink',
  method: 'GET',
  path: '/oauth/magic-link/confirm',
  summary: 'Confirm by a mailed link: the code goes to the agent, by redirect',
  tag,
  access: { actor: 'anonymous' },
  query: z.object({ token: z.string().max(256).optional() }),
  output: z.never(),
  redirects: 'always',
  quota: { limit: 300, windowSeconds: 60 },
  consuming: true,
  refusal: 'oauth',
})
