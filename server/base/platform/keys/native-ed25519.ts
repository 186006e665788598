import type { Logger } from '../../core/platform'
import { chooseEd25519Verifier, verifyWith } from '../../protocol/ed25519'

/** Sets libsodium as the verifier of Ed25519 signatures; keeps node:crypto without its package, which is optional. */
export async function preferNativeEd25519(log: Logger): Promise<void> {
  try {
    const { default: sodium } = await import('sodium-native')
    chooseEd25519Verifier(verifyWith(sodium))
  } catch {
    log.info('libsodium is not installed; signatures are checked with node:crypto, at twice the cost')
  }
}
