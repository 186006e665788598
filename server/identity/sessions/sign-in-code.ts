import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Platform } from '../../base/core/platform'
import { toSixDigits } from '../../base/protocol/six-digits'

const PURPOSE = 'sign-in-code'

/**
 * Returns the code that is shown in the browser which asked for a link, to be entered when the link is opened in
 * another one. It is derived from the request with a key of the installation, so that no copy of the database holds it.
 */
export function signInCode({ sealer }: Pick<Platform, 'sealer'>, requestId: string): string {
  return codeUnder(sealer.derive(PURPOSE), requestId)
}

/** Returns whether the code is that of the request, under any of the keys. */
export function isSignInCode({ sealer }: Pick<Platform, 'sealer'>, requestId: string, code: string): boolean {
  const given = Buffer.from(code)
  return sealer.deriveAll(PURPOSE).some((secret) => {
    const wanted = Buffer.from(codeUnder(secret, requestId))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}

function codeUnder(secret: Buffer, requestId: string): string {
  return toSixDigits(createHmac('sha256', secret).update(requestId).digest())
}
