import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { ensure, ProtocolError } from '../../base/protocol/errors'
import { type EntityStatement, parseEntityStatement, readJwks } from '../../base/protocol/federation/entity-statement'
import { type ResolvedMetadata, resolveTrustChain } from '../../base/protocol/federation/trust-chain'
import type { Collector } from './collector'
import { findPaths, type Path } from './find-path'
import { signEntityConfiguration, signSubordinateStatement } from './statements'
import { findActiveSubordinate } from './subordinate-store'

/** An entity that a valid chain leads to. */
export interface Resolved {
  /** The statements from the subject's own configuration up to this server's. */
  readonly chain: readonly [EntityStatement, ...EntityStatement[]]
  readonly metadata: ResolvedMetadata
}

interface Moment {
  readonly platform: Platform
  readonly now: Date
}

/**
 * Returns the shortest valid chain; without one, throws the error of the first chain. Throws `invalid_trust_chain` and
 * `invalid_metadata`, and 404 `invalid_subject` when no path leads to this server.
 */
export async function resolveSubject(call: Moment, collector: Collector, sub: string): Promise<Resolved> {
  const { platform } = call
  const anchorId = platform.config.baseUrl
  const findActive = (entityId: string) => findActiveSubordinate(platform.db, entityId)
  const paths = sub === anchorId ? [] : findPaths({ anchorId, collector, findActive }, sub)
  let refusal: ProtocolError | null = null
  for await (const step of paths) {
    const result = 'failure' in step ? step.failure : await tryPath(call, collector, step.path)
    if (!(result instanceof ProtocolError)) return result
    refusal ??= result
  }
  throw refusal ?? new ServiceError('invalid_subject', 'No path leads from this entity to this trust anchor.')
}

async function tryPath(call: Moment, collector: Collector, path: Path): Promise<Resolved | ProtocolError> {
  try {
    return await resolvePath(call, path, await collectStatements(collector, path))
  } catch (error) {
    if (error instanceof ProtocolError) return error
    throw error
  }
}

/** Fetches the statement of each superior on a path about the entity below it; this server's are not among them. */
async function collectStatements(collector: Collector, { entities }: Path): Promise<string[]> {
  const pairs = entities.slice(1).map((superior, index) => ({ superior, entityId: entities[index]?.entityId ?? '' }))
  const statements = await Promise.all(pairs.map(({ superior, entityId }) => collector.statement(superior, entityId)))
  return statements.map((statement) => {
    ensure(statement !== null, 'invalid_trust_chain', 'A statement of an intermediate cannot be fetched')
    return statement
  })
}

/** Verifies all statements that were collected on a path. */
async function resolvePath({ platform, now }: Moment, path: Path, collected: string[]): Promise<Resolved> {
  const [configuration, ...intermediates] = path.entities.map(({ entityId, configuration: { compact } }) => {
    const statement = parseEntityStatement(compact, now)
    const isOwn = statement.iss === entityId && statement.sub === entityId
    ensure(isOwn, 'invalid_trust_chain', 'An entity configuration is of another entity')
    return statement
  })
  ensure(configuration !== undefined, 'invalid_trust_chain', 'The trust chain is empty')
  const ours = parseOwn(signSubordinateStatement(platform, path.top, now), now)
  const statements = [...collected.map((statement) => parseEntityStatement(statement, now)), ours]
  const anchor = parseOwn(await signEntityConfiguration(platform, now), now)
  const metadata = await resolveTrustChain({
    configuration,
    statements,
    intermediates,
    anchor: { entityId: platform.config.baseUrl, jwks: readJwks({ keys: platform.keys.jwks('federation') }) },
  })
  return { chain: [configuration, ...statements, anchor], metadata }
}

/** Parses a statement of this server, whose size is not limited: the operator enrolled its content. */
const parseOwn = (compact: string, now: Date) => parseEntityStatement(compact, now, Number.POSITIVE_INFINITY)
