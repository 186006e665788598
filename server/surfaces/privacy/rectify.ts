import type { InputOf } from '../../base/contract/endpoint'
import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { openEmailChange, relaxedByEmail, takeEmailQuota } from '../../identity/contacts'
import { requireStepUpToRelax } from '../../identity/passkeys'
import { findOpenLink } from '../../shared/mailed-links'
import { updateDisplayName } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import type { rectificationEndpoint, rectifyProcedure } from './contract'
import { openRequest } from './open-request'

type Correction = Pick<ProcedureInput<typeof rectifyProcedure>, 'email' | 'display_name'>

interface Rectified {
  readonly status: 'rectified'
  /** The members that have the requested value now. */
  readonly fields: ('display_name' | 'email')[]
  /** The members that change once the link mailed to the new address is confirmed. */
  readonly pending: 'email'[]
}

/** POST /privacy/dsar/rectification. 400 for unknown members and for none; nothing is changed then. */
export function answerRectification(
  call: WalletCall,
  input: InputOf<typeof rectificationEndpoint>,
): Promise<Rectified> {
  const { unknown, ...correction } = input
  if (unknown.length > 0) throw new ServiceError('invalid_request', 'Only email and display_name can be rectified.')
  return correctData(call, correction)
}

/**
 * Corrects the person's name at once. A new address is used once the link mailed to it is confirmed; the present one is
 * notified at once. An address that is not confirmed yet is not mailed again. 400 when nothing is to be corrected; 403
 * step_up_required for a new address without the person's confirmation; 401 insufficient_user_authentication for a
 * token that does not suffice.
 */
export async function correctData(
  call: WalletCall,
  input: ProcedureInput<typeof rectifyProcedure>,
): Promise<Rectified> {
  const { email, display_name: name, proof } = input
  if (email === undefined && name === undefined) {
    throw new ServiceError('invalid_request', 'email or display_name is required.')
  }
  const change = {
    relaxes: (tx: Transaction) => (email === undefined ? Promise.resolve(null) : relaxedByEmail(tx, call, email)),
    takeQuota: async () => {
      if (email !== undefined && !(await isWaiting(call, email))) await takeEmailQuota(call, email)
    },
    save: (tx: Transaction) => save(tx, call, { email, display_name: name }),
  }
  const rectified = await requireStepUpToRelax(call, change, proof)
  nudgeJobs(call.platform)
  return rectified
}

async function save(tx: Transaction, call: WalletCall, { email, display_name: name }: Correction): Promise<Rectified> {
  const { principalId } = call.actor
  await openRequest(tx, call, { kind: 'rectification', result: 'rectified' })
  if (name !== undefined) await updateDisplayName(tx, principalId, name)
  const fields: Rectified['fields'] = name === undefined ? [] : ['display_name']
  if (email === undefined) return { status: 'rectified', fields, pending: [] }
  const isInUse = (await relaxedByEmail(tx, call, email)) === null
  if (isInUse || !(await isWaiting(call, email, tx))) await openEmailChange(tx, call, email)
  return isInUse
    ? { status: 'rectified', fields: [...fields, 'email'], pending: [] }
    : { status: 'rectified', fields, pending: ['email'] }
}

/** Returns whether an open link confirms this very address. */
async function isWaiting({ platform, actor, now }: WalletCall, email: string, tx?: Transaction): Promise<boolean> {
  const link = await findOpenLink(tx ?? platform.db, actor.principalId, { purpose: 'confirm_email', now })
  return link?.purpose === 'confirm_email' && link.subject.email === email
}
