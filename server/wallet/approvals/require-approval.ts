import { ServiceError } from '../../base/core/errors'
import type { Config, Platform } from '../../base/core/platform'
import { verifyStepUpEvidence } from '../../identity/passkeys'
import { approvalSubject, displayDigest, displayOf } from './display'
import type { Approval, EvidenceRow } from './evidence-store'
import { verifyPresented } from './verify-presented'

/** The members of a mandate that are compared with its approval before it is paid. */
export interface PayableMandate {
  readonly principal_id: string
  readonly client_id: string
  readonly merchant_audience: string
  readonly amount_minor: number
  readonly currency: string
}

/**
 * Checks again, before the money moves, that the person approved exactly this: that the displayed content, the request
 * and the mandate agree, and that the signature of a passkey or a wallet app covers them. A mandate that needed no
 * approval in the portal passes. Throws 403 forbidden.
 */
export async function requireApproval(
  platform: Pick<Platform, 'config' | 'keys'>,
  mandate: PayableMandate,
  approval: Approval | null,
): Promise<void> {
  if (approval === null || (await isFor(platform, mandate, approval))) return
  throw new ServiceError('forbidden', 'The approval was given for another amount or payee.')
}

async function isFor(
  platform: Pick<Platform, 'config' | 'keys'>,
  mandate: PayableMandate,
  approval: Approval,
): Promise<boolean> {
  const { evidence, consent } = approval
  if (evidence === null || !isDecidedBy(mandate, approval)) return false
  const chosen = { scope: [], ask_above_minor: evidence.display.ask_above_minor }
  const display = displayOf({ ...mandate, line_items: approval.items, exceeds: consent.exceeds, ...chosen })
  const asked = displayOf({ ...consent, ...chosen })
  const isSame = [display, asked, evidence.display].every((one) => displayDigest(one) === evidence.display_digest)
  if (!isSame) return false
  const confirmed = { ...approval, evidence }
  if (evidence.method === 'wallet_presentation') return isPresented(platform, confirmed)
  if (evidence.method !== 'passkey') return true
  return isSigned(platform.config, confirmed, approvalSubject(consent.authorization_id, display))
}

/** Returns whether the person approved it in the portal, with evidence from the same instant. */
function isDecidedBy(mandate: PayableMandate, { consent, evidence, same_instant: sameInstant }: Approval): boolean {
  const isOwn = consent.principal_id === mandate.principal_id && consent.client_id === mandate.client_id
  const isApproved = consent.status === 'approved' && consent.decided_via === 'portal' && sameInstant === true
  return isOwn && isApproved && evidence?.principal_id === mandate.principal_id
}

/** Returns whether a wallet app confirmed the approval. A credential that was revoked since then does not count. */
async function isPresented(
  platform: Pick<Platform, 'config' | 'keys'>,
  { consent, evidence, decided_at: at, credential_counts: counts }: Approval & { readonly evidence: EvidenceRow },
): Promise<boolean> {
  const { credential_id, presentation, transaction_data, presentation_nonce, audience, holder_jkt, display } = evidence
  if (!counts || at === null || credential_id === null || presentation === null || transaction_data === null)
    return false
  if (presentation_nonce === null || audience === null || holder_jkt === null) return false
  const signed = { credential_id, presentation, transaction_data, presentation_nonce, audience, holder_jkt }
  return verifyPresented(platform, {
    evidence: { method: 'wallet_presentation', ...signed },
    authorizationId: consent.authorization_id,
    display,
    decidedAt: new Date(at),
  })
}

/** Returns whether a passkey confirmed the approval. A passkey that was removed since then does not count. */
async function isSigned(
  config: Pick<Config, 'baseUrl'>,
  { evidence, passkey_key: registered }: Approval & { readonly evidence: EvidenceRow },
  subject: ReturnType<typeof approvalSubject>,
): Promise<boolean> {
  const { passkey_id: id, nonce, challenge, public_key: publicKey } = evidence
  const { authenticator_data: data, client_data_json: client, signature } = evidence
  if (id === null || nonce === null || challenge === null || publicKey === null) return false
  if (data === null || client === null || signature === null) return false
  if (registered !== Buffer.from(publicKey, 'base64url').toString('hex')) return false
  return verifyStepUpEvidence(config, {
    purpose: 'consent.approve',
    subject,
    principalId: evidence.principal_id,
    evidence: {
      method: 'passkey',
      passkey_id: id,
      nonce,
      challenge,
      response: { authenticator_data: data, client_data_json: client, signature },
      public_key: publicKey,
    },
  })
}
