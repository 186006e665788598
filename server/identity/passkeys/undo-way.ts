import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { sha256Base64url } from '../../base/protocol/encoding'
import { findUndoLink, mailboxOf, type UndoLink } from '../../shared/mailed-links'
import type { StepUpEvidence, StepUpProof, UndoWay } from './contract'
import { proveByPasskey } from './prove-step-up'
import { webauthnRelyingParty } from './relying-party'
import { buildStepUpRequiredError, isFresh } from './step-up-required'
import { listPasskeysOf, readPasskeyStatus } from './store'

/**
 * Returns how the person can undo a change in a session, without the link that was mailed. Undoing removes later
 * passkeys, phones and sessions, so a thief with a session could use it to revert the owner's repair. Hence it requires
 * a passkey that is older than the change or, for a person without one, a session that was just opened by a link to the
 * mailbox that also holds the undoing link. Neither gives anyone more power than the mailed link, which stays valid.
 */
export async function undoWay(call: WalletCall, link: UndoLink): Promise<UndoWay> {
  const { db, config } = call.platform
  const passkeys = await listPasskeysOf(db, call.actor.principalId)
  const hasOlder = passkeys.some(({ created_at: addedAt }) => addedAt < link.created_at)
  if (hasOlder && webauthnRelyingParty(config) !== null) return 'passkey'
  const { email } = await readPasskeyStatus(db, call.actor.principalId)
  if (email === null || email.toLowerCase() !== mailboxOf(link)?.toLowerCase()) return 'link'
  return isFresh(call) ? 'session' : 'sign_in'
}

/**
 * Returns the link that undoes the change. 404 for a change that cannot be undone: unknown, another person's, undone,
 * or made more than 72 hours ago.
 */
export async function requireUndoLink({ platform, actor, now }: WalletCall, tokenHash: string): Promise<UndoLink> {
  const link = await findUndoLink(platform.db, actor.principalId, { tokenHash, now })
  if (link === null) throw new ServiceError('not_found', 'There is no such change that can be undone.')
  return link
}

export const buildOnlyLinkError = (): ServiceError =>
  new ServiceError('forbidden', 'Only the link in the mail about this change undoes it.')

/**
 * Requires that the person has confirmed the undoing in the way that `undoWay` returns. 403 step_up_required,
 * forbidden.
 */
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
