import { CONSENT_POLL_DEFAULT_SECONDS } from '../limits.js'
import type { PayAnswer } from './pay-result.js'
import type { PurchaseRun } from './run.js'

/**
 * Returns when this call stops waiting for the person. Only a host that takes progress messages keeps waiting for long.
 */
export function consentDeadline({
  host,
  approvalOptions,
  startedAt,
}: Pick<PurchaseRun, 'host' | 'approvalOptions' | 'startedAt'>): number {
  const wished = approvalOptions.timeoutSeconds ?? CONSENT_POLL_DEFAULT_SECONDS
  const seconds = host.progress === undefined ? Math.min(wished, CONSENT_POLL_DEFAULT_SECONDS) : wished
  return startedAt + seconds * 1000
}

/** Returns the result of a purchase that is not decided yet, which is no failure. */
export const stepUp = (requestUri: string, note: string): PayAnswer => ({
  result: { status: 'step_up_required', request_uri: requestUri },
  note,
})
