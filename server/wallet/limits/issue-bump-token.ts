import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { updateBumpToken } from './bump-store'

const TOKEN_BYTES = 32

/**
 * Creates the token with which the carrier may decide this bump once, for the RCS message about it. Only its hash is
 * stored, and a bump keeps its first token: call it where the message is written, in the transaction that opened the
 * bump.
 */
export async function issueBumpToken(tx: Transaction, { platform }: Pick<Call, 'platform'>, bumpId: string) {
  const token = platform.random.token(TOKEN_BYTES)
  await updateBumpToken(tx, { bumpId, tokenHash: sha256Base64url(token) })
  return token
}
