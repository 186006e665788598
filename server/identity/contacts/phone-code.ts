import { createHmac } from 'node:crypto'
import type { Platform, Randomness } from '../../base/core/platform'
import { toSixDigits } from '../../base/protocol/six-digits'

export const newPhoneCode = (random: Randomness): string => toSixDigits(random.bytes(6))

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
