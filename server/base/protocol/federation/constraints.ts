/**
 * The constraints that a superior sets for all entities below it.
 *
 * @see {@link https://openid.net/specs/openid-federation-1_0.html#section-6.2}
 */
import { isJsonObject } from '../encoding'
import { ensure } from '../errors'

/** Well-formed constraints; unknown ones are ignored, as the standard requires. */
export interface Constraints {
  readonly maxPathLength: number | null
  readonly permitted: readonly string[] | null
  readonly excluded: readonly string[]
  readonly allowedEntityTypes: ReadonlySet<string> | null
}

const NONE: Constraints = { maxPathLength: null, permitted: null, excluded: [], allowedEntityTypes: null }

/** Reads a `constraints` claim. Throws `invalid_trust_chain`. */
export function parseConstraints(value: unknown): Constraints {
  if (value === undefined) return NONE
  ensure(isJsonObject(value), 'invalid_trust_chain', 'The constraints are not an object')
  const { max_path_length: maxPathLength = null, naming_constraints: naming = {} } = value
  const isLength = maxPathLength === null || (Number.isSafeInteger(maxPathLength) && Number(maxPathLength) >= 0)
  ensure(isLength, 'invalid_trust_chain', 'The constraint max_path_length is malformed')
  ensure(isJsonObject(naming), 'invalid_trust_chain', 'The constraint naming_constraints is malformed')
  const types = readNames(value['allowed_entity_types'], 'allowed_entity_types')
  return {
    maxPathLength: maxPathLength === null ? null : Number(maxPathLength),
    permitted: readNames(naming['permitted'], 'naming_constraints'),
    excluded: readNames(naming['excluded'], 'naming_constraints') ?? [],
    allowedEntityTypes: types === null ? null : new Set(types),
  }
}

function readNames(value: unknown, constraint: string): readonly string[] | null {
  if (value === undefined) return null
  const isList = Array.isArray(value) && value.every((name) => typeof name === 'string')
  ensure(isList, 'invalid_trust_chain', `The constraint ${constraint} is malformed`)
  return value
}

/** The part of a path below the issuer of constraints. */
interface Below {
  /** The number of intermediates between the issuer and the subject of the chain. */
  readonly intermediates: number
  /** The identifiers of all entities below the issuer. */
  readonly entityIds: readonly string[]
}

/** Throws `invalid_trust_chain` when the path below the issuer breaks its constraints. */
export function requireConstraints(constraints: Constraints, { intermediates, entityIds }: Below): void {
  const { maxPathLength } = constraints
  const isShort = maxPathLength === null || intermediates <= maxPathLength
  ensure(isShort, 'invalid_trust_chain', 'The trust chain is longer than max_path_length allows')
  const isNamed = entityIds.every((entityId) => isNameAllowed(constraints, hostOf(entityId)))
  ensure(isNamed, 'invalid_trust_chain', 'An entity of the trust chain breaks the naming_constraints')
}

/** Returns the host without port, with which name constraints are compared. */
function hostOf(entityId: string): string {
  return new URL(entityId).hostname.toLowerCase().replace(/\.$/, '')
}

function isNameAllowed({ permitted, excluded }: Constraints, host: string): boolean {
  if (excluded.some((name) => isWithin(host, name))) return false
  return permitted === null || permitted.some((name) => isWithin(host, name))
}

/**
 * Whether a host matches a constraint: below a name that begins with a period, else equal (RFC 5280 section 4.2.1.10).
 */
function isWithin(host: string, constraint: string): boolean {
  const name = constraint.toLowerCase()
  return name.startsWith('.') ? host.length > name.length && host.endsWith(name) : host === name
}

/**
 * Whether every superior allows the subject this entity type; `federation_entity` is always allowed (section 6.2.3).
 */
export function isTypeAllowed(type: string, constraints: readonly Constraints[]): boolean {
  if (type === 'federation_entity') return true
  return constraints.every(({ allowedEntityTypes }) => allowedEntityTypes?.has(type) ?? true)
}
