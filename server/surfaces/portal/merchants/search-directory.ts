import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import type { searchDirectoryProcedure } from './contract'
import { findVerifiedMerchants } from './store'
import type { DirectoryView } from './view'

const MATCHES_MAX = 20

/** Returns verified merchants by name or address, at most twenty; none for an empty search. */
export async function searchDirectory(
  { platform, now }: WalletCall,
  { words }: ProcedureInput<typeof searchDirectoryProcedure>,
): Promise<DirectoryView> {
  const wanted = words.trim()
  if (wanted === '') return { merchants: [], more: false }
  const found = await findVerifiedMerchants(platform.db, wanted, { limit: MATCHES_MAX + 1, now })
  return { merchants: found.slice(0, MATCHES_MAX), more: found.length > MATCHES_MAX }
}
