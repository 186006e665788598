import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { UndoPurpose } from '../../shared/mailed-links/contract'
import { findWords, type MessageText, notify, queueMessage, type Words } from '../../shared/notifications'
import { requirePrincipal } from '../../shared/principals'

const settingsLink = ({ platform }: WalletCall) => `${platform.config.baseUrl}/settings/notifications`

/** Notifies the phone in use so far, and the mail address, that another phone was saved. */
export async function notifyPhoneChange(tx: Transaction, call: WalletCall, phone: string): Promise<void> {
  const link = settingsLink(call)
  const compose = ({ contacts }: Words) => ({
    subject: contacts.phone.subject,
    text: contacts.phone.text(phone.slice(-2), link),
  })
  await notifyOwner(tx, call, { event: 'phone', compose, link })
}

interface EmailChange {
  /** The link that undoes the change; null for a person without an address, who is notified by phone alone. */
  readonly undo: string | null
}

/**
 * Notifies the address in use, and the phone, of a requested change of address. Only the mail holds the undoing link.
 */
export async function notifyEmailChange(tx: Transaction, call: WalletCall, { undo }: EmailChange): Promise<void> {
  const link = settingsLink(call)
  const compose = ({ contacts: { email } }: Words) => ({
    subject: email.subject,
    text: `${email.asked} ${email.look(link)}`,
    mailOnly: undo === null ? undefined : { text: `${email.asked}\n\n${email.undo(undo)}`, links: [undo] },
  })
  await notifyOwner(tx, call, { event: 'email', compose, link })
}

/** Notifies the person, at the contacts in use until now, that a change was undone from a session. */
export async function notifyUndone(tx: Transaction, call: WalletCall, purpose: UndoPurpose): Promise<void> {
  const link = `${call.platform.config.baseUrl}/settings/security/activity`
  const compose = ({ contacts: { undone } }: Words) => {
    const { subject, text } = undone[purpose]
    return { subject, text: `${text} ${undone.look(link)}` }
  }
  await notifyOwner(tx, call, { event: 'undone', compose, link })
}

interface DeviceChange {
  readonly change: 'added' | 'removed'
  /** The kind of device, as `deviceLabel` returns it. */
  readonly device: string | null
}

/** Notifies the person, at the contacts in use until now, that push messages were turned on or off in a browser. */
export async function notifyDeviceChange(
  tx: Transaction,
  call: WalletCall,
  { change, device }: DeviceChange,
): Promise<void> {
  const link = settingsLink(call)
  const compose = ({ contacts: { devices } }: Words) => {
    const { subject, text } = devices[change]
    return { subject, text: `${text(device ?? devices.unknown)} ${devices.look(link)}` }
  }
  await notifyOwner(tx, call, { event: 'device', compose, link })
}

interface ContactNotification {
  readonly event: 'phone' | 'email' | 'undone' | 'device'
  readonly compose: (words: Words) => MessageText
  readonly link: string
}

async function notifyOwner(
  tx: Transaction,
  call: WalletCall,
  { event, compose, link }: ContactNotification,
): Promise<void> {
  const { principalId } = call.actor
  const { email } = await requirePrincipal(tx, principalId)
  const eventKey = `contact:${event}:${call.platform.random.uuid()}`
  const about = `security:${principalId}`
  await notify(tx, call, { eventKey, isSecurity: true, about, principalId, email, compose, links: [link] })
}

/** Notifies the person by mail that fewer messages come: mail was turned off, events were muted, or hours are quiet. */
export async function notifyQuieter(
  tx: Transaction,
  call: WalletCall,
  change: 'mailOff' | 'muted' | 'quietHours',
): Promise<void> {
  const { principalId } = call.actor
  const { email } = await requirePrincipal(tx, principalId)
  const { subject, text } = (await findWords(tx, principalId)).contacts[change]
  const link = settingsLink(call)
  queueMessage(tx, call, {
    eventKey: `contact:${change}:${call.platform.random.uuid()}`,
    principalId,
    channel: 'email',
    recipient: email,
    subject,
    text: text(link),
    links: [link],
    about: `security:${principalId}`,
  })
}
