import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { takeQuota } from '../../../base/core/take-quota'
import { notify } from '../../../shared/notifications'
import { findPrincipal } from '../../../shared/principals'
import { nudgeJobs } from '../../../shared/queue'
import type { TestMessageView } from './view'

const TEST_MESSAGES_MAX = 3
const WINDOW_SECONDS = 10 * 60

/**
 * Sends a message that asks for nothing on every channel that is on, so that the person sees whether it arrives.
 * @throws 409 conflict when no channel is on or none leads anywhere; 429 beyond three in ten minutes
 */
export async function sendTestMessage({ platform, actor, now }: WalletCall): Promise<TestMessageView> {
  const { principalId } = actor
  await takeQuota(platform.rateLimits, {
    key: `test-message:${principalId}`,
    limit: TEST_MESSAGES_MAX,
    windowSeconds: WINDOW_SECONDS,
    message: 'That were enough test messages for now. Try again later.',
  })
  const person = await findPrincipal(platform.db, principalId)
  const link = `${platform.config.baseUrl}/settings/notifications`
  const channels = await platform.db.transaction((tx) =>
    notify(
      tx,
      { platform, now },
      {
        eventKey: `test:${platform.random.uuid()}`,
        principalId,
        email: person?.email ?? null,
        say: ({ contacts: { test } }) => ({ subject: test.subject, text: test.text(link) }),
        links: [link],
        push: { news: { kind: 'test' }, expiresAt: null },
      },
    ),
  )
  if (channels.length === 0) throw new ServiceError('conflict', 'There is no channel that a message could take.')
  nudgeJobs(platform)
  return { channels }
}
