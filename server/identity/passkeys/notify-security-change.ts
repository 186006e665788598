import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { notify, quotedName } from '../../shared/notifications'

export interface SecurityChange {
  readonly principalId: string
  readonly change:
    | 'passkey_added'
    | 'passkey_removed'
    | 'passkey_required'
    | 'passkey_not_required'
    | 'passkeys_reset'
    | 'recovery_codes_made'
    | 'recovery_code_used'
  /** The passkey's name. */
  readonly name?: string
  /** A mailed link that undoes the change. */
  readonly undo?: string | undefined
  readonly email: string | null
}

const messages: Readonly<Record<SecurityChange['change'], { subject: string; text: (name: string) => string }>> = {
  passkey_added: {
    subject: 'A passkey was added to your wallet',
    text: (name) => `The passkey ${name} can now sign in to your wallet and confirm for you.`,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your wallet',
    text: (name) => `The passkey ${name} can no longer sign in to your wallet or confirm anything.`,
  },
  passkey_required: {
    subject: 'Approvals now need a passkey',
    text: () => 'From now on nothing is approved for you without one of your passkeys.',
  },
  passkey_not_required: {
    subject: 'Approvals no longer need a passkey',
    text: () => 'From now on apps that you have connected to your wallet may approve without one of your passkeys.',
  },
  passkeys_reset: {
    subject: 'Your passkeys were removed',
    text: () => 'The operator of your wallet removed all of your passkeys and signed you out everywhere.',
  },
  recovery_codes_made: {
    subject: 'Recovery codes were made for your wallet',
    text: () =>
      'Anyone who has one of them and reads your mail can add a passkey. Codes that were made before are void.',
  },
  recovery_code_used: {
    subject: 'A recovery code of your wallet was used',
    text: () => 'Somebody signed in by e-mail and used one of your recovery codes in order to add a passkey.',
  },
}

/**
 * Notifies the person, in the transaction of the change, about a change that an intruder would make first. Preferences
 * do not suppress it.
 */
export async function notifySecurityChange(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, change, name = '', undo, email }: SecurityChange,
): Promise<void> {
  const { subject, text } = messages[change]
  const link = `${platform.config.baseUrl}/settings/security`
  const done = text(quotedName(name))
  await notify(
    tx,
    { platform, now },
    {
      eventKey: `security:${change}:${platform.random.uuid()}`,
      isSecurity: true,
      about: `security:${principalId}`,
      principalId,
      email,
      subject,
      text: `${done} If that was not you, look at your passkeys and sessions now: ${link}`,
      links: [link],
      mailOnly: undo === undefined ? undefined : { text: `${done}\n\n${undoWords(undo)}`, links: [undo] },
    },
  )
}

const undoWords = (link: string): string =>
  'If that was not you, open this link and confirm there that the passkey is removed and what it signed in is signed ' +
  `out. The link works once, for 72 hours: ${link}`
