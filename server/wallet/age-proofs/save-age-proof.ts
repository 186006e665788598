import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { recordPersonAct } from '../../shared/audit'
import { lockPrincipal, requirePrincipal } from '../../shared/principals'
import { AGE_PROOF_MAX_SECONDS } from './input'
import { notifyAgeChange } from './notify-age-change'
import { type AgeProofRow, upsertProof } from './store'

/** A proof of age as read from a verified presentation. */
export interface NewAgeProof extends Pick<AgeProofRow, 'age' | 'source' | 'issuer' | 'region'> {
  readonly principalId: string
  readonly credentialExpiresAt: Date
}

/**
 * Saves a proof of age, records it and notifies the person, in the transaction that accepts their presentation. 400
 * vp_token_invalid for a person who has been erased or has restricted the processing of their data.
 */
export async function saveAgeProof(tx: Transaction, call: Call, proof: NewAgeProof): Promise<void> {
  const { principalId, credentialExpiresAt, ...said } = proof
  const { now } = call
  await lockPrincipal(tx, principalId)
  const principal = await requirePrincipal(tx, principalId)
  if (principal.erased || principal.processing_restricted) {
    throw new ServiceError('vp_token_invalid', 'Proofs of age cannot be saved for this person.')
  }
  const row = { ...said, principal_id: principalId, proven_at: now, expires_at: endOf(now, credentialExpiresAt) }
  await upsertProof(tx, row)
  await notifyAgeChange(tx, call, { principalId, email: principal.email, change: 'proven' })
  const actor = { principalId, tenantId: principal.tenant_id }
  await recordPersonAct(tx, { actor, now }, provenAct)
}

// The age is left out, because the audit chain outlives the person's data.
const provenAct = {
  event: 'oid4ac.policy.changed',
  payload: {
    what: 'age_proof',
    from: null,
    to: 'proven',
    means: 'wallet_presentation',
    agent_client_id: null,
    merchant_audience: null,
  },
} as const

function endOf(now: Date, credentialExpiresAt: Date): Date {
  const latest = new Date(now.getTime() + AGE_PROOF_MAX_SECONDS * 1000)
  return credentialExpiresAt > latest ? latest : credentialExpiresAt
}
