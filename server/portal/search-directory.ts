import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import type { DirectoryView, directorySearch } from './contract'
import { findVerifiedMerchants } from './directory-store'

const MATCHES_MAX = 20

/** Merchants in good standing by name or address, at most twenty of them; none for no words. */
export async function searchDirectory(
  { platform }: WalletCall,
  { words }: z.output<typeof directorySearch>,
): Promise<DirectoryView> {
  const wanted = words.trim()
  if (wanted === '') return { merchants: [], more: false }
  const found = await findVerifiedMerchants(platform.db, wanted, MATCHES_MAX + 1)
  return { merchants: found.slice(0, MATCHES_MAX), more: found.length > MATCHES_MAX }
}
