import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { sha256Base64url } from '../../base/protocol/encoding'
import { findUndoLink, mailboxOf, type UndoLink } from '../../shared/mailed-links'
import type { StepUpEvidence, StepUpProof, UndoWay } from './contract'
import { proveByPasskey } from './prove-step-up'
import { webauthnRelyingParty } from './relying-party'
import { buildStepUpRequiredError, isFresh } from './step-up-required'
import { getPasskeyStatus, listPasskeysOf } from './store'

/**
 * How the person can undo a change in a session, without the link that was mailed. Undoing removes passkeys, phones and
 * sessions that came since, so that a thief with a session would use it to take back what the owner has repaired. Hence
 * it takes what stood for the person before the change: a passkey that is older than it; or else, for a person who had
 * none, a session that a link to the very mailbox has just opened which also holds the undoing link. Neither the owner
 * nor a thief gains more by that than the mailed link gives, which goes on working in any case.
 */
export async function undoWay(call: WalletCall, link: UndoLink): Promise<UndoWay> {
  const { db, config } = call.platform
  const passkeys = await listPasskeysOf(db, call.actor.principalId)
  const hasOlder = passkeys.some(({ created_at: addedAt }) => addedAt < link.created_at)
  if (hasOlder && webauthnRelyingParty(config) !== null) return 'passkey'
  const { email } = await getPasskeyStatus(db, call.actor.principalId)
  if (email === null || email.toLowerCase() !== mailboxOf(link)?.toLowerCase()) return 'link'
  return isFresh(call) ? 'session' : 'sign_in'
}

/** 404 for a change that cannot be undone: unknown, another person's, undone, or longer ago than 72 hours. */
export async function requireUndoLink({ platform, actor, now }: WalletCall, tokenHash: string): Promise<UndoLink> {
  const link = await findUndoLink(platform.db, actor.principalId, { tokenHash, now })
  if (link === null) throw new ServiceError('not_found', 'There is no such change that can be undone.')
  return link
}

export const buildOnlyLinkError = (): ServiceError =>
  new ServiceError('forbidden', 'Only the link in the mail about this change undoes it.')

/** Requires that the person has confirmed that this change is undone, as `undoWay` says. 403 step_up_required, forbidden. */
export async function proveUndo(
  call: WalletCall,
  link: UndoLink,
  proof: StepUpProof | undefined,
): Promise<Exclude<StepUpEvidence, { method: 'token' }>> {
  const { session } = call.actor
  if (session === null) throw buildStepUpRequiredError('sign_in')
  const way = await undoWay(call, link)
  if (way === 'link') throw buildOnlyLinkError()
  if (way === 'passkey') {
    const action = { purpose: 'security.undo', subject: { change_id: link.token_hash } } as const
    return proveByPasskey(call, action, { session, proof, before: link.created_at })
  }
  if (way === 'sign_in' || session.method === 'passkey') throw buildStepUpRequiredError('sign_in')
  return { method: session.method, session_id_hash: sha256Base64url(session.id) }
}
