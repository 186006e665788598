import type { WalletCall } from '../../../base/core/call'
import { isRelyingParty } from '../../../credentials/presentations'
import { readRegions } from '../../../credentials/trust-lists'
import { type AgeProofRow, listProofs } from '../../../wallet/age-proofs'
import type { AgeProofView, AgeView } from './view'

/** Returns the person's proofs of age, and whether new ones are offered. */
export async function readAge(call: WalletCall): Promise<AgeView> {
  const { platform, actor, now } = call
  const proofs = await listProofs(platform.db, actor.principalId)
  return {
    offered: await isOffered(call),
    proofs: proofs.map((row) => renderProof(row, now)),
  }
}

function renderProof({ age, source, issuer, proven_at, expires_at }: AgeProofRow, now: Date): AgeProofView {
  return {
    age,
    source,
    issuer,
    proven_at: proven_at.toISOString(),
    expires_at: expires_at.toISOString(),
    status: expires_at > now ? 'valid' : 'ended',
  }
}

/**
 * Returns whether proofs of age are offered: issuers are trusted, wallet apps can be asked, and their answers are
 * accepted.
 */
async function isOffered(call: WalletCall): Promise<boolean> {
  const { switches } = call.platform
  if (!(await switches.isOn('presentation_request')) || !(await switches.isOn('presentation_verify'))) return false
  return (await readRegions(call)).length > 0 && (await isRelyingParty(call))
}
