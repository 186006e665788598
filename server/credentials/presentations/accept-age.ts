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
 * Keeps that the person reached the age that they were asked for, and nothing else of what was presented. The query has
 * made sure of the claim. 400 vp_token_invalid for a credential that this server gave another person.
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

/** Seconds since 1970; a credential without an end lives until the last instant that there is. */
function endOf({ claims }: PresentationResult): number {
  return typeof claims['exp'] === 'number' ? claims['exp'] : LATEST_EPOCH_SECONDS
}

/** Our own credential may name the person whom it was offered for; another's proves nothing about this one. */
async function requireNobodyElses(tx: Transaction, principalId: string, { id, claims }: PresentationResult) {
  if (id !== OWN_CREDENTIAL || typeof claims['jti'] !== 'string') return
  const owner = await findCredentialOwner(tx, claims['jti'])
  if (owner === null || owner === principalId) return
  throw new ServiceError('vp_token_invalid', 'The credential was issued to another person.')
}
