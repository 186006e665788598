import { ProtocolError } from '../../base/protocol/errors'
import type { Collector, FetchedConfiguration } from './collector'
import type { SubordinateRow } from './subordinate-store'

const INTERMEDIATES_MAX = 4

/** An entity with what it says of itself. */
export interface PathEntity {
  readonly entityId: string
  readonly configuration: FetchedConfiguration
}

/** From the subject up to an active subordinate of ours. */
export interface Path {
  readonly entities: readonly PathEntity[]
  readonly top: SubordinateRow
}

interface Search {
  readonly anchorId: string
  readonly collector: Collector
  readonly findActive: (entityId: string) => Promise<SubordinateRow | null>
}

/** A path or the reason why one ends right below us. */
type Step = { readonly path: Path } | { readonly failure: ProtocolError }

/**
 * Every path that leads from a subject to this anchor, the shortest first: hints are followed level by level, never to an
 * entity that the path has passed (section 17.1). An active subordinate that cannot be reached, or does not name us, is a
 * failure; an entity that leads nowhere is nothing.
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

/** Where a path arrived that ends at an active subordinate of ours. */
function stepOf(ids: readonly string[], visits: Visits): Step[] {
  const { step = null } = visits.get(ids.at(-1) ?? '') ?? {}
  if (step === null) return []
  if ('failure' in step) return [step]
  const entities = ids.flatMap((id) => visits.get(id)?.entity ?? [])
  return [{ path: { top: step.top, entities } }]
}

/** The path with each superior of its end, but for those that it has passed. */
function continuations(ids: readonly string[], visits: Visits, anchorId: string): (readonly string[])[] {
  const hints = visits.get(ids.at(-1) ?? '')?.entity?.configuration.hints ?? []
  return hints.filter((hint) => hint !== anchorId && !ids.includes(hint)).map((hint) => [...ids, hint])
}

interface Visit {
  readonly entity: PathEntity | null
  /** Whether the path ends here, at an active subordinate of ours. */
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
