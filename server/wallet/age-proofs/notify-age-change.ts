import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { notify } from '../../shared/notifications'

interface AgeChange {
  readonly principalId: string
  readonly email: string | null
  readonly change: 'proven' | 'removed'
}

const messages = {
  proven: {
    subject: 'Your age was proven',
    text: 'A wallet app proved your age. Your agents can now buy where buyers must have reached it.',
  },
  removed: {
    subject: 'The proof of your age was removed',
    text: 'Your agents can no longer buy where buyers must have reached an age.',
  },
} as const

/**
 * Tells the person, in the transaction of the change. Preferences do not suppress it, since what agents may buy follows it.
 * Which age is not said: messages are read over shoulders.
 */
export async function notifyAgeChange(
  tx: Transaction,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { principalId, email, change }: AgeChange,
): Promise<void> {
  const { subject, text } = messages[change]
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
      subject,
      text: `${text} If that was not you, look at it now: ${link}`,
      links: [link],
    },
  )
}
