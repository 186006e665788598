import type { SigningKey } from '@/server/base/protocol/eddsa'
import { sha256Base64url } from '@/server/base/protocol/encoding'
import { orNullLater } from '@/server/base/protocol/errors'
import { signDocument, verifyDocument } from '@/server/base/protocol/jws'
import type { CheckpointClaims } from '@/server/shared/audit'
import type { FindKey } from '../audit-verify/keys'

const WITNESS_TYPE = 'audit-witness+jwt'

/** The statement of a witness: it saw this checkpoint, and every entry up to it continues what it saw before. */
export interface WitnessClaims {
  readonly tenant_id: string
  readonly seq: number
  readonly entry_hash: string
}

/** Signs the statement as a JWS of type audit-witness+jwt. */
export function signStatement(
  checkpoint: { readonly jws: string; readonly claims: CheckpointClaims },
  { key, now }: { readonly key: SigningKey; readonly now: Date },
): Promise<string> {
  const { iss, tenant_id, seq, entry_hash, root_hash } = checkpoint.claims
  const payload = {
    log: iss,
    checkpoint_hash: sha256Base64url(checkpoint.jws),
    tenant_id,
    seq,
    entry_hash,
    root_hash,
    iat: Math.floor(now.getTime() / 1000),
  }
  return signDocument({ typ: WITNESS_TYPE, payload, key })
}

/** Reads a witness's statement; null when it is not signed by the given key or not a statement. */
export async function openStatement(jws: string, findKey: FindKey): Promise<WitnessClaims | null> {
  return orNullLater(async () => {
    const { payload } = await verifyDocument(jws, { name: 'statement', typ: WITNESS_TYPE, findKey })
    const { tenant_id, seq, entry_hash } = payload
    const isWhole = typeof tenant_id === 'string' && typeof entry_hash === 'string' && Number.isSafeInteger(seq)
    return isWhole ? { tenant_id, entry_hash, seq: Number(seq) } : null
  })
}
