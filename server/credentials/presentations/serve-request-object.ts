import type { CallOf, InputOf } from '../../base/contract/endpoint'
import { buildNotFoundError } from '../../base/contract/problem'
import { Reply } from '../../base/contract/reply'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { isJsonObject, type JsonObject, parseJsonObject } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { CLIENT_ALGORITHMS } from '../../base/protocol/jws'
import { REQUEST_OBJECT_TTL_SECONDS } from '../../base/protocol/lifetimes'
import { publishResponseKey, RESPONSE_ENCRYPTION, signRequestObject } from '../../base/protocol/request-object'
import { type RelyingParty, requireRelyingParty } from './relying-party'
import type { serveRequestObjectEndpoint } from './request-contract'
import { findPendingRequest, type PendingRequest, responseModeOf } from './request-store'

type Serve = typeof serveRequestObjectEndpoint

const FORMAT = 'dc+sd-jwt'
/** The audience of a wallet app without an address of its own (OpenID4VP section 5.8). */
const WALLET_AUDIENCE = 'https://self-issued.me/v2'

/** POST /eudiw/request/{request_id}. It may be fetched again until it is answered. */
export async function serveRequestObject(call: CallOf<Serve>, input: InputOf<Serve>): Promise<Reply> {
  const { platform, now } = call
  const metadata = readWalletMetadata(input.wallet_metadata)
  const pending = await findPendingRequest(platform, input.request_id, now)
  if (pending === null) throw buildNotFoundError()
  const party = await requireRelyingParty(call)
  if (party.clientId !== pending.request.clientId) {
    throw new ServiceError('request_object_invalid', 'The access certificate has changed since the request was made.')
  }
  requireCapable(metadata, party)
  const claims = buildClaims(platform, pending, { party, now, walletNonce: input.wallet_nonce })
  return Reply.text(await signRequestObject(claims, party), 'application/oauth-authz-req+jwt')
}

interface RequestObjectContext {
  readonly party: RelyingParty
  readonly now: Date
  readonly walletNonce: string | undefined
}

/** @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#section-5} */
function buildClaims({ config }: Platform, { id, expiresAt, request }: PendingRequest, context: RequestObjectContext) {
  const { party, now, walletNonce } = context
  const issuedAt = Math.floor(now.getTime() / 1000)
  return {
    client_id: party.clientId,
    response_type: 'vp_token',
    response_mode: responseModeOf(request),
    response_uri: `${config.baseUrl}/eudiw/response/${id}`,
    nonce: request.nonce,
    state: request.state,
    aud: WALLET_AUDIENCE,
    iat: issuedAt,
    exp: Math.min(issuedAt + REQUEST_OBJECT_TTL_SECONDS, Math.floor(expiresAt.getTime() / 1000)),
    dcql_query: request.query,
    client_metadata: buildMetadata(request),
    ...(request.transactionData.length > 0 && { transaction_data: request.transactionData }),
    ...(party.verifierInfo !== null && { verifier_info: party.verifierInfo }),
    ...(walletNonce !== undefined && { wallet_nonce: walletNonce }),
  }
}

function buildMetadata({ responseKey }: PendingRequest['request']) {
  const encryption = responseKey !== null && {
    jwks: { keys: [publishResponseKey(responseKey)] },
    encrypted_response_enc_values_supported: RESPONSE_ENCRYPTION,
  }
  const algorithms = { 'sd-jwt_alg_values': CLIENT_ALGORITHMS, 'kb-jwt_alg_values': CLIENT_ALGORITHMS }
  return { ...encryption, vp_formats_supported: { [FORMAT]: algorithms } }
}

function readWalletMetadata(sent: string | JsonObject | undefined): JsonObject | null {
  if (sent === undefined) return null
  if (typeof sent !== 'string') return sent
  try {
    return parseJsonObject(Buffer.from(sent))
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new ServiceError('invalid_request', `wallet_metadata is not a JSON object. ${cause.message}.`, { cause })
  }
}

/** Throws when the wallet app declares what it supports and this request is not part of it. */
function requireCapable(metadata: JsonObject | null, { clientId }: RelyingParty): void {
  const { vp_formats_supported: formats, client_id_prefixes_supported: prefixes } = metadata ?? {}
  if (formats !== undefined && !isJsonObject(formats)) throw buildMalformedMemberError('vp_formats_supported')
  if (isJsonObject(formats) && !Object.hasOwn(formats, FORMAT)) {
    throw new ServiceError('vp_formats_not_supported', `This verifier takes ${FORMAT} only.`)
  }
  if (prefixes === undefined) return
  if (!Array.isArray(prefixes)) throw buildMalformedMemberError('client_id_prefixes_supported')
  const [prefix = ''] = clientId.split(':', 1)
  if (prefixes.includes(prefix)) return
  throw new ServiceError('invalid_request', `The wallet does not support the client identifier prefix ${prefix}.`)
}

const buildMalformedMemberError = (member: string): ServiceError =>
  new ServiceError('invalid_request', `The member ${member} of wallet_metadata is malformed.`)
