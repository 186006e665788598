import type { Call, WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { isSwitchOnSql } from '../../base/platform/switches'
import { pairwiseReference } from '../../oauth/mandates'
import { findPrincipal, lockIfActive } from '../../shared/principals'
import { approvePresented, type PresentedEvidence } from '../../wallet/approvals'
import { lockOwnMandate } from '../issuance'
import type { PersonsAnswer } from './accept-answer'

/**
 * Approves the requested purchase by a mandate of the person's own. 400 vp_token_invalid for every other credential;
 * 409 conflict for a purchase that is no longer waiting or differs from the request; 503 service_unavailable while
 * approvals are switched off.
 */
export async function acceptApproval(tx: Transaction, call: Call, answer: PersonsAnswer): Promise<void> {
  const { principalId, subjectId } = answer.asked
  await requireApprovals(tx, call)
  const evidence = readEvidence(call, answer)
  if (!(await lockIfActive(tx, principalId))) throw buildRefusal()
  if (!(await lockOwnMandate(tx, call, { id: evidence.credential_id, principalId }))) throw buildRefusal()
  const person = await actAs(tx, call, principalId)
  await approvePresented(tx, person, { authorizationId: subjectId ?? '', evidence })
}

async function requireApprovals(tx: Transaction, { platform: { config } }: Call): Promise<void> {
  const isOn = isSwitchOnSql('consent_scan', config.switchDefaults.consent_scan)
  const [row] = await tx.query<{ readonly is_on: boolean }>(sql`SELECT ${isOn} AS is_on`)
  if (row?.is_on === true) return
  throw new ServiceError('service_unavailable', 'Approvals are switched off.')
}

/** Returns the only presentation as evidence. Throws 400 unless this server issued its credential about this person. */
function readEvidence(
  { platform: { config } }: Call,
  { asked, request, presented, result }: PersonsAnswer,
): PresentedEvidence {
  const [presentation] = presented
  const [transactionData] = request.transactionData
  const { issuer, claims, holder, nonce, aud } = result
  const { jti, principal } = claims
  const isTheirs = issuer === config.baseUrl && principal === pairwiseReference(asked.principalId, config.baseUrl)
  const isOne = presented.length === 1 && presentation !== undefined && transactionData !== undefined
  if (!isTheirs || !isOne || typeof jti !== 'string') throw buildRefusal()
  return {
    method: 'wallet_presentation',
    credential_id: jti,
    presentation: presentation.compact,
    transaction_data: transactionData,
    presentation_nonce: nonce,
    audience: aud,
    holder_jkt: holder.jkt,
  }
}

/** Returns the call as the person's in the portal, where they saw the purchase and made the request. */
async function actAs(tx: Transaction, call: Call, principalId: string): Promise<WalletCall> {
  const person = await findPrincipal(tx, principalId)
  if (person === null) throw buildRefusal()
  const actor = { kind: 'wallet', principalId, tenantId: person.tenant_id, session: null, via: 'portal' } as const
  return { ...call, actor }
}

const buildRefusal = (): ServiceError =>
  new ServiceError('vp_token_invalid', 'The credential is not one that this person added to approve purchases.')
