import { announceChange } from '../../base/core/announce-change'
import type { Authentication } from '../../base/core/authentication'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { itemsMatchAmount } from '../../base/core/line-items'
import type { Transaction } from '../../base/core/platform'
import { authenticationOf } from '../../identity/passkeys'
import type { StepUpEvidence } from '../../identity/passkeys/contract'
import { meansOf, recordPersonAct } from '../../shared/audit'
import { lockActor } from '../../shared/principals'
import { bumpEnd, decideBumpOfConsent } from '../limits'
import { displayDigest, displayOf } from './display'
import { type EvidenceRow, insertEvidence } from './evidence-store'
import type { PresentedEvidence } from './presented-evidence'
import { rememberDecision } from './remember-decision'
import { type ConsentRow, type DecidedConsent, decidePending, findConsent } from './store'

export interface Decision {
  readonly authorization_id: string
  readonly decision: 'approve' | 'decline'
}

/** The evidence of a confirmation, in the portal or with a wallet app. */
type Evidence = StepUpEvidence | PresentedEvidence

/** The digest of what the person was shown in the portal, and how they confirmed it. */
export interface Confirmation {
  readonly displayDigest: string
  /** The amount in minor units above which the agent must ask again; undefined when the person did not choose. */
  readonly askAbove: number | undefined
  readonly stepUp: Evidence
}

/**
 * Records the person's decision. The same decision again changes nothing and returns the same; the opposite one is a
 * 409 conflict; unknown, expired and foreign consents are all 404. The limit bump of the consent is decided with it,
 * and the person's confirmation is saved as evidence.
 */
export async function recordDecision(call: WalletCall, input: Decision, confirmation: Confirmation | null) {
  const { actor, platform } = call
  const status = statusAfter(input)
  const decided = await platform.db.transaction((tx) => recordDecisionIn(tx, call, { ...input, confirmation }))
  if (!decided) await requireSameDecision(call, input.authorization_id, status)
  await announceChange(platform, actor.principalId)
  return { authorization_id: input.authorization_id, status }
}

const statusAfter = ({ decision }: Decision): 'approved' | 'declined' =>
  decision === 'approve' ? 'approved' : 'declined'

/**
 * Like {@link recordDecision}, in a transaction of the caller, who announces the change after the commit. Returns
 * false, and changes nothing, when the request no longer waits.
 */
export async function recordDecisionIn(
  tx: Transaction,
  call: WalletCall,
  { confirmation, ...input }: Decision & { readonly confirmation: Confirmation | null },
): Promise<boolean> {
  const { actor, now } = call
  const status = statusAfter(input)
  const update = {
    authorizationId: input.authorization_id,
    principalId: actor.principalId,
    status,
    via: actor.via,
    authentication: status === 'approved' ? authenticate(call, confirmation?.stepUp) : null,
    now,
  } as const
  // Before all other rows: a bump's grants are decided under this lock.
  await lockActor(tx, actor)
  const row = await decidePending(tx, update)
  if (row === null) return false
  if (status === 'approved') requireMatchingTotal(row)
  const decision = { ...row, id: update.authorizationId, status }
  const bump = { consentId: decision.id, now, grantedUntil: bumpEnd(now) }
  if (row.limit_bump_id !== null) await decideBumpOfConsent(tx, bump, status)
  if (status === 'approved') await rememberDecision(tx, call, { decision, askAbove: confirmation?.askAbove })
  const evidence = confirmation === null ? null : await recordEvidence(tx, call, { ...confirmation, decision })
  await auditDecision(tx, call, { decision, evidence })
  return true
}

/**
 * Returns how the person was authenticated. A wallet app counts as strongly as a passkey: its key cannot be phished.
 */
function authenticate(call: WalletCall, evidence: Evidence | undefined): Authentication {
  if (evidence?.method === 'wallet_presentation') return { acr: 'phr', authTime: call.now }
  return authenticationOf(call, evidence)
}

/**
 * Throws unless the items match the amount. Requests are checked for this when they are pushed; this checks what is
 * approved.
 */
function requireMatchingTotal({ line_items: items, amount_minor: amountMinor, currency }: DecidedConsent): void {
  if (items === null || amountMinor === null || currency === null) return
  if (itemsMatchAmount(items, { amountMinor, currency })) return
  throw new ServiceError('conflict', 'The line items do not match the amount, so the request can only be declined.')
}

type DecidedRequest = DecidedConsent & { readonly id: string; readonly status: 'approved' | 'declined' }

/**
 * Saves and returns the evidence of the confirmation; returns null and saves nothing for a token. 409 when the
 * confirmed content is not what is being approved, which undoes the approval.
 */
async function recordEvidence(
  tx: Transaction,
  { actor, now }: WalletCall,
  { decision, displayDigest: confirmed, askAbove, stepUp }: Confirmation & { readonly decision: DecidedRequest },
): Promise<EvidenceRow | null> {
  if (stepUp.method === 'token') return null
  const display = displayOf({ ...decision, ask_above_minor: askAbove })
  if (displayDigest(display) !== confirmed) throw buildChangedRequestError()
  const base = { authorization_id: decision.id, principal_id: actor.principalId, display_digest: confirmed, display }
  const evidence: EvidenceRow = { ...base, ...signatureOf(stepUp) }
  await insertEvidence(tx, evidence, now)
  return evidence
}

function auditDecision(
  tx: Transaction,
  call: WalletCall,
  { decision, evidence }: { readonly decision: DecidedRequest; readonly evidence: EvidenceRow | null },
): Promise<void> {
  const about = {
    what: decision.merchant_audience === null ? 'wallet_access' : 'purchase',
    from: 'pending',
    to: decision.status,
    means: evidence?.method ?? meansOf(call.actor),
    authorization_id: decision.id,
    agent_client_id: decision.client_id,
  } as const
  if (decision.status === 'declined') {
    return recordPersonAct(tx, call, { event: 'oid4ac.consent.declined', payload: about })
  }
  const shown = { display_digest: evidence?.display_digest ?? null, passkey_id: evidence?.passkey_id ?? null }
  return recordPersonAct(tx, call, { event: 'oid4ac.consent.approved', payload: { ...about, ...shown } })
}

const UNSIGNED = {
  passkey_id: null,
  nonce: null,
  challenge: null,
  authenticator_data: null,
  client_data_json: null,
  signature: null,
  public_key: null,
  credential_id: null,
  presentation: null,
  transaction_data: null,
  presentation_nonce: null,
  audience: null,
  holder_jkt: null,
} as const

function signatureOf(
  stepUp: Exclude<Evidence, { method: 'token' }>,
): Omit<EvidenceRow, 'authorization_id' | 'principal_id' | 'display' | 'display_digest'> {
  if (stepUp.method === 'wallet_presentation') return { ...UNSIGNED, ...stepUp }
  if (stepUp.method !== 'passkey') return { ...UNSIGNED, method: stepUp.method }
  const { method, passkey_id, nonce, challenge, response, public_key } = stepUp
  return { ...UNSIGNED, method, passkey_id, nonce, challenge, ...response, public_key }
}

/** Returns 409 conflict: the page showed something else than what is requested. */
export function buildChangedRequestError(): ServiceError {
  return new ServiceError('conflict', 'The request has changed since you opened it. Review it again.')
}

/**
 * Throws unless the request was decided with this status: 404 not_found while it is pending or unknown, otherwise 409
 * conflict.
 */
export async function requireSameDecision(
  call: WalletCall,
  authorizationId: string,
  status: ConsentRow['status'],
): Promise<void> {
  const row = await findConsent(call.platform.db, call.actor.principalId, authorizationId)
  if (row === null || row.status === 'pending') {
    throw new ServiceError('not_found', 'There is no such request waiting.')
  }
  if (row.status !== status) {
    throw new ServiceError('conflict', `The request was already ${row.status}.`)
  }
}
