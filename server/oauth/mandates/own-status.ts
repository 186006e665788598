import type { Platform } from '../../base/core/platform'
import { STATUS, statusAt } from '../../base/protocol/status-list'
import { statusListUri } from './read-status-list'
import { readRevocations } from './revocations'
import { STATUS_LIST_SIZE } from './status-index'

/** Returns the published status of a place of this server's list; null for an unknown list or place. */
export async function findOwnStatus(
  platform: Platform,
  { uri, idx }: { readonly uri: string; readonly idx: number },
): Promise<'valid' | 'revoked' | null> {
  const isPlace = Number.isInteger(idx) && idx >= 0 && idx < STATUS_LIST_SIZE
  if (uri !== statusListUri(platform) || !isPlace) return null
  const { list } = await readRevocations(platform)
  return statusAt(await list, idx) === STATUS.valid ? 'valid' : 'revoked'
}
