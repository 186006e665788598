import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Queryable, Transaction } from '../../base/core/platform'
import { findPreferences, findWords, queueMessage } from '../../shared/notifications'
import { lockActivePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { takeContactQuota } from './contact-quota'
import { CODE_TTL_SECONDS, CODES_PER_HOUR } from './contract'
import { hashPhoneCode, newPhoneCode } from './phone-code'
import { savePhoneCode } from './phone-code-store'

/**
 * Sends a new code to the saved phone; the earlier code ends. 409 conflict when no phone is to be confirmed; 429 beyond
 * five codes of the person in an hour, or ten to the number in a minute.
 */
export async function sendPhoneCode(call: WalletCall): Promise<{ readonly expires_in: number }> {
  const { platform, actor } = call
  const phone = await requireWaitingPhone(platform.db, actor.principalId)
  await takeContactQuota(call, {
    name: 'phone-code',
    contact: phone,
    limit: CODES_PER_HOUR,
    isForAllContacts: true,
    message: 'Too many codes were sent. Try again later.',
  })
  await platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, actor.principalId)
    // Another phone may have been saved meanwhile; it has had a code of its own.
    if ((await requireWaitingPhone(tx, actor.principalId)) === phone) await writeCode(tx, call, phone)
  })
  nudgeJobs(platform)
  return { expires_in: CODE_TTL_SECONDS }
}

async function requireWaitingPhone(db: Queryable, principalId: string): Promise<string> {
  const preferences = await findPreferences(db, principalId)
  const phone = preferences?.rcs_phone_e164 ?? null
  if (phone !== null && phone !== preferences?.confirmed_phone_e164) return phone
  throw new ServiceError('conflict', 'No phone waits for a code.')
}

async function writeCode(tx: Transaction, call: WalletCall, phone: string): Promise<void> {
  const { platform, actor, now } = call
  const { principalId } = actor
  const { contacts } = await findWords(tx, principalId)
  const code = newPhoneCode(platform.random)
  const codeHash = hashPhoneCode(platform, { principalId, phone, code })
  const expiresAt = new Date(now.getTime() + CODE_TTL_SECONDS * 1000)
  await savePhoneCode(tx, { principalId, phone, codeHash, now, expiresAt })
  queueMessage(tx, call, {
    eventKey: `phone-code:${codeHash}:${now.getTime()}`,
    principalId,
    channel: 'rcs',
    recipient: phone,
    subject: null,
    text: contacts.code(code),
    links: [],
  })
}
