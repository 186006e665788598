import type { Platform } from '../../base/core/platform'
import { packStatusList, STATUS, type StatusList } from '../../base/protocol/status-list'
import { STATUS_LIST_SIZE } from './status-index'
import { findStatusListVersion, listRevokedIndexes } from './store'

export const STATUS_LIST_ID = '1'

/** The revoked places as of a version of the published list. */
export interface Revocations {
  readonly version: number
  readonly list: Promise<StatusList>
}

const known = new WeakMap<Platform, Revocations>()

/**
 * Returns the present revocations. The version is read each time, so revocations are visible at once; the list is read
 * once for each new version.
 */
export async function readRevocations(platform: Platform): Promise<Revocations> {
  const version = await findStatusListVersion(platform.db, STATUS_LIST_ID)
  const last = known.get(platform)
  if (last?.version === version) return last
  const fresh = { version, list: packRevoked(platform) }
  known.set(platform, fresh)
  fresh.list.catch(() => {
    if (known.get(platform) === fresh) known.delete(platform)
  })
  return fresh
}

async function packRevoked({ db }: Platform): Promise<StatusList> {
  const revoked = await listRevokedIndexes(db)
  const entries = revoked.map((index) => [index, STATUS.invalid] as const)
  return packStatusList({ bits: 1, size: STATUS_LIST_SIZE, entries })
}
