import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { maskMailAddress } from '../../base/core/mask-mail-address'
import type { Transaction } from '../../base/core/platform'
import type { Means } from '../../shared/audit'
import { consumeLink, listUndoLinks, mailboxOf, type UndoLink } from '../../shared/mailed-links'
import type { UndoPurpose } from '../../shared/mailed-links/contract'
import { lockPrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { proveUndo, requireUndoLink, undoWay } from '../passkeys'
import type { UndoableChange, undoChangeProcedure } from './contract'
import { notifyUndone } from './notify-contact-change'
import { type ChangeEnds, undo, withTakenAddressError } from './undo'

/**
 * Returns the changes of the last 72 hours that mailed links can undo, newest first, and how the caller can undo them.
 */
export async function listUndoable(call: WalletCall): Promise<readonly UndoableChange[]> {
  const { platform, actor, now } = call
  const links = await listUndoLinks(platform.db, actor.principalId, now)
  return Promise.all(
    links.map(async (link) => ({
      id: link.token_hash,
      purpose: link.purpose,
      about: link.purpose === 'undo_passkey' ? link.subject.name : maskMailAddress(link.subject.email),
      mailed_to: maskMailAddress(mailboxOf(link) ?? ''),
      changed_at: link.created_at.toISOString(),
      until: link.expires_at.toISOString(),
      way: await undoWay(call, link),
    })),
  )
}

/**
 * Undoes a change as its mailed link does, and uses that link up. The session that undoes it stays open. The person is
 * notified at the contacts in use until now. 403 step_up_required, or forbidden when only the mailed link undoes the
 * change; 404 for a change that cannot be undone, and another person's; 409 conflict when it was undone meanwhile, or
 * another person has the address by now.
 */
export async function undoChange(
  call: WalletCall,
  { change_id: id, proof }: ProcedureInput<typeof undoChangeProcedure>,
  ends: ChangeEnds,
): Promise<{ readonly purpose: UndoPurpose }> {
  const { platform, actor } = call
  const link = await requireUndoLink(call, id)
  const { method: means } = await proveUndo(call, link, proof)
  await withTakenAddressError(platform.db.transaction((tx) => undoInSession(tx, call, { link, means, ends })))
  await announceChange(platform, actor.principalId)
  nudgeJobs(platform)
  return { purpose: link.purpose }
}

interface SessionUndoing {
  readonly link: UndoLink
  readonly means: Means
  readonly ends: ChangeEnds
}

async function undoInSession(tx: Transaction, call: WalletCall, { link, means, ends }: SessionUndoing): Promise<void> {
  const { platform, actor, now } = call
  await lockPrincipal(tx, actor.principalId)
  if (!(await consumeLink(tx, link.token_hash, now))) throw new ServiceError('conflict', 'This was undone before.')
  await notifyUndone(tx, call, link.purpose)
  const spared = actor.session === null ? {} : { spared: actor.session.id }
  await undo(tx, link, { platform, actor, means, now, ends, ...spared })
}
