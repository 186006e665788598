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
  /** What stands as asked from now on. */
  readonly fields: ('display_name' | 'email')[]
  /** What waits for the link that was mailed to the new address. */
  readonly pending: 'email'[]
}

/** POST /privacy/dsar/rectification. 400 for unknown members and for none; then nothing is changed. */
export function answerRectification(
  call: WalletCall,
  input: InputOf<typeof rectificationEndpoint>,
): Promise<Rectified> {
  const { unknown, ...correction } = input
  if (unknown.length > 0) throw new ServiceError('invalid_request', 'Only email and display_name can be rectified.')
  return correctData(call, correction)
}

/**
 * Corrects the person's name at once; another address is used once it is confirmed by the link mailed to it, and the one
 * before is told at once. An address that waits already is not mailed again. 400 when nothing is to be corrected; 403
 * step_up_required for another address that is not confirmed, 401 insufficient_user_authentication for such a token.
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

/** Whether a link to confirm this very address is under way. */
async function isWaiting({ platform, actor, now }: WalletCall, email: string, tx?: Transaction): Promise<boolean> {
  const link = await findOpenLink(tx ?? platform.db, actor.principalId, { purpose: 'confirm_email', now })
  return link?.purpose === 'confirm_email' && link.subject.email === email
}
