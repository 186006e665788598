/**
 * Trust chains: from a subject's entity configuration to the statement of this server, the trust anchor, about the
 * topmost entity.
 *
 * @see {@link https://openid.net/specs/openid-federation-1_0.html#section-10}
 */
import { isJsonObject, type JsonObject } from '../encoding'
import { ensure } from '../errors'
import { type Constraints, isTypeAllowed, parseConstraints, requireConstraints } from './constraints'
import { type EntityJwks, type EntityStatement, verifyEntityStatement } from './entity-statement'
import { applyTypePolicy, type MetadataPolicy, mergePolicies, parseMetadataPolicy } from './metadata-policy'

/** A chain as it was collected, not verified. */
export interface TrustChain {
  /** The entity configuration of the subject. */
  readonly configuration: EntityStatement
  /** The statements of superiors about the entity below each: first that about the subject, last that of the anchor. */
  readonly statements: readonly EntityStatement[]
  /** The configurations of the intermediates in the same order: the issuers of all statements but the last. */
  readonly intermediates: readonly EntityStatement[]
  readonly anchor: { readonly entityId: string; readonly jwks: EntityJwks }
}

/** The metadata of a subject after the policies of its superiors have been applied. */
export type ResolvedMetadata = ReadonlyMap<string, JsonObject>

/**
 * Verifies a chain and resolves the subject's metadata. Throws `invalid_trust_chain`, or `invalid_metadata` for policies
 * that contradict each other or are not met.
 */
export async function resolveTrustChain(chain: TrustChain): Promise<ResolvedMetadata> {
  await verifyLinks(chain)
  const constraints = requireAllConstraints(chain)
  const policies = chain.statements.map(({ claims }) => policyOf(claims)).toReversed()
  const merged = mergePolicies(policies)
  const types = [...metadataOf(chain)].filter(([type]) => isTypeAllowed(type, constraints))
  return new Map(
    types.map(([type, metadata]) => [type, applyTypePolicy(metadata, merged.get(type) ?? new Map<string, never>())]),
  )
}

/** Verifies issuer, subject and signature of each statement; the party above must attest the key (section 10.2). */
async function verifyLinks({ configuration, statements, intermediates, anchor }: TrustChain): Promise<void> {
  const issuers = [
    ...intermediates.map(({ sub }, index) => ({ entityId: sub, jwks: statements[index + 1]?.jwks ?? [] })),
    anchor,
  ]
  for (const [index, subject] of [configuration, ...intermediates].entries()) {
    const [statement, issuer] = [statements[index], issuers[index]]
    ensure(statement !== undefined && issuer !== undefined, 'invalid_trust_chain', 'The trust chain is incomplete')
    const isOwn = subject.iss === subject.sub
    const isLinked = isOwn && statement.sub === subject.sub && statement.iss === issuer.entityId
    ensure(isLinked, 'invalid_trust_chain', 'The statements of the trust chain do not follow each other')
    await verifyEntityStatement(subject, subject.jwks)
    await verifyEntityStatement(subject, statement.jwks)
    await verifyEntityStatement(statement, issuer.jwks)
  }
}

function requireAllConstraints({ statements }: TrustChain): readonly Constraints[] {
  const entityIds = statements.map(({ sub }) => sub)
  return statements.map(({ claims }, index) => {
    const constraints = parseConstraints(claims['constraints'])
    requireConstraints(constraints, { intermediates: index, entityIds: entityIds.slice(0, index + 1) })
    return constraints
  })
}

function policyOf({ metadata_policy: policy }: JsonObject): MetadataPolicy {
  return policy === undefined ? new Map() : parseMetadataPolicy(policy, { unknownOperators: 'ignore' })
}

/** Returns the subject's metadata, overridden by its immediate superior's for the same types (section 6.1.4.2). */
function metadataOf({ configuration, statements }: TrustChain): ReadonlyMap<string, JsonObject> {
  const own = typesOf(configuration.claims['metadata'])
  const above = typesOf(statements[0]?.claims['metadata'])
  return new Map([...own].map(([type, metadata]) => [type, { ...metadata, ...above.get(type) }]))
}

function typesOf(metadata: unknown): ReadonlyMap<string, JsonObject> {
  if (!isJsonObject(metadata)) return new Map()
  return new Map(Object.entries(metadata).flatMap(([type, value]) => (isJsonObject(value) ? [[type, value]] : [])))
}
