import { createHmac } from 'node:crypto'
import type { Platform } from '../../base/core/platform'

const DIGITS = 6

/**
 * The code that the browser which asked for a link shows, for the case that the link is opened in another one. It follows
 * from the request under a key of the installation, so that no copy of the database holds it.
 */
export function signInCode({ sealer }: Platform, requestId: string): string {
  const digest = createHmac('sha256', sealer.derive('sign-in-code')).update(requestId).digest()
  return String(digest.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0')
}
