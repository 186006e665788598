import { createHmac } from 'node:crypto'
import type { Platform, Randomness } from '../../base/core/platform'

const DIGITS = 6

/** Six digits. 48 random bits make each of the million codes as likely as any other, but for a part in 10^8. */
export function newPhoneCode(random: Randomness): string {
  const number = random.bytes(6).readUIntBE(0, 6) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

interface CodeOfPhone {
  readonly principalId: string
  readonly phone: string
  readonly code: string
}

/** Keyed, since a million codes are soon tried. The same code of another person or phone has another hash. */
export function hashPhoneCode({ sealer }: Pick<Platform, 'sealer'>, { principalId, phone, code }: CodeOfPhone): string {
  return createHmac('sha256', sealer.derive('phone-code'))
    .update(`${principalId}\n${phone}\n${code}`)
    .digest('base64url')
}
