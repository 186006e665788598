import { orNull } from '../../base/protocol/errors'
import { parseEntityStatement } from '../../base/protocol/federation/entity-statement'
import type { Collector } from './collector'

interface Link {
  readonly superior: string
  readonly entityId: string
}

/**
 * Returns whether a superior on an entity's last valid chain no longer vouches for the entity below it. An entity
 * cannot delay that by not answering: its superiors are asked without it. A superior that does not answer denies
 * nothing.
 */
export async function isDeniedBySuperior(collector: Collector, path: readonly string[], now: Date): Promise<boolean> {
  const links = path.slice(1).map((superior, index) => ({ superior, entityId: path[index] ?? '' }))
  const denials = await Promise.all(links.map((link) => isDenied(collector, link, now)))
  return denials.includes(true)
}

async function isDenied(collector: Collector, { superior, entityId }: Link, now: Date): Promise<boolean> {
  const configuration = await collector.configuration(superior)
  const statement =
    configuration === null ? null : await collector.statement({ entityId: superior, configuration }, entityId)
  if (statement === null) return !collector.isUnreachable(superior)
  return !isAbout(statement, { superior, entityId }, now)
}

function isAbout(compact: string, { superior, entityId }: Link, now: Date): boolean {
  const statement = orNull(() => parseEntityStatement(compact, now))
  return statement?.iss === superior && statement.sub === entityId
}
