import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { notify } from './notify'

interface OperatorActNews {
  readonly principalId: string
  readonly email: string | null
  readonly act: 'evidence_read' | 'credential_revoked'
}

/**
 * Notifies the person of the operator's act about them, in its transaction. Preferences do not suppress the message.
 */
export async function notifyOperatorAct(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, email, act }: OperatorActNews,
): Promise<void> {
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
      compose: ({ security }) => {
        const { subject, text } = security.operator[act]
        return { subject, text: `${text} ${security.operatorEntry(link)}` }
      },
      links: [link],
    },
  )
}
