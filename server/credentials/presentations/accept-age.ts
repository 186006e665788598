import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Transaction } from '../../base/core/platform'
import { dateOfEpoch, LATEST_EPOCH_SECONDS } from '../../base/protocol/claims'
import { saveAgeProof } from '../../wallet/age-proofs'
import { findCredentialOwner } from '../issuance'
import type { PersonsAnswer } from './accept-answer'
import { OWN_CREDENTIAL } from './age-query'
import type { PresentationResult } from './verify-contract'

/**
 * Records that the person has reached the requested age, and nothing else of the presentation. The query has ensured
 * the claim. 400 vp_token_invalid for a credential that this server issued to another person.
 */
export async function acceptAge(tx: Transaction, call: Call, { asked, result }: PersonsAnswer): Promise<void> {
  const { principalId, subjectId } = asked
  const age = Number(subjectId)
  invariant(Number.isInteger(age), 'a request for an age names it')
  for (const presentation of result.presentations) await requireNobodyElses(tx, principalId, presentation)
  const [proof] = result.presentations.toSorted((a, b) => endOf(b) - endOf(a))
  invariant(proof !== undefined, 'a verified answer has a presentation')
  await saveAgeProof(tx, call, {
    principalId,
    age,
    source: proof.id === OWN_CREDENTIAL ? 'credential' : 'presentation',
    issuer: proof.issuer,
    region: proof.region,
    credentialExpiresAt: dateOfEpoch(endOf(proof)),
  })
}

/** Returns the expiry in seconds since 1970; the latest possible instant for a credential without one. */
function endOf({ claims }: PresentationResult): number {
  return typeof claims['exp'] === 'number' ? claims['exp'] : LATEST_EPOCH_SECONDS
}

/** Throws 400 vp_token_invalid when a credential of this server was issued to another person. */
async function requireNobodyElses(tx: Transaction, principalId: string, { id, claims }: PresentationResult) {
  if (id !== OWN_CREDENTIAL || typeof claims['jti'] !== 'string') return
  const owner = await findCredentialOwner(tx, claims['jti'])
  if (owner === null || owner === principalId) return
  throw new ServiceError('vp_token_invalid', 'The credential was issued to another person.')
}
