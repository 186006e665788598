import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { maskMailAddress } from '../../base/core/mask-mail-address'
import type { Transaction } from '../../base/core/platform'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { sha256Base64url } from '../../base/protocol/encoding'
import { recordPersonAct } from '../../shared/audit'
import { consumeLink, endLinks, findLinkByHash, type MailedLink } from '../../shared/mailed-links'
import type { LinkPurpose } from '../../shared/mailed-links/contract'
import { dropPhoneSince } from '../../shared/notifications'
import { lockPrincipal, requirePrincipal, updateEmail } from '../../shared/principals'
import { removePasskeysSince } from '../passkeys'
import { endSessionsSince, endSignInRequests } from '../sessions'
import type { MailedLinkView, mailedLinkProcedure } from './contract'

type LinkCall = Pick<Call, 'platform' | 'now'>
type LinkInput = ProcedureInput<typeof mailedLinkProcedure>

/** What the link does, for the page that asks; reading it uses nothing up. Null when it is unknown or has expired. */
export async function readMailedLink(
  { platform, now }: LinkCall,
  { token }: LinkInput,
): Promise<{ readonly link: MailedLinkView | null }> {
  const link = await findLinkByHash(platform.db, sha256Base64url(token), now)
  if (link === null) return { link: null }
  const { email, display_name: name } = await requirePrincipal(platform.db, link.principal_id)
  // A mistyped address belongs to a stranger, who learns no more than whether the wallet may be theirs.
  const wallet = { name, email: email === null ? null : maskMailAddress(email) }
  const about = link.purpose === 'undo_passkey' ? link.subject.name : link.subject.email
  return { link: { purpose: link.purpose, used: link.consumed_at !== null, wallet, about } }
}

/**
 * Does what the link is for, once, signed in or not. 404 when it is unknown or has expired; 409 conflict when it was
 * used or ended before, or the address is another person's by now.
 */
export async function useMailedLink(call: LinkCall, { token }: LinkInput): Promise<{ readonly purpose: LinkPurpose }> {
  const { platform, now } = call
  const link = await findLinkByHash(platform.db, sha256Base64url(token), now)
  if (link === null) throw new ServiceError('not_found', 'This link is unknown or has expired.')
  try {
    await platform.db.transaction((tx) => useLink(tx, call, link))
  } catch (error) {
    if (!isUniqueViolation(error, 'principals_email')) throw error
    throw new ServiceError('conflict', 'Another person has this e-mail address by now.')
  }
  await announceChange(platform, link.principal_id)
  return { purpose: link.purpose }
}

/** The change becomes effective here. */
async function useLink(tx: Transaction, { now }: LinkCall, link: MailedLink): Promise<void> {
  await lockPrincipal(tx, link.principal_id)
  if (!(await consumeLink(tx, link.token_hash, now))) {
    throw new ServiceError('conflict', 'This link was used before, or another one took its place.')
  }
  if (link.purpose === 'confirm_email') await confirmEmail(tx, link, now)
  else if (link.purpose === 'undo_email') await undoEmail(tx, link, now)
  else await undoPasskey(tx, link, now)
  await recordUse(tx, link, now)
}

const acts = {
  confirm_email: { what: 'email', from: null, to: 'changed' },
  undo_email: { what: 'email', from: 'changed', to: 'undone' },
  undo_passkey: { what: 'passkey', from: 'added', to: 'undone' },
} as const

async function recordUse(
  tx: Transaction,
  { principal_id: principalId, purpose }: MailedLink,
  now: Date,
): Promise<void> {
  const { tenant_id: tenantId } = await requirePrincipal(tx, principalId)
  const payload = { ...acts[purpose], means: 'magic_link', passkey_id: null } as const
  await recordPersonAct(tx, { actor: { principalId, tenantId }, now }, { event: 'oid4ac.security.changed', payload })
}

type LinkFor<P extends LinkPurpose> = Extract<MailedLink, { readonly purpose: P }>

async function confirmEmail(tx: Transaction, link: LinkFor<'confirm_email'>, now: Date): Promise<void> {
  await updateEmail(tx, link.principal_id, link.subject.email)
  await endSignInRequests(tx, link.principal_id, now)
}

/**
 * Goes back to the address from before, whatever was changed since. The session that asked for the change ends, and so
 * does all that may have come from it: later sessions, passkeys, phones, and changes with the links that undo them.
 */
async function undoEmail(tx: Transaction, link: LinkFor<'undo_email'>, now: Date): Promise<void> {
  const { principal_id: principalId, created_at: since, subject } = link
  await endLinks(tx, principalId, { purposes: ['confirm_email'], now })
  await endLinks(tx, principalId, { purposes: ['undo_email', 'undo_passkey'], since, now })
  await updateEmail(tx, principalId, subject.email)
  await endSignInRequests(tx, principalId, now)
  await removePasskeysSince(tx, principalId, since)
  await dropPhoneSince(tx, principalId, since)
  const methods = ['magic_link', 'passkey', 'demo'] as const
  await endSessionsSince(tx, principalId, { handle: subject.session, since, methods, now })
}

/** Removes the passkey and those that it may have let in, and ends their sessions and the one that added it. */
async function undoPasskey(tx: Transaction, link: LinkFor<'undo_passkey'>, now: Date): Promise<void> {
  const { principal_id: principalId, created_at: since, subject } = link
  await removePasskeysSince(tx, principalId, since)
  await endSessionsSince(tx, principalId, { handle: subject.session, since, methods: ['passkey'], now })
}
