import { createHmac } from 'node:crypto'
import type { Platform } from '../../base/core/platform'
import { toSixDigits } from '../../base/protocol/six-digits'

/**
 * The code that the browser which asked for a link shows, for the case that the link is opened in another one. It follows
 * from the request under a key of the installation, so that no copy of the database holds it.
 */
export function signInCode({ sealer }: Platform, requestId: string): string {
  return toSixDigits(createHmac('sha256', sealer.derive('sign-in-code')).update(requestId).digest())
}
