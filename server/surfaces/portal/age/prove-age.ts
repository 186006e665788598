import { encodeQR } from 'qr'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { buildBarredError } from '../../../base/core/common-errors'
import { ServiceError } from '../../../base/core/errors'
import { takeQuota } from '../../../base/core/take-quota'
import {
  ageQuery,
  createPersonsRequest,
  readPersonsRequest,
  withdrawPersonsRequest,
} from '../../../credentials/presentations'
import { readRegions } from '../../../credentials/trust-lists'
import { proveStepUp } from '../../../identity/passkeys'
import { requireActivePrincipal } from '../../../shared/principals'
import type { ageRequestProcedure, proveAgeProcedure } from './contract'
import type { AgeRequestStatus, AgeRequestView } from './view'

const purpose = 'age'
const REQUESTS_PER_HOUR = 30

/**
 * Starts a proof of age: a request that the person answers with a wallet app. The answer lets agents buy more, so the
 * person confirms the request first; the confirmation is for this request alone. 403 step_up_required; 400
 * access_denied for a person whose data may not be processed; 400 region_unsupported when no issuer is trusted; 429
 * rate_limited.
 */
export async function proveAge(
  call: WalletCall,
  { age, proof }: ProcedureInput<typeof proveAgeProcedure>,
): Promise<AgeRequestView> {
  const { platform, actor } = call
  const { processing_restricted: isRestricted } = await requireActivePrincipal(platform.db, actor.principalId)
  if (isRestricted) throw buildBarredError()
  if ((await readRegions(call)).length === 0) {
    throw new ServiceError('region_unsupported', "No issuer is trusted here to prove a person's age.")
  }
  await proveStepUp(call, { purpose: 'age.prove', subject: { age } }, proof)
  await takeRequestQuota(call)
  const query = ageQuery(platform.config.baseUrl, age)
  const { id, deepLink, expiresAt } = await createPersonsRequest(call, { purpose, subjectId: String(age), query })
  const qr = encodeQR(deepLink, 'svg', { ecc: 'low' })
  return { id, link: deepLink, qr_svg: qr, expires_at: expiresAt.toISOString() }
}

function takeRequestQuota({ platform, actor }: WalletCall): Promise<void> {
  const key = `age-requests:${actor.principalId}`
  const message = 'Too many requests were started. Try again later.'
  return takeQuota(platform.rateLimits, { key, limit: REQUESTS_PER_HOUR, windowSeconds: 3_600, message })
}

/** Returns the state of a request of this person. 404 for any other request, and a day after its end. */
export async function readAgeRequest(
  call: WalletCall,
  { id }: ProcedureInput<typeof ageRequestProcedure>,
): Promise<AgeRequestStatus> {
  const outcome = await readPersonsRequest(call, { id, purpose })
  if (outcome.status !== 'rejected') return { status: outcome.status, error: null }
  return { status: 'refused', error: outcome.error }
}

/** Withdraws a pending request. 404 as by `readAgeRequest`. */
export async function withdrawAgeRequest(
  call: WalletCall,
  { id }: ProcedureInput<typeof ageRequestProcedure>,
): Promise<AgeRequestStatus> {
  await withdrawPersonsRequest(call, { id, purpose })
  return readAgeRequest(call, { id })
}
