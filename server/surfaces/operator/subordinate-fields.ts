import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { buildFieldError } from '../../base/core/errors'
import { parseUrl } from '../../base/core/parse-url'
import type { Platform } from '../../base/core/platform'
import type { JsonObject } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { parseMetadataPolicy } from '../../base/protocol/federation/metadata-policy'
import { isLoopbackHost } from '../../base/protocol/ip-address'
import { parsePublicJwk } from '../../base/protocol/jwk'
import { KID_MAX_CHARS } from '../../base/protocol/lifetimes'

/** The fields of an entity that need more checks than their shape. */
interface CheckedFields {
  readonly jwks?: { readonly keys: readonly JsonObject[] } | undefined
  readonly metadata_policy?: JsonObject | null | undefined
  readonly trust_mark_ids?: readonly string[] | undefined
}

/** Throws 422 for keys, policies and marks that a federation cannot use. */
export function requireUsableFields(platform: Platform, fields: CheckedFields): void {
  if (fields.jwks !== undefined) requireKeys(fields.jwks.keys)
  if (fields.metadata_policy) requirePolicy(fields.metadata_policy)
  for (const id of fields.trust_mark_ids ?? []) requireMarkId(platform, id)
}

/** Throws 422 unless the id is one that an entity other than this server can have (section 1.2). */
export function requireEntityId({ config, outbound }: Platform, entityId: string, field = 'entity_id'): void {
  const url = parseUrl(entityId)
  const isPlain = url !== null && !/[?#]/.test(entityId) && url.username === '' && url.password === ''
  if (!isPlain || !outbound.allows(entityId)) {
    throw buildFieldError(['body', field], 'must be a public https URL without userinfo, query and fragment')
  }
  const isOurs = url.origin === new URL(config.baseUrl).origin && url.pathname === '/'
  if (isOurs) throw buildFieldError(['body', field], 'is this server')
}

function requireKeys(keys: readonly JsonObject[]): void {
  const kids = keys.map(({ kid }) => kid)
  const isNamed = kids.every((kid) => typeof kid === 'string' && kid.length > 0 && kid.length <= KID_MAX_CHARS)
  if (!isNamed || new Set(kids).size !== kids.length) {
    throw buildFieldError(['body', 'jwks'], 'every key needs a kid of its own')
  }
  if (!keys.every(isPublicKey)) throw buildFieldError(['body', 'jwks'], 'every key must be a public key for signatures')
}

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Returns whether a JWK is a public key. Kinds that this server does not verify with are accepted: others may. */
function isPublicKey(jwk: JsonObject): boolean {
  if (PRIVATE_MEMBERS.some((member) => Object.hasOwn(jwk, member))) return false
  if (jwk['use'] !== undefined && jwk['use'] !== 'sig') return false
  try {
    if (jwk['crv'] === 'Ed25519' || jwk['crv'] === 'P-256') parsePublicJwk(jwk)
    createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
    return true
  } catch {
    return false
  }
}

function requirePolicy(policy: JsonObject): void {
  try {
    parseMetadataPolicy(policy, { unknownOperators: 'refuse' })
  } catch (error) {
    if (error instanceof ProtocolError) throw buildFieldError(['body', 'metadata_policy'], error.message)
    throw error
  }
}

function requireMarkId({ config }: Platform, id: string): void {
  const url = parseUrl(id)
  const isTrial = config.outboundLoopback && url?.protocol === 'http:' && isLoopbackHost(url.hostname)
  if (url?.protocol === 'https:' || isTrial) return
  throw buildFieldError(['body', 'trust_mark_ids'], 'must be absolute https URLs')
}
