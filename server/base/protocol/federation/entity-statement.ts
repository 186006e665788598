/**
 * Decodes and verifies the entity statements of other parties.
 *
 * @see {@link https://openid.net/specs/openid-federation-1_0.html#section-3}
 */
import { epochSeconds, readTime } from '../claims'
import { type DecodedJws, decodeJws } from '../eddsa'
import { isJsonObject, type JsonObject } from '../encoding'
import { ensure, refusingAs, refusingLater } from '../errors'
import { parsePublicJwk } from '../jwk'
import { CLIENT_ALGORITHMS, verifyJws } from '../jws'
import { importKey } from '../key-import'
import { CLOCK_SKEW_SECONDS, ENTITY_STATEMENT_MAX_BYTES, URI_MAX_CHARS } from '../lifetimes'
import { isStandardOperator } from './metadata-policy'

export const ENTITY_STATEMENT_TYPE = 'entity-statement+jwt'

/** A key set as it was sent. Keys of unsupported types are kept and never match. */
export type EntityJwks = readonly JsonObject[]

/** An entity statement with well-formed claims. Its signature is verified later with keys from the chain. */
export interface EntityStatement {
  readonly compact: string
  readonly iss: string
  readonly sub: string
  readonly exp: number
  readonly jwks: EntityJwks
  readonly claims: JsonObject
  readonly jws: DecodedJws
}

/** Claims that only superiors make, about others; those below only entities make, about themselves (section 3.1). */
const ONLY_ABOUT_OTHERS = ['metadata_policy', 'metadata_policy_crit', 'constraints', 'source_endpoint']
const ONLY_ABOUT_ITSELF = [
  'authority_hints',
  'trust_anchor_hints',
  'trust_marks',
  'trust_mark_issuers',
  'trust_mark_owners',
]

/**
 * Reads an entity statement (section 3.2, all steps but the signature). Throws `invalid_trust_chain`. The limit applies
 * to statements of other parties.
 */
export function parseEntityStatement(
  compact: string,
  now: Date,
  maxBytes = ENTITY_STATEMENT_MAX_BYTES,
): EntityStatement {
  return refusingAs('invalid_trust_chain', () => {
    const jws = decodeJws(compact, { maxBytes })
    const { header, payload: claims } = jws
    ensure(
      header.typ === ENTITY_STATEMENT_TYPE,
      'malformed',
      `The typ of the statement is not ${ENTITY_STATEMENT_TYPE}`,
    )
    ensure(CLIENT_ALGORITHMS.includes(header.alg), 'malformed', 'The alg of the statement is not accepted')
    ensure(header.kid !== undefined && header.kid !== '', 'malformed', 'The statement has no kid')
    const [iss, sub] = [readEntityId(claims, 'iss'), readEntityId(claims, 'sub')]
    const exp = requireInTime(claims, now)
    requireClaimPlaces(claims, iss === sub)
    requireKnownCritical(claims)
    return { compact, iss, sub, exp, jwks: readJwks(claims['jwks']), claims, jws }
  })
}

function readEntityId(claims: JsonObject, name: 'iss' | 'sub'): string {
  const value = claims[name]
  const isId = typeof value === 'string' && value.length <= URI_MAX_CHARS && /^https?:\/\/[\x21-\x7e]+$/.test(value)
  ensure(isId, 'malformed', `The ${name} of the statement is no entity identifier`)
  return value
}

function requireInTime(claims: JsonObject, now: Date): number {
  const [iat, exp] = [readTime(claims, 'iat'), readTime(claims, 'exp')]
  const seconds = epochSeconds(now)
  ensure(iat <= seconds + CLOCK_SKEW_SECONDS, 'malformed', 'The statement is from the future')
  ensure(exp > seconds - CLOCK_SKEW_SECONDS, 'malformed', 'The statement has expired')
  return exp
}

function requireClaimPlaces(claims: JsonObject, isAboutItself: boolean): void {
  const misplaced = (isAboutItself ? ONLY_ABOUT_OTHERS : ONLY_ABOUT_ITSELF).find((name) => Object.hasOwn(claims, name))
  ensure(misplaced === undefined, 'malformed', `The statement may not have the claim ${misplaced}`)
  const { metadata } = claims
  const isMetadata = metadata === undefined || (isJsonObject(metadata) && Object.values(metadata).every(isJsonObject))
  ensure(isMetadata, 'malformed', 'The metadata of the statement is malformed')
}

/** Throws when the statement has critical extensions, as none is supported (section 3.1.1, `crit`, and 6.1.3.2). */
function requireKnownCritical(claims: JsonObject): void {
  ensure(claims['crit'] === undefined, 'malformed', 'The statement has critical claims that are not known')
  const critical = claims['metadata_policy_crit']
  if (critical === undefined) return
  const isKnown =
    Array.isArray(critical) &&
    critical.length > 0 &&
    critical.every((name) => typeof name === 'string' && isStandardOperator(name))
  ensure(isKnown, 'malformed', 'The statement has critical policy operators that are not known')
}

/** Reads a `jwks` claim, whose keys must have different kids. */
export function readJwks(value: unknown): EntityJwks {
  const keys = isJsonObject(value) ? value['keys'] : undefined
  ensure(Array.isArray(keys) && keys.every(isJsonObject), 'malformed', 'The jwks of the statement are malformed')
  const kids = keys.map(({ kid }) => kid)
  const isNamed = kids.every((kid) => typeof kid === 'string' && kid !== '')
  ensure(isNamed && new Set(kids).size === kids.length, 'malformed', 'The keys of the statement need kids of their own')
  return keys
}

/** Verifies the signature of a statement with the key that its header names. Throws `invalid_trust_chain`. */
export function verifyEntityStatement({ jws }: EntityStatement, jwks: EntityJwks): Promise<void> {
  return refusingLater('invalid_trust_chain', async () => {
    const jwk = jwks.find(({ kid }) => kid === jws.header.kid)
    ensure(jwk !== undefined, 'invalid_signature', 'The statement is not signed by a key that its issuer may use')
    const { key } = await importKey(parsePublicJwk(jwk))
    await verifyJws(jws, { key, algorithms: CLIENT_ALGORITHMS })
  })
}
