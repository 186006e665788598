import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { sessionHandle } from '../../base/protocol/session-handle'
import { type Means, recordPersonAct } from '../../shared/audit'
import { endLinks, issueLink } from '../../shared/mailed-links'
import { CONFIRM_EMAIL_TTL_SECONDS, UNDO_TTL_SECONDS } from '../../shared/mailed-links/contract'
import { findWords, queueMessage } from '../../shared/notifications'
import { findPrincipalByEmail, requirePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { requireStepUpToRelax } from '../passkeys'
import { takeContactQuota } from './contact-quota'
import { type changeEmailProcedure, EMAIL_CHANGES_PER_HOUR } from './contract'
import { notifyEmailChange } from './notify-contact-change'

/**
 * Requests a change to another mail address, which is used once the link that is mailed to it is confirmed. Until then
 * the present address stays in use; it is mailed at once, with a link that undoes the change. The answer is the same
 * for an address that another person has; its owner is mailed that nothing happened. 403 step_up_required when the
 * change is not confirmed; 429 beyond five confirmed changes of the person in an hour, or ten to the address in a
 * minute.
 */
export async function changeEmail(
  call: WalletCall,
  { email, proof }: ProcedureInput<typeof changeEmailProcedure>,
): Promise<{ readonly ok: true }> {
  const change = {
    relaxes: (tx: Transaction) => relaxedByEmail(tx, call, email),
    takeQuota: () => takeContactQuota(call, { ...changeQuota(email), isForAllContacts: true }),
    save: (tx: Transaction, means: Means) => changeOnRequest(tx, call, { email, means }),
  }
  await requireStepUpToRelax(call, change, proof)
  nudgeJobs(call.platform)
  return { ok: true }
}

async function changeOnRequest(
  tx: Transaction,
  call: WalletCall,
  { email, means }: { readonly email: string; readonly means: Means },
): Promise<void> {
  const isInUse = (await relaxedByEmail(tx, call, email)) === null
  await openEmailChange(tx, call, email)
  if (isInUse) return
  const payload = { what: 'email', from: null, to: 'requested', means, passkey_id: null } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
}

/** Counts one change of the person to this address; 429 when the changes of the hour are used up. */
export function takeEmailQuota(call: WalletCall, email: string): Promise<void> {
  return takeContactQuota(call, { ...changeQuota(email), isForAllContacts: false })
}

const changeQuota = (email: string) =>
  ({
    name: 'change-email',
    contact: email.toLowerCase(),
    limit: EMAIL_CHANGES_PER_HOUR,
    message: 'The e-mail address was changed too often. Try again later.',
  }) as const

const isSameAddress = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

/**
 * Returns the addresses before and after a change, to be confirmed by step-up; null when the address is already in use.
 */
export async function relaxedByEmail(tx: Transaction, { actor }: WalletCall, email: string) {
  const { email: from } = await requirePrincipal(tx, actor.principalId)
  return isSameAddress(from, email) ? null : { email: { from, to: email } }
}

/**
 * Ends an earlier unconfirmed change, mails the new address its confirmation link, and notifies the person. Mails
 * nothing when the address is already in use. The caller holds the person's lock.
 */
export async function openEmailChange(tx: Transaction, call: WalletCall, email: string): Promise<void> {
  const { actor, now } = call
  const { principalId } = actor
  const { email: from } = await requirePrincipal(tx, principalId)
  await endLinks(tx, principalId, { purposes: ['confirm_email'], now })
  if (isSameAddress(from, email)) return
  const ttlSeconds = CONFIRM_EMAIL_TTL_SECONDS
  const session = requestingSession(call)
  const link = await issueLink(tx, call, {
    principalId,
    purpose: 'confirm_email',
    subject: { email, session },
    ttlSeconds,
  })
  const owner = await findPrincipalByEmail(tx, actor.tenantId, email)
  const mail = owner === null ? { email, principalId, link } : { email, principalId: owner.id, link: null }
  await mailNewAddress(tx, call, mail)
  await notifyEmailChange(tx, call, { undo: from === null ? null : await issueUndo(tx, call, from) })
}

function issueUndo(tx: Transaction, call: WalletCall, email: string): Promise<string> {
  const { principalId } = call.actor
  const subject = { email, session: requestingSession(call) }
  return issueLink(tx, call, { principalId, purpose: 'undo_email', subject, ttlSeconds: UNDO_TTL_SECONDS })
}

function requestingSession({ actor: { session } }: WalletCall): string | null {
  return session === null ? null : sessionHandle(session.id)
}

interface NewAddress {
  readonly email: string
  /** The person to whom the message belongs. */
  readonly principalId: string
  /** The link that confirms the address; null when another person has it. */
  readonly link: string | null
}

async function mailNewAddress(
  tx: Transaction,
  call: WalletCall,
  { email, principalId, link }: NewAddress,
): Promise<void> {
  const { knownAddress, newAddress } = (await findWords(tx, principalId)).contacts
  const said = link === null ? knownAddress : { subject: newAddress.subject, text: newAddress.text(link) }
  queueMessage(tx, call, {
    eventKey: `new-address:${call.platform.random.uuid()}`,
    principalId,
    channel: 'email',
    recipient: email,
    ...said,
    links: link === null ? [] : [link],
  })
}

/** Cancels a change of the mail address that is not confirmed yet: its link no longer confirms anything. */
export async function cancelEmailChange({ platform, actor, now }: WalletCall): Promise<{ readonly ok: true }> {
  await endLinks(platform.db, actor.principalId, { purposes: ['confirm_email'], now })
  await announceChange(platform, actor.principalId)
  return { ok: true }
}
