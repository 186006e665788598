import type { Platform, Transaction } from '../../base/core/platform'
import { createCredentialNonce, findNonceEnd } from '../../base/protocol/credential-nonce'
import { sha256Base64url } from '../../base/protocol/encoding'
import { consumeNonce } from './store'

const PURPOSE = 'credential-nonce'
const RANDOM_BYTES = 16

/** Creates a `c_nonce` (OpenID4VCI section 7.2). */
export function newCredentialNonce({ sealer, random }: Pick<Platform, 'sealer' | 'random'>, now: Date): string {
  return createCredentialNonce(sealer.derive(PURPOSE), random.bytes(RANDOM_BYTES), now)
}

/** Returns the expiry of a `c_nonce` of this server, used or not; null for any other text. */
export function findCredentialNonceEnd({ sealer }: Pick<Platform, 'sealer'>, nonce: string, now: Date): Date | null {
  return findNonceEnd(nonce, sealer.deriveAll(PURPOSE), now)
}

/** Consumes the `c_nonce` of an accepted proof. Returns whether it was unused and had not expired. */
export async function consumeCredentialNonce(
  tx: Transaction,
  platform: Pick<Platform, 'sealer'>,
  { nonce, now }: { readonly nonce: string; readonly now: Date },
): Promise<boolean> {
  const end = findCredentialNonceEnd(platform, nonce, now)
  return end !== null && consumeNonce(tx, sha256Base64url(nonce), end)
}
