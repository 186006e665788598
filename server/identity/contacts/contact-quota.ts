import type { WalletCall } from '../../base/core/call'
import { takeQuota } from '../../base/core/take-quota'
import { sha256Base64url } from '../../base/protocol/encoding'

interface ContactQuota {
  readonly name: 'change-email' | 'phone-code'
  /** The address or number that something is sent to. */
  readonly contact: string
  /** The person whose messages are counted too; null when only those to the contact are. */
  readonly person: string | null
  /** Messages in an hour, for the person and for the contact each. */
  readonly limit: number
  readonly message: string
}

/** Counts one message to an unconfirmed contact. Throws 429 rate_limited beyond the limit. */
export async function takeContactQuota(
  { platform }: WalletCall,
  { name, contact, person, limit, message }: ContactQuota,
): Promise<void> {
  for (const subject of [...(person === null ? [] : [person]), sha256Base64url(contact)]) {
    await takeQuota(platform.rateLimits, { key: `${name}:${subject}`, limit, windowSeconds: 3_600, message })
  }
}
