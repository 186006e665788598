import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Platform, Randomness } from '../../base/core/platform'
import { toSixDigits } from '../../base/protocol/six-digits'

const PURPOSE = 'phone-code'

export const newPhoneCode = (random: Randomness): string => toSixDigits(random.bytes(6))

interface CodeOfPhone {
  readonly principalId: string
  readonly phone: string
  readonly code: string
}

/**
 * Returns the keyed hash of a code: plain hashes of a million codes are soon tried. It depends on the person and the
 * phone.
 */
export function hashPhoneCode({ sealer }: Pick<Platform, 'sealer'>, code: CodeOfPhone): string {
  return hashUnder(sealer.derive(PURPOSE), code)
}

/** Returns whether the code has this hash under any of the keys. */
export function isPhoneCode({ sealer }: Pick<Platform, 'sealer'>, code: CodeOfPhone, hash: string): boolean {
  const wanted = Buffer.from(hash)
  return sealer.deriveAll(PURPOSE).some((secret) => timingSafeEqual(Buffer.from(hashUnder(secret, code)), wanted))
}

function hashUnder(secret: Buffer, { principalId, phone, code }: CodeOfPhone): string {
  return createHmac('sha256', secret).update(`${principalId}\n${phone}\n${code}`).digest('base64url')
}
