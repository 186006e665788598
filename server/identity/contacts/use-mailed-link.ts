import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { maskMailAddress } from '../../base/core/mask-mail-address'
import type { Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { recordPersonAct } from '../../shared/audit'
import { consumeLink, findLinkByHash, type MailedLink, type UndoLink } from '../../shared/mailed-links'
import type { LinkPurpose } from '../../shared/mailed-links/contract'
import { lockPrincipal, requirePrincipal, updateEmail } from '../../shared/principals'
import { endMailboxSessions, endSignInRequests } from '../sessions'
import type { MailedLinkView, mailedLinkProcedure } from './contract'
import { type ChangeEnds, undo, withTakenAddressError } from './undo'

type LinkCall = Pick<Call, 'platform' | 'now'>
type LinkInput = ProcedureInput<typeof mailedLinkProcedure>

/**
 * Returns what the link does, for the page that asks; the link stays unused. Null when it is unknown or has expired.
 */
export async function readMailedLink(
  { platform, now }: LinkCall,
  { token }: LinkInput,
): Promise<{ readonly link: MailedLinkView | null }> {
  const link = await findLinkByHash(platform.db, sha256Base64url(token), now)
  if (link === null) return { link: null }
  const { email, display_name: name } = await requirePrincipal(platform.db, link.principal_id)
  // A mistyped address may belong to a stranger, to whom the masked address reveals little.
  const wallet = { name, email: email === null ? null : maskMailAddress(email) }
  const about = link.purpose === 'undo_passkey' ? link.subject.name : link.subject.email
  return { link: { purpose: link.purpose, used: link.consumed_at !== null, wallet, about } }
}

/**
 * Applies or undoes the change of the link, by its purpose, once, signed in or not. 404 when the link is unknown or
 * has expired; 409 conflict when it was used or ended before, or another person has the address by now.
 */
export async function useMailedLink(
  call: LinkCall,
  { token }: LinkInput,
  ends: ChangeEnds,
): Promise<{ readonly purpose: LinkPurpose }> {
  const { platform, now } = call
  const link = await findLinkByHash(platform.db, sha256Base64url(token), now)
  if (link === null) throw new ServiceError('not_found', 'This link is unknown or has expired.')
  await withTakenAddressError(platform.db.transaction((tx) => useLink(tx, call, { link, ends })))
  await announceChange(platform, link.principal_id)
  return { purpose: link.purpose }
}

interface LinkUse<L extends MailedLink = MailedLink> {
  readonly link: L
  readonly ends: ChangeEnds
}

/** Uses the link up, and makes its change effective or undoes it. */
async function useLink(tx: Transaction, call: LinkCall, { link, ends }: LinkUse): Promise<void> {
  const { now } = call
  await lockPrincipal(tx, link.principal_id)
  if (!(await consumeLink(tx, link.token_hash, now))) {
    throw new ServiceError('conflict', 'This link was used before, or another one took its place.')
  }
  if (link.purpose === 'confirm_email') await confirmEmail(tx, call, { link, ends })
  else await undoByLink(tx, call, { link, ends })
}

type ConfirmLink = Extract<MailedLink, { readonly purpose: 'confirm_email' }>

async function undoByLink(tx: Transaction, call: LinkCall, { link, ends }: LinkUse<UndoLink>): Promise<void> {
  const { principal_id: principalId } = link
  const { tenant_id: tenantId } = await requirePrincipal(tx, principalId)
  await undo(tx, link, { ...call, actor: { principalId, tenantId }, means: 'magic_link', ends })
}

/** Makes the address effective. What came with the mailbox before ends: links, requests, sessions but the requesting one. */
async function confirmEmail(tx: Transaction, { now }: LinkCall, { link, ends }: LinkUse<ConfirmLink>): Promise<void> {
  await updateEmail(tx, link.principal_id, link.subject.email)
  await endSignInRequests(tx, link.principal_id, now)
  const { principal_id: principalId } = link
  await endMailboxSessions(tx, principalId, { spared: link.subject.session ?? null, now })
  await ends.endMailed(tx, { principalId, now })
  const { tenant_id: tenantId } = await requirePrincipal(tx, principalId)
  const change = { what: 'email', from: null, to: 'changed', means: 'magic_link', passkey_id: null } as const
  const act = { event: 'oid4ac.security.changed', payload: change } as const
  await recordPersonAct(tx, { actor: { principalId, tenantId }, now }, act)
}
