import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { notify } from './notify'

interface OperatorActNews {
  readonly principalId: string
  readonly email: string | null
  readonly act: 'evidence_read' | 'credential_revoked'
}

const messages: Readonly<Record<OperatorActNews['act'], { subject: string; text: string }>> = {
  evidence_read: {
    subject: 'The operator read the proof of one of your payments',
    text:
      'The operator of your wallet opened the proof of one of your payments. It says what was bought, where, for how ' +
      'much and how you agreed to it. Operators need it when a payment is disputed.',
  },
  credential_revoked: {
    subject: 'The operator ended a credential of yours',
    text: 'The operator of your wallet ended a credential that a wallet app of yours keeps. It proves nothing any more.',
  },
}

/** Notifies the person of what the operator did about them, in its transaction. Preferences do not suppress it. */
export async function notifyOperatorAct(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, email, act }: OperatorActNews,
): Promise<void> {
  const { subject, text } = messages[act]
  const link = `${platform.config.baseUrl}/settings/security`
  await notify(
    tx,
    { platform, now },
    {
      eventKey: `operator:${act}:${platform.random.uuid()}`,
      isSecurity: true,
      about: `security:${principalId}`,
      principalId,
      email,
      subject,
      text: `${text} Your security activity has the entry: ${link}`,
      links: [link],
    },
  )
}
