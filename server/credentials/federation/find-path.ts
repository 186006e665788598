import { ProtocolError } from '../../base/protocol/errors'
import type { Collector, FetchedConfiguration } from './collector'
import type { SubordinateRow } from './subordinate-store'

const INTERMEDIATES_MAX = 4

/** An entity with its configuration. */
export interface PathEntity {
  readonly entityId: string
  readonly configuration: FetchedConfiguration
}

/** A path from the subject up to an active subordinate of this server. */
export interface Path {
  readonly entities: readonly PathEntity[]
  readonly top: SubordinateRow
}

interface Search {
  readonly anchorId: string
  readonly collector: Collector
  readonly findActive: (entityId: string) => Promise<SubordinateRow | null>
}

/** A path, or the reason why a path fails right below this server. */
type Step = { readonly path: Path } | { readonly failure: ProtocolError }

/**
 * Yields every path that leads from a subject to this anchor, the shortest first: hints are followed level by level,
 * never to an entity that is already on the path (section 17.1). An active subordinate that cannot be reached, or does
 * not name this server, yields a failure; an entity that leads nowhere yields nothing.
 */
export async function* findPaths(search: Search, sub: string): AsyncGenerator<Step> {
  let level: readonly (readonly string[])[] = [[sub]]
  const known = new Map<string, Visit>()
  for (let intermediates = 0; intermediates <= INTERMEDIATES_MAX && level.length > 0; intermediates += 1) {
    const tops = new Set(level.flatMap((ids) => ids.slice(-1)))
    const visits = await Promise.all([...tops].map(async (id) => [id, await visit(search, id)] as const))
    for (const [id, visited] of visits) known.set(id, visited)
    for (const ids of level) yield* stepOf(ids, known)
    level = level.flatMap((ids) => continuations(ids, known, search.anchorId))
  }
}

type Visits = ReadonlyMap<string, Visit>

/** Returns the path or the failure that ends at an active subordinate; empty when the path does not end there. */
function stepOf(ids: readonly string[], visits: Visits): Step[] {
  const { step = null } = visits.get(ids.at(-1) ?? '') ?? {}
  if (step === null) return []
  if ('failure' in step) return [step]
  const entities = ids.flatMap((id) => visits.get(id)?.entity ?? [])
  return [{ path: { top: step.top, entities } }]
}

/** Returns the path extended by each superior of its end that is not on it yet. */
function continuations(ids: readonly string[], visits: Visits, anchorId: string): (readonly string[])[] {
  const hints = visits.get(ids.at(-1) ?? '')?.entity?.configuration.hints ?? []
  return hints.filter((hint) => hint !== anchorId && !ids.includes(hint)).map((hint) => [...ids, hint])
}

interface Visit {
  readonly entity: PathEntity | null
  /** The result when the entity is an active subordinate of this server; null when it is not. */
  readonly step: { readonly top: SubordinateRow } | { readonly failure: ProtocolError } | null
}

async function visit({ anchorId, collector, findActive }: Search, entityId: string): Promise<Visit> {
  const [configuration, row] = await Promise.all([collector.configuration(entityId), findActive(entityId)])
  const entity = configuration === null ? null : { entityId, configuration }
  if (row === null) return { entity, step: null }
  if (configuration === null) {
    return { entity, step: failure('The configuration of an active subordinate cannot be fetched') }
  }
  if (!configuration.hints.includes(anchorId)) {
    return { entity, step: failure('An active subordinate does not name this trust anchor in its authority_hints') }
  }
  return { entity, step: { top: row } }
}

const failure = (message: string) => ({ failure: new ProtocolError('invalid_trust_chain', message) })
