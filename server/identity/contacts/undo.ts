import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { isUniqueViolation } from '../../base/platform/database/errors'
import { type Means, recordPersonAct } from '../../shared/audit'
import { endLinks, type UndoLink } from '../../shared/mailed-links'
import type { UndoPurpose } from '../../shared/mailed-links/contract'
import { dropPhoneSince } from '../../shared/notifications'
import { updateEmail } from '../../shared/principals'
import { removePasskeysSince } from '../passkeys'
import { endSessionsSince, endSignInRequests, findSessionStart } from '../sessions'

/** Steps of other modules when a change becomes effective or is undone, in its transaction, before its audit entry. */
export interface ChangeEnds {
  /** Ends the links that were mailed to an address that is no longer the person's. */
  readonly endMailed: (tx: Transaction, person: { readonly principalId: string; readonly now: Date }) => Promise<void>
  /** Ends what sessions have added since the undone change, such as wallet apps. */
  readonly endMadeSince: (tx: Transaction, made: MadeSince) => Promise<void>
}

export interface MadeSince extends Pick<Call, 'platform' | 'now'> {
  readonly actor: { readonly principalId: string; readonly tenantId: string }
  readonly means: Means
  readonly since: Date
}

interface UndoContext extends Omit<MadeSince, 'since'> {
  readonly ends: ChangeEnds
  /** The session that undoes the change, which stays open. */
  readonly spared?: string
}

const acts = {
  undo_email: { what: 'email', from: 'changed', to: 'undone' },
  undo_passkey: { what: 'passkey', from: 'added', to: 'undone' },
} as const

/** Undoes the change of a link that was used up in this transaction. The caller holds the person's lock. */
export async function undo(tx: Transaction, link: UndoLink, undoing: UndoContext): Promise<void> {
  if (link.purpose === 'undo_email') await undoEmail(tx, link, undoing)
  else await undoPasskey(tx, link, undoing)
  const { platform, actor, means, now } = undoing
  // The session that asked for the change may have added something before it, so all additions since its start end.
  const opened = await findSessionStart(tx, link.principal_id, link.subject.session)
  const since = opened !== null && opened < link.created_at ? opened : link.created_at
  await undoing.ends.endMadeSince(tx, { platform, actor, means, since, now })
  const payload = { ...acts[link.purpose], means: undoing.means, passkey_id: null } as const
  await recordPersonAct(tx, undoing, { event: 'oid4ac.security.changed', payload })
}

type LinkFor<P extends UndoPurpose> = Extract<UndoLink, { readonly purpose: P }>

/**
 * Restores the earlier address, whatever was changed since. Ends the session that asked for the change and all that may
 * have come from it: later sessions, passkeys, phones, and changes with the links that undo them.
 */
async function undoEmail(
  tx: Transaction,
  link: LinkFor<'undo_email'>,
  { ends, spared, now }: UndoContext,
): Promise<void> {
  const { principal_id: principalId, created_at: since, subject } = link
  await endLinks(tx, principalId, { purposes: ['confirm_email'], now })
  await endLinks(tx, principalId, { purposes: ['undo_email', 'undo_passkey'], since, now })
  await updateEmail(tx, principalId, subject.email)
  await endSignInRequests(tx, principalId, now)
  await ends.endMailed(tx, { principalId, now })
  await removePasskeysSince(tx, principalId, since)
  await dropPhoneSince(tx, principalId, since)
  const methods = ['magic_link', 'passkey', 'demo'] as const
  await endSessionsSince(tx, principalId, { handle: subject.session, since, methods, spared, now })
}

/**
 * Removes the passkey, with later ones and recovery codes, which it may have confirmed. Ends the sessions that passkeys
 * have opened since, and the session that added it.
 */
async function undoPasskey(
  tx: Transaction,
  link: LinkFor<'undo_passkey'>,
  { spared, now }: UndoContext,
): Promise<void> {
  const { principal_id: principalId, created_at: since, subject } = link
  await removePasskeysSince(tx, principalId, since)
  await endSessionsSince(tx, principalId, { handle: subject.session, since, methods: ['passkey'], spared, now })
}

/** Throws 409 conflict when the work fails because another person has the address by now. */
export async function withTakenAddressError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isUniqueViolation(error, 'principals_email')) throw error
    throw new ServiceError('conflict', 'Another person has this e-mail address by now.')
  }
}
