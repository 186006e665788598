import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'
import { sha256, sha256Base64url } from '../../base/protocol/encoding'
import { endLinks, issueLink } from '../../shared/mailed-links'
import { CONFIRM_EMAIL_TTL_SECONDS, UNDO_TTL_SECONDS } from '../../shared/mailed-links/contract'
import { queueMessage } from '../../shared/notifications'
import { findPrincipalByEmail, requirePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { requireStepUpToRelax } from '../passkeys'
import { type changeEmailProcedure, EMAIL_CHANGES_PER_HOUR } from './contract'
import { notifyEmailChange } from './notify-contact-change'

const HOUR_SECONDS = 3_600

/**
 * Asks for another mail address, which is used once the link that is mailed to it was confirmed; until then the one
 * before stays in use, and is told at once with a link that undoes the change. The answer is the same for an address
 * that another person has, whose owner is mailed that nothing happened. 403 step_up_required when it is not confirmed;
 * 429 beyond five in an hour, for one person or one address.
 */
export async function changeEmail(
  call: WalletCall,
  { email, proof }: ProcedureInput<typeof changeEmailProcedure>,
): Promise<{ readonly ok: true }> {
  const { platform, actor } = call
  for (const subject of [actor.principalId, sha256Base64url(email.toLowerCase())]) {
    await takeQuota(platform.rateLimits, {
      key: `change-email:${subject}`,
      limit: EMAIL_CHANGES_PER_HOUR,
      windowSeconds: HOUR_SECONDS,
      message: 'The e-mail address was changed too often. Try again later.',
    })
  }
  const change = {
    relaxes: async (tx: Transaction) => {
      const { email: from } = await requirePrincipal(tx, actor.principalId)
      return isSameAddress(from, email) ? null : { email: { from, to: email } }
    },
    save: (tx: Transaction) => openChange(tx, call, email),
  }
  await requireStepUpToRelax(call, change, proof)
  nudgeJobs(platform)
  return { ok: true }
}

const isSameAddress = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

/** The newest wish is the one that waits. The address in use needs no confirmation. */
async function openChange(tx: Transaction, call: WalletCall, email: string): Promise<void> {
  const { actor, now } = call
  const { principalId } = actor
  const { email: from } = await requirePrincipal(tx, principalId)
  await endLinks(tx, principalId, { purposes: ['confirm_email'], now })
  if (isSameAddress(from, email)) return
  const ttlSeconds = CONFIRM_EMAIL_TTL_SECONDS
  const link = await issueLink(tx, call, { principalId, purpose: 'confirm_email', subject: { email }, ttlSeconds })
  const owner = await findPrincipalByEmail(tx, actor.tenantId, email)
  const mail = owner === null ? { email, principalId, link } : { email, principalId: owner.id, link: null }
  await mailNewAddress(tx, call, mail)
  await notifyEmailChange(tx, call, { undo: from === null ? null : await issueUndo(tx, call, from) })
}

function issueUndo(tx: Transaction, call: WalletCall, email: string): Promise<string> {
  const { principalId, session } = call.actor
  const handle = session === null ? null : sha256(session.id).toString('hex')
  const subject = { email, session: handle }
  return issueLink(tx, call, { principalId, purpose: 'undo_email', subject, ttlSeconds: UNDO_TTL_SECONDS })
}

interface NewAddress {
  readonly email: string
  /** Whose message it is. */
  readonly principalId: string
  /** The link that confirms it; null when the address is another person's. */
  readonly link: string | null
}

async function mailNewAddress(
  tx: Transaction,
  call: WalletCall,
  { email, principalId, link }: NewAddress,
): Promise<void> {
  const text =
    link === null
      ? 'This e-mail address was given for another wallet. It belongs to yours already, so nothing has happened, and ' +
        'you need not do anything.'
      : `This e-mail address was given for a wallet. Open this link to see whose and to confirm it. It works once, for ` +
        `24 hours: ${link}\n\nIf that was not you, ignore this message: nothing changes without your confirmation.`
  await queueMessage(tx, call, {
    eventKey: `new-address:${call.platform.random.uuid()}`,
    principalId,
    channel: 'email',
    recipient: email,
    subject: link === null ? 'Nothing has changed about your wallet' : 'Confirm this e-mail address for a wallet',
    text,
    links: link === null ? [] : [link],
    data: null,
  })
}

/** Keeps the address in use: the link to the other one confirms nothing any more. */
export async function cancelEmailChange({ platform, actor, now }: WalletCall): Promise<{ readonly ok: true }> {
  await endLinks(platform.db, actor.principalId, { purposes: ['confirm_email'], now })
  await announceChange(platform, actor.principalId)
  return { ok: true }
}
