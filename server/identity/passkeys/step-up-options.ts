import type { WalletCall } from '../../base/core/call'
import { challengeOf } from './challenge'
import { insertChallenge } from './challenge-store'
import { CHALLENGE_TTL_SECONDS, type PasskeyRequest, type StepUpAction } from './contract'
import { passkeyRequest } from './passkey-request'
import { webauthnRelyingParty } from './relying-party'
import { buildStepUpRequiredError, isFresh, needsPasskey } from './step-up-required'
import { listPasskeysOf, readPasskeyStatus } from './store'
import { buildOnlyLinkError, requireUndoLink, undoWay } from './undo-way'

export type StepUpOptions =
  | {
      readonly way: 'passkey'
      readonly challenge_id: string
      readonly options: PasskeyRequest
    }
  | { readonly way: 'session' }
  | { readonly way: 'sign_in' }

/** A way to confirm; with a passkey, only with one that was added before `before`, where that is set. */
type Way = { readonly way: StepUpOptions['way']; readonly before?: Date }

/**
 * Returns how the person can confirm the action: by signing a challenge that commits to it with one of their passkeys,
 * with their recent session, or after signing in again. 403 for a caller without a session, and for a change that only
 * its mailed link undoes; 404 for one that cannot be undone.
 */
export async function stepUpOptions(call: WalletCall, action: StepUpAction): Promise<StepUpOptions> {
  const { session } = call.actor
  if (session === null) throw buildStepUpRequiredError('sign_in')
  const { way, before } = action.purpose === 'security.undo' ? await wayToUndo(call, action) : await usualWay(call)
  return way === 'passkey' ? openChallenge(call, action, { sessionId: session.id, before }) : { way }
}

async function usualWay(call: WalletCall): Promise<Way> {
  const status = await readPasskeyStatus(call.platform.db, call.actor.principalId)
  if (needsPasskey(status, webauthnRelyingParty(call.platform.config))) return { way: 'passkey' }
  return { way: isFresh(call) ? 'session' : 'sign_in' }
}

async function wayToUndo(call: WalletCall, { subject }: StepUpAction): Promise<Way> {
  const link = await requireUndoLink(call, String(subject['change_id']))
  const way = await undoWay(call, link)
  if (way === 'link') throw buildOnlyLinkError()
  return { way, before: link.created_at }
}

async function openChallenge(
  { platform, actor, now }: WalletCall,
  { purpose, subject }: StepUpAction,
  { sessionId, before }: { readonly sessionId: string; readonly before: Date | undefined },
): Promise<StepUpOptions> {
  const party = webauthnRelyingParty(platform.config)
  if (party === null) throw buildStepUpRequiredError('passkey')
  const id = platform.random.token(16)
  const nonce = platform.random.token(16)
  const challenge = challengeOf({ purpose, principalId: actor.principalId, subject, nonce })
  const owner = { purpose, principalId: actor.principalId, sessionId }
  await insertChallenge(platform.db, { ...owner, id, nonce, challenge, now, ttlSeconds: CHALLENGE_TTL_SECONDS })
  const listed = await listPasskeysOf(platform.db, actor.principalId)
  const passkeys = listed.filter(({ created_at: addedAt }) => before === undefined || addedAt < before)
  return { way: 'passkey', challenge_id: id, options: passkeyRequest(party, { challenge, passkeys }) }
}
