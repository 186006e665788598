import type { Platform } from '../../base/core/platform'
import { STATUS_LIST_ID, statusListUri } from './read-status-list'
import { STATUS_LIST_SIZE } from './status-index'
import { findStatusListVersion, listRevokedIndexes } from './store'

interface Revocations {
  readonly version: number
  readonly indexes: ReadonlySet<number>
}
const known = new WeakMap<Platform, Revocations>()

/** The state of a place of our own list as it is published; null for a list or a place that there is not. */
export async function findOwnStatus(
  platform: Platform,
  { uri, idx }: { readonly uri: string; readonly idx: number },
): Promise<'valid' | 'revoked' | null> {
  const isPlace = Number.isInteger(idx) && idx >= 0 && idx < STATUS_LIST_SIZE
  if (uri !== statusListUri(platform) || !isPlace) return null
  const { indexes } = await readRevocations(platform)
  return indexes.has(idx) ? 'revoked' : 'valid'
}

/** The version is read each time, so a revocation shows at once; the list only when it has moved. */
async function readRevocations(platform: Platform): Promise<Revocations> {
  const version = await findStatusListVersion(platform.db, STATUS_LIST_ID)
  const last = known.get(platform)
  if (last?.version === version) return last
  const fresh = { version, indexes: new Set(await listRevokedIndexes(platform.db)) }
  known.set(platform, fresh)
  return fresh
}
