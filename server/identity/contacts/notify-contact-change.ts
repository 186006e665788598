import type { WalletCall } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import type { UndoPurpose } from '../../shared/mailed-links/contract'
import { notify, queueMessage } from '../../shared/notifications'
import { requirePrincipal } from '../../shared/principals'

const settingsLink = ({ platform }: WalletCall) => `${platform.config.baseUrl}/settings/notifications`

/** Tells the phone in use so far and the mail address that another phone was saved. */
export async function notifyPhoneChange(tx: Transaction, call: WalletCall, phone: string): Promise<void> {
  const link = settingsLink(call)
  await notifyOwner(tx, call, {
    event: 'phone',
    subject: 'A new phone number was entered for your wallet',
    text:
      `A phone number ending in ${phone.slice(-2)} was entered for your wallet. It is used once the code that we sent ` +
      `to it was entered; until then nothing changes. If that was not you, take it out again and look at where you ` +
      `are signed in: ${link}`,
    links: [link],
  })
}

interface EmailChange {
  /** The link that undoes it. Null for a person who had no address, and so hears of it by phone alone. */
  readonly undo: string | null
}

/** Tells the address in use so far, and the phone, that another address was asked for. The link goes to the mailbox alone. */
export async function notifyEmailChange(tx: Transaction, call: WalletCall, { undo }: EmailChange): Promise<void> {
  const link = settingsLink(call)
  const asked =
    'From a session of your wallet another e-mail address was asked for. Once that address is confirmed, sign-in ' +
    'links and messages go there instead of here.'
  const undoing =
    'If that was not you, open this link and confirm there that the change is undone and what signed in since is ' +
    `signed out. The link works once, for 72 hours, also when the change is done by then: ${undo ?? link}`
  await notifyOwner(tx, call, {
    event: 'email',
    subject: 'The e-mail address of your wallet is being changed',
    text: `${asked} If that was not you, look at where you are signed in: ${link}`,
    links: [link],
    mailOnly: undo === null ? undefined : { text: `${asked}\n\n${undoing}`, links: [undo] },
  })
}

const undone: Readonly<Record<UndoPurpose, { readonly subject: string; readonly text: string }>> = {
  undo_email: {
    subject: 'The change of your e-mail address was undone',
    text: 'The e-mail address from before the last change is in use again, and what was added since is removed.',
  },
  undo_passkey: {
    subject: 'A new passkey was removed again from your wallet',
    text: 'The passkey that was added last, and what it had let in, is removed.',
  },
}

/** Tells the person, where they were reached until now, that a change is undone from a session. */
export async function notifyUndone(tx: Transaction, call: WalletCall, purpose: UndoPurpose): Promise<void> {
  const link = `${call.platform.config.baseUrl}/settings/security/activity`
  const { subject, text } = undone[purpose]
  const ask = `This was confirmed in a session of your wallet. If that was not you, look at what happened: ${link}`
  await notifyOwner(tx, call, { event: 'undone', subject, text: `${text} ${ask}`, links: [link] })
}

interface DeviceChange {
  readonly change: 'added' | 'removed'
  /** As `deviceLabel` returns it. */
  readonly device: string | null
}

/** Tells the person, where they were reached until now, that messages were turned on or off in a browser. */
export async function notifyDeviceChange(
  tx: Transaction,
  call: WalletCall,
  { change, device }: DeviceChange,
): Promise<void> {
  const link = settingsLink(call)
  const name = device ?? 'a browser that we do not know'
  const { subject, text } = deviceTexts[change]
  const ask = `If that was not you, look at your devices and at where you are signed in: ${link}`
  await notifyOwner(tx, call, { event: 'device', subject, text: `${text(name)} ${ask}`, links: [link] })
}

const deviceTexts = {
  added: {
    subject: 'Messages of your wallet were turned on in a browser',
    text: (name: string) =>
      `Messages about your wallet now also appear on ${name}. They show what waits for you; deciding still needs you to sign in.`,
  },
  removed: {
    subject: 'Messages of your wallet were turned off in a browser',
    text: (name: string) => `Messages about your wallet no longer appear on ${name}.`,
  },
} as const

interface ContactNews {
  readonly event: 'phone' | 'email' | 'undone' | 'device'
  readonly subject: string
  readonly text: string
  readonly links: readonly string[]
  readonly mailOnly?: { readonly text: string; readonly links: readonly string[] } | undefined
}

async function notifyOwner(tx: Transaction, call: WalletCall, { event, ...news }: ContactNews): Promise<void> {
  const { principalId } = call.actor
  const { email } = await requirePrincipal(tx, principalId)
  const eventKey = `contact:${event}:${call.platform.random.uuid()}`
  await notify(tx, call, { ...news, eventKey, isSecurity: true, about: `security:${principalId}`, principalId, email })
}

/** Mails that mail was switched off, since from now on the person hears of less. */
export async function notifyMailOff(tx: Transaction, call: WalletCall): Promise<void> {
  const { principalId } = call.actor
  const { email } = await requirePrincipal(tx, principalId)
  const link = settingsLink(call)
  await queueMessage(tx, call, {
    eventKey: `contact:mail-off:${call.platform.random.uuid()}`,
    principalId,
    channel: 'email',
    recipient: email,
    subject: 'Your wallet no longer sends you mail',
    text:
      'Mail was switched off for your wallet. Only sign-in links, confirmations and changes of security are still ' +
      `mailed. If that was not you, switch it on again and look at where you are signed in: ${link}`,
    links: [link],
    data: null,
    about: `security:${principalId}`,
  })
}
