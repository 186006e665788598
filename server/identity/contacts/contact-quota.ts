import type { WalletCall } from '../../base/core/call'
import { takeQuota } from '../../base/core/take-quota'
import { sha256Base64url } from '../../base/protocol/encoding'
import { CONTACT_MESSAGES_PER_MINUTE } from './contract'

interface ContactQuota {
  readonly name: 'change-email' | 'phone-code'
  /** The address or number that something is sent to. */
  readonly contact: string
  /** Messages of the person in an hour. */
  readonly limit: number
  /** Whether the limit is for all contacts of the person together, and not only for this one. */
  readonly isForAllContacts: boolean
  readonly message: string
}

/**
 * Counts one message to an unconfirmed contact. Throws 429 rate_limited beyond the limit of the person. All people
 * together are counted for a minute only, and last, so that nobody uses up what another may send, and no contact is
 * flooded.
 */
export async function takeContactQuota(
  { platform: { rateLimits }, actor: { principalId } }: WalletCall,
  { name, contact, limit, isForAllContacts, message }: ContactQuota,
): Promise<void> {
  const contactHash = sha256Base64url(contact)
  const subjects = [...(isForAllContacts ? [principalId] : []), `${principalId}:${contactHash}`]
  for (const subject of subjects) {
    await takeQuota(rateLimits, { key: `${name}:${subject}`, limit, windowSeconds: 3_600, message })
  }
  await takeQuota(rateLimits, {
    key: `${name}:${contactHash}`,
    limit: CONTACT_MESSAGES_PER_MINUTE,
    windowSeconds: 60,
    message: 'Too many messages were sent there. Try again in a minute.',
  })
}
