import type * as z from 'zod'
import { parseScopes } from '../../base/contract/parse-scopes'
import { paymentScopes, type Scope, scopeOfAction, walletScopes } from '../../base/contract/scopes'
import { acrValue } from '../../base/core/authentication'
import type { ClientActor, ClientCall } from '../../base/core/call'
import { type ErrorCode, ServiceError } from '../../base/core/errors'
import { itemsMatchAmount } from '../../base/core/line-items'
import { parseUrl } from '../../base/core/parse-url'
import type { Config } from '../../base/core/platform'
import { findCanonicalAudience } from '../../base/protocol/audience'
import { parseJsonValue } from '../../base/protocol/encoding'
import { JSON_MAX_DEPTH, URI_MAX_CHARS } from '../../base/protocol/lifetimes'
import { isCodeChallenge } from '../../base/protocol/pkce'
import { redirectUriMatches } from '../../base/protocol/uri'
import { payableAudience } from '../../wallet/merchants'
import {
  type AuthorizationDetail,
  authorizationDetails,
  type PaymentAuthorization,
  type PushedParameters,
} from './contract'

const RESOURCES_MAX = 10
const DETAILS_MAX_BYTES = 32 * 1024
const STATE_MAX_CHARS = 1_024
/** The members that are shown to people. */
const freeTexts = new Set<PropertyKey | undefined>(['sku', 'title', 'offer_id'])
const consentModes = ['auto', 'dashboard', 'scan'] as const

/** A pushed request that has passed all checks that need no look-up. */
export interface AuthorizationRequest {
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
  readonly scope: readonly Scope[]
  readonly resources: readonly string[]
  readonly details: readonly AuthorizationDetail[]
  /** The purchase; null when the request is for wallet access. */
  readonly payment: (PaymentAuthorization & { readonly audience: string }) | null
  readonly consentModeHint: (typeof consentModes)[number]
}

const buildError = (code: ErrorCode, description: string, cause?: unknown) =>
  new ServiceError(code, description, { cause })

/** Checks the parameters in the order in which a client would fix them, without reading or writing the database. */
export function parseAuthorizationRequest(
  input: PushedParameters,
  { actor, platform }: Pick<ClientCall, 'actor' | 'platform'>,
): AuthorizationRequest {
  requireCodeRequest(input)
  const redirectUri = parseRedirectUri(input, actor)
  const codeChallenge = parseChallenge(input)
  const state = parseState(input)
  if (input.dpop_jkt !== undefined && input.dpop_jkt !== actor.dpop?.jkt) {
    throw buildError('invalid_request', 'dpop_jkt is not the thumbprint of the proof key.')
  }
  const scope = parseScope(input, actor)
  const resources = parseResources(input)
  const details = parseDetails(input)
  const payment = parsePurchase(details, { scope, resources, config: platform.config })
  const { baseUrl: issuer } = platform.config
  requireKnownResources(resources, payment === null ? [issuer] : [payment.audience, issuer])
  return { redirectUri, state, codeChallenge, scope, resources, details, payment, consentModeHint: parseHint(input) }
}

function requireCodeRequest(input: PushedParameters): void {
  if (input.request_uri !== undefined)
    throw buildError(
      'invalid_request',
      'request_uri is not allowed in a pushed authorization request (RFC 9126 section 2.1).',
    )
  if (input.request !== undefined) throw buildError('request_not_supported', 'Request objects are not supported.')
  if (input.response_type === undefined) throw buildError('invalid_request', 'response_type is required.')
  if (input.response_type !== 'code') throw buildError('unsupported_response_type', 'response_type must be code.')
}

function parseRedirectUri({ redirect_uri: uri }: PushedParameters, { client }: ClientActor): string {
  if (uri === undefined) throw buildError('invalid_request', 'redirect_uri is required.')
  if (uri.length > URI_MAX_CHARS || !client.redirectUris.some((registered) => redirectUriMatches(registered, uri))) {
    throw buildError('invalid_request', 'redirect_uri is not registered.')
  }
  return uri
}

/** Parses the code challenge; only S256 is accepted, and a missing method means plain (RFC 7636 section 4.3). */
function parseChallenge({ code_challenge: challenge, code_challenge_method: method }: PushedParameters): string {
  if (challenge === undefined || !isCodeChallenge(challenge)) {
    throw buildError('invalid_request', 'code_challenge is required: 43 to 128 unreserved characters.')
  }
  if (method !== 'S256') throw buildError('invalid_request', 'code_challenge_method must be S256.')
  return challenge
}

function parseState({ state }: PushedParameters): string | null {
  if (state !== undefined && state.length > STATE_MAX_CHARS) throw buildError('invalid_request', 'state is too long.')
  return state ?? null
}

function parseHint(input: PushedParameters): AuthorizationRequest['consentModeHint'] {
  const { consent_mode_hint: hint = 'auto' } = input
  const mode = consentModes.find((known) => known === hint)
  if (mode === undefined) throw buildError('invalid_request', 'consent_mode_hint must be auto, dashboard or scan.')
  return mode === 'auto' && wantsPerson(input) ? 'dashboard' : mode
}

/**
 * Whether the request asks for a fresh or stronger confirmation, so that earlier approvals do not count (RFC 9470
 * section 4).
 */
function wantsPerson({ acr_values: values, max_age: maxAge }: PushedParameters): boolean {
  if (maxAge !== undefined && !/^\d{1,10}$/.test(maxAge)) {
    throw buildError('invalid_request', 'max_age must be a whole number of seconds.')
  }
  return maxAge !== undefined || (values !== undefined && !values.split(' ').includes(acrValue('rule')))
}

function parseScope({ scope }: PushedParameters, { client }: ClientActor): readonly Scope[] {
  const requested = parseScopes(scope)
  if (requested === null) throw buildError('invalid_scope', 'scope is required.')
  if (!requested.every((name) => client.scope.includes(name))) {
    throw buildError('invalid_scope', 'scope exceeds the registered scope.')
  }
  if (requested.some((name) => walletScopes.has(name)) && requested.some((name) => paymentScopes.has(name))) {
    throw buildError('invalid_scope', 'Payment and wallet scopes cannot be mixed in one request.')
  }
  return requested
}

/** Parses the resources, which must be absolute URIs without a fragment (RFC 8707 section 2). */
function parseResources({ resource = [] }: PushedParameters): string[] {
  const resources = [...resource]
  const isAbsolute = (uri: string) =>
    uri.length <= URI_MAX_CHARS && /^[a-z][a-z\d+.-]*:[^\s#]+$/i.test(uri) && parseUrl(uri) !== null
  if (resources.length === 0 || resources.length > RESOURCES_MAX || !resources.every(isAbsolute)) {
    throw buildError('invalid_target', 'resource must name 1 to 10 absolute URIs without a fragment.')
  }
  return resources
}

/** Parses the details (RFC 9396 section 5). Absent ones are `invalid_request`, malformed ones have another code. */
function parseDetails({ authorization_details: json }: PushedParameters): AuthorizationDetail[] {
  if (json === undefined) throw buildError('invalid_request', 'authorization_details is required.')
  const buildMalformedError = (cause?: unknown) =>
    buildError('invalid_authorization_details', 'authorization_details is malformed or of an unknown type.', cause)
  if (Buffer.byteLength(json) > DETAILS_MAX_BYTES) {
    throw buildError('invalid_authorization_details', `authorization_details holds at most ${DETAILS_MAX_BYTES} bytes.`)
  }
  let value: unknown
  try {
    value = parseJsonValue(Buffer.from(json), { maxDepth: JSON_MAX_DEPTH })
  } catch (cause) {
    throw buildMalformedError(cause)
  }
  const parsed = authorizationDetails.safeParse(value)
  if (!parsed.success) throw buildMemberError(parsed.error) ?? buildMalformedError(parsed.error)
  return parsed.data
}

/**
 * Returns an error that names the member that is refused, and why where its text may hide the fault; null for errors of
 * a whole object.
 */
function buildMemberError(error: z.ZodError): ServiceError | null {
  const issue = error.issues.find(({ path }) => path.length > 1)
  if (issue === undefined) return null
  const where = issue.path.slice(1).join('.')
  const fault = issue.code === 'custom' && freeTexts.has(issue.path.at(-1)) ? issue.message : 'is missing or invalid'
  return buildError('invalid_authorization_details', `${where} in authorization_details ${fault}.`, error)
}

function parsePurchase(
  details: readonly AuthorizationDetail[],
  { scope, resources, config }: { scope: readonly Scope[]; resources: readonly string[]; config: Config },
): AuthorizationRequest['payment'] {
  const payments = details.filter((detail): detail is PaymentAuthorization => detail.type === 'oid4ac_mandate')
  const [payment] = payments
  if (payment === undefined) {
    requireWalletScopes(details, scope)
    return null
  }
  if (payments.length > 1 || details.length > 1) {
    throw buildError('invalid_authorization_details', 'A payment request holds exactly one object.')
  }
  if (!scope.includes('oid4ac:payment')) throw buildError('invalid_scope', 'A payment needs the scope oid4ac:payment.')
  const audience = parseAudience(config, payment.merchant)
  if (!resources.some((resource) => findCanonicalAudience(resource) === audience)) {
    throw buildError('invalid_target', 'resource must include the merchant.')
  }
  requireMatchingTotal(payment)
  return { ...payment, audience }
}

function requireWalletScopes(details: readonly AuthorizationDetail[], scope: readonly Scope[]): void {
  const granted = details.flatMap((detail) => (detail.type === 'oid4ac_wallet' ? detail.actions : []))
  const covered = new Set<string>(granted.map((action) => scopeOfAction[action]))
  const requested = scope.filter((name) => walletScopes.has(name))
  if (requested.length === 0) throw buildError('invalid_scope', 'Wallet access needs a wallet scope.')
  if (requested.length !== covered.size || !requested.every((name) => covered.has(name))) {
    throw buildError('invalid_authorization_details', 'The actions and the scopes do not name the same access.')
  }
}

function parseAudience(config: Config, merchant: string): string {
  const audience = payableAudience(config, merchant)
  if (audience !== null) return audience
  throw buildError('invalid_target', 'merchant must be an https URL of a public host without query and fragment.')
}

/** Throws for resources other than the merchant and this server, for which alone tokens are issued. */
function requireKnownResources(resources: readonly string[], known: readonly string[]): void {
  const audiences = known.map((uri) => findCanonicalAudience(uri))
  if (resources.every((resource) => audiences.includes(findCanonicalAudience(resource)))) return
  throw buildError('invalid_target', 'resource may name the merchant and this server only.')
}

function requireMatchingTotal({ line_items: items, amount_minor: amountMinor, currency }: PaymentAuthorization): void {
  if (!itemsMatchAmount(items, { amountMinor, currency })) {
    throw buildError('invalid_authorization_details', 'The line items are more than the amount or of another currency.')
  }
}
