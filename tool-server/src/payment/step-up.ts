import { CONSENT_POLL_DEFAULT_SECONDS } from '../limits.js'
import type { PayAnswer } from './pay-result.js'
import type { PurchaseRun } from './run.js'

/** When this call stops waiting for the person. Only a host that takes progress can be kept waiting for long. */
export function consentDeadline({
  host,
  approvalOptions,
  startedAt,
}: Pick<PurchaseRun, 'host' | 'approvalOptions' | 'startedAt'>): number {
  const wished = approvalOptions.timeoutSeconds ?? CONSENT_POLL_DEFAULT_SECONDS
  const seconds = host.progress === undefined ? Math.min(wished, CONSENT_POLL_DEFAULT_SECONDS) : wished
  return startedAt + seconds * 1000
}

/** Not decided yet, which is no failure. */
export const stepUp = (requestUri: string, note: string): PayAnswer => ({
  result: { status: 'step_up_required', request_uri: requestUri },
  note,
})
