import type { FindKey } from '../audit-verify/keys'
import { CommandError } from '../operator-client'
import { hasStatement, openWitnessKey, readSeen, withFolder, writeSeen, writeStatement } from './folder'
import { observe } from './observe'
import { signStatement } from './statement'
import { openTenant } from './tenant-client'

export interface WitnessOptions {
  readonly baseUrl: string
  readonly tenantId: string
  /** The folder with the witness's key, its last state and its statements. */
  readonly folder: string
  /** The private JWK of the tenant's wallet client. */
  readonly keyFile: string
  readonly findKey: FindKey
}

/**
 * Checks the chain once. Returns a line for the terminal. Throws a CommandError or an ApiError when the chain does not
 * continue what was seen or cannot be read; then it signs nothing and keeps its state.
 */
export async function witness({ baseUrl, tenantId, folder, keyFile, findKey }: WitnessOptions): Promise<string> {
  return withFolder(folder, async () => {
    const last = readSeen(folder)
    if (last !== null && last.tenant_id !== tenantId)
      throw new CommandError(`${folder} is the state of another tenant.`)
    const client = openTenant({ baseUrl, tenantId, keyFile })
    const found = await observe({ client, findKey, tenantId }, last)
    if (found === null) return 'The chain is empty: there is nothing to witness yet.'
    const { seen, offered } = found
    writeSeen(folder, seen)
    if (hasStatement(folder, seen.seq)) return `Nothing new since entry ${seen.seq}.`
    const key = await openWitnessKey(folder)
    const path = writeStatement(folder, seen.seq, await signStatement(offered, { key, now: new Date() }))
    return `Witnessed entries ${(last?.seq ?? 0) + 1} to ${seen.seq}: ${path}`
  })
}
