import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { notify } from '../../shared/notifications'

interface AgeChange {
  readonly principalId: string
  readonly email: string | null
  readonly change: 'proven' | 'removed'
}

/**
 * Notifies the person, in the transaction of the change. Preferences do not suppress the message, since it affects what
 * agents may buy. It does not name the age, because others may see the message.
 */
export async function notifyAgeChange(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, email, change }: AgeChange,
): Promise<void> {
  const link = `${platform.config.baseUrl}/settings/age`
  await notify(
    tx,
    { platform, now },
    {
      eventKey: `age:${change}:${platform.random.uuid()}`,
      isSecurity: true,
      about: `age:${principalId}`,
      principalId,
      email,
      compose: ({ security }) => {
        const { subject, text } = security.age[change]
        return { subject, text: `${text} ${security.ageLook(link)}` }
      },
      links: [link],
    },
  )
}
