import { parseScopes } from '../../base/contract/parse-scopes'
import { defaultAgentScope } from '../../base/contract/scopes'
import { ServiceError } from '../../base/core/errors'
import { freeTextRefusal } from '../../base/core/free-text'
import type { JsonObject } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import type { ClientJwk } from '../../base/protocol/jwk'
import { parseJwks } from '../../base/protocol/jwks'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'
import { isAllowedRedirectUri } from '../../base/protocol/uri'

const REDIRECT_URIS_MAX = 10
const NAME_MAX_CHARS = 200
const PURPOSE_MAX_CHARS = 500
const grantTypes = ['authorization_code', 'refresh_token']

export interface AgentMetadata {
  readonly redirectUris: readonly string[]
  readonly grantTypes: readonly string[]
  readonly scope: readonly string[]
  readonly jwks: readonly ClientJwk[]
  readonly name: string | null
  readonly purpose: string | null
}

const buildMetadataError = (description: string, cause?: unknown) =>
  new ServiceError('invalid_client_metadata', description, { cause })

/**
 * Reads the RFC 7591 metadata that an agent may register. Unknown members are ignored (section 2).
 * @throws invalid_redirect_uri or invalid_client_metadata (section 3.2.2)
 */
export async function readAgentMetadata(body: JsonObject, options: { allowRsa: boolean }): Promise<AgentMetadata> {
  const redirectUris = readRedirectUris(body['redirect_uris'])
  const method = body['token_endpoint_auth_method'] ?? 'private_key_jwt'
  if (method !== 'private_key_jwt') throw buildMetadataError('token_endpoint_auth_method must be private_key_jwt.')
  const grants = readSubset(body['grant_types'], grantTypes, 'grant_types')
  if (!grants.includes('authorization_code')) throw buildMetadataError('grant_types must hold authorization_code.')
  readSubset(body['response_types'], ['code'], 'response_types')
  if (body['jwks_uri'] !== undefined) throw buildMetadataError('jwks_uri is not supported; send jwks.')
  return {
    redirectUris,
    grantTypes: grants,
    scope: readScope(body['scope']),
    jwks: await readKeys(body['jwks'], options),
    name: readText(body['client_name'], 'client_name', NAME_MAX_CHARS),
    purpose: readText(body['purpose'], 'purpose', PURPOSE_MAX_CHARS),
  }
}

function readRedirectUris(value: unknown): string[] {
  const uris = Array.isArray(value) ? (value as unknown[]) : []
  const allowed = uris.filter(
    (uri): uri is string => typeof uri === 'string' && uri.length <= URI_MAX_CHARS && isAllowedRedirectUri(uri),
  )
  if (uris.length === 0 || uris.length > REDIRECT_URIS_MAX || allowed.length !== uris.length) {
    throw new ServiceError(
      'invalid_redirect_uri',
      'redirect_uris must be https addresses, or http on a loopback host, without fragment, userinfo or the parameters code, state, iss and error.',
    )
  }
  return [...new Set(allowed)]
}

function readSubset(value: unknown, all: readonly string[], member: string): string[] {
  if (value === undefined) return [...all]
  const items = Array.isArray(value) ? (value as unknown[]) : []
  const known = items.filter((item): item is string => typeof item === 'string' && all.includes(item))
  if (items.length === 0 || known.length !== items.length)
    throw buildMetadataError(`${member} may hold ${all.join(' and ')} only.`)
  return [...new Set(known)]
}

function readScope(value: unknown): string[] {
  if (value === undefined) return [...defaultAgentScope]
  if (typeof value !== 'string' || value.length > 1_024)
    throw buildMetadataError('scope must be a string of scope names.')
  try {
    return parseScopes(value) ?? [...defaultAgentScope]
  } catch (cause) {
    throw buildMetadataError('scope contains an unknown value.', cause)
  }
}

async function readKeys(value: unknown, options: { allowRsa: boolean }): Promise<ClientJwk[]> {
  try {
    return await parseJwks(value, options)
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw buildMetadataError(`${cause.message}.`, cause)
  }
}

function readText(value: unknown, member: string, maxChars: number): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string' || value.length > maxChars)
    throw buildMetadataError(`${member} must be a string of at most ${maxChars} characters.`)
  const refusal = freeTextRefusal(value)
  if (refusal !== null) throw buildMetadataError(`${member} ${refusal}.`)
  return value
}
