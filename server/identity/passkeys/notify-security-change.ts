import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { notify, quotedName } from '../../shared/notifications'

export interface SecurityChange {
  readonly principalId: string
  readonly change: 'passkey_added' | 'passkey_removed' | 'passkey_required' | 'passkey_not_required' | 'passkeys_reset'
  /** The passkey's name. */
  readonly name?: string
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
}

/**
 * Notifies the person, in the transaction of the change, about a change that an intruder would make first. Preferences
 * do not suppress it.
 */
export async function notifySecurityChange(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, change, name = '', email }: SecurityChange,
): Promise<void> {
  const { subject, text } = messages[change]
  const link = `${platform.config.baseUrl}/settings/security`
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
      text: `${text(quotedName(name))} If that was not you, look at your passkeys and sessions now: ${link}`,
      links: [link],
    },
  )
}
