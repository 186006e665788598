import type { Platform } from '../../base/core/platform'
import { isJsonObject } from '../../base/protocol/encoding'
import type { EntityStatement } from '../../base/protocol/federation/entity-statement'
import { type MarkStatus, parseMark, statusOfMark } from './signed-mark'

/** The number of entries of `trust_marks` that are read. */
const MARKS_MAX = 32

/** A mark of this server that an entity shows about itself. */
export interface ShownMark {
  readonly trustMarkId: string
  readonly compact: string
  readonly status: MarkStatus
  /** Seconds since 1970. */
  readonly exp: number
}

/**
 * Returns the marks of this server in an entity's configuration that are about the entity, active or not; others are
 * left out.
 */
export async function listShownMarks(
  platform: Platform,
  { sub, claims }: EntityStatement,
  now: Date,
): Promise<ShownMark[]> {
  const entries = Array.isArray(claims['trust_marks']) ? claims['trust_marks'].slice(0, MARKS_MAX) : []
  const checked = entries.map(async (entry: unknown) => {
    if (!isJsonObject(entry)) return []
    const { trust_mark: compact, trust_mark_type, trust_mark_id, id } = entry
    if (typeof compact !== 'string') return []
    const mark = parseMark(platform, compact)
    if (mark === null || mark === 'foreign' || mark.sub !== sub) return []
    const named = [trust_mark_type, trust_mark_id, id].filter((name) => name !== undefined)
    if (named.length === 0 || named.some((name) => name !== mark.trustMarkId)) return []
    const status = await statusOfMark(platform, mark, now)
    if (status === null) return []
    return [{ trustMarkId: mark.trustMarkId, compact, status, exp: Number(mark.jws.payload['exp']) }]
  })
  return (await Promise.all(checked)).flat()
}
