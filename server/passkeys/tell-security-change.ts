import type { WalletCall } from '../core/call'
import type { Transaction } from '../core/platform'
import { notify } from '../notifications'

export interface SecurityChange {
  readonly change: 'passkey_added' | 'passkey_removed' | 'passkey_required' | 'passkey_not_required'
  /** The passkey's. */
  readonly name?: string
  readonly email: string | null
}

const told: Readonly<Record<SecurityChange['change'], { subject: string; text: (name: string) => string }>> = {
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
}

/** Tells the person about a change that somebody in their place would make first, in the transaction that makes it. */
export async function tellSecurityChange(
  tx: Transaction,
  { platform, now, actor }: WalletCall,
  { change, name = '', email }: SecurityChange,
): Promise<void> {
  const { subject, text } = told[change]
  const link = `${platform.config.baseUrl}/settings/security`
  await notify(
    tx,
    { platform, now },
    {
      eventKey: `security:${change}:${platform.random.uuid()}`,
      about: `security:${actor.principalId}`,
      principalId: actor.principalId,
      email,
      subject,
      text: `${text(`“${name}”`)} If that was not you, look at your passkeys and sessions now: ${link}`,
      links: [link],
    },
  )
}
