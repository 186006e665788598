import type { WalletCall } from '../../base/core/call'
import type { OwnCredential } from './contract'
import { listCredentialsAbout } from './store'

type Row = Awaited<ReturnType<typeof listCredentialsAbout>>[number]

/** Returns the credentials about the person that wallet apps have fetched, newest first. */
export async function listOwnCredentials({
  platform,
  actor,
  now,
}: WalletCall): Promise<{ readonly credentials: readonly OwnCredential[] }> {
  const rows = await listCredentialsAbout(platform.db, actor.principalId)
  return { credentials: rows.map((row) => renderCredential(row, now)) }
}

function renderCredential(row: Row, now: Date): OwnCredential {
  return {
    id: row.id,
    kind: row.configuration,
    status: row.revoked_at !== null ? 'revoked' : row.expires_at > now ? 'active' : 'expired',
    issued_at: row.issued_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}
