import type { Platform } from '../../base/core/platform'
import { STATUS, statusAt } from '../../base/protocol/status-list'
import { statusListUri } from './read-status-list'
import { readRevocations } from './revocations'
import { STATUS_LIST_SIZE } from './status-index'

/** The state of a place of our own list as it is published; null for a list or a place that there is not. */
export async function findOwnStatus(
  platform: Platform,
  { uri, idx }: { readonly uri: string; readonly idx: number },
): Promise<'valid' | 'revoked' | null> {
  const isPlace = Number.isInteger(idx) && idx >= 0 && idx < STATUS_LIST_SIZE
  if (uri !== statusListUri(platform) || !isPlace) return null
  const { list } = await readRevocations(platform)
  return statusAt(await list, idx) === STATUS.valid ? 'valid' : 'revoked'
}
