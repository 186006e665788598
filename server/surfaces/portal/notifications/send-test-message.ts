import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { takeQuota } from '../../../base/core/take-quota'
import { findChannels, findWords, sendNow } from '../../../shared/notifications'
import { findPrincipal } from '../../../shared/principals'
import type { sendTestProcedure } from './contract'
import type { TestMessageView } from './view'

const TEST_MESSAGES_MAX = 3
const WINDOW_SECONDS = 10 * 60

type Channel = ProcedureInput<typeof sendTestProcedure>['channel']

/**
 * Sends a test message through one channel, and returns whether its carrier accepted it. 409 conflict when the channel
 * is off or has no address; 429 beyond three in ten minutes for each channel.
 */
export async function sendTestMessage(
  call: WalletCall,
  { channel }: ProcedureInput<typeof sendTestProcedure>,
): Promise<TestMessageView> {
  const { platform, actor } = call
  const { principalId } = actor
  await takeQuota(platform.rateLimits, {
    key: `test-message:${principalId}:${channel}`,
    limit: TEST_MESSAGES_MAX,
    windowSeconds: WINDOW_SECONDS,
    message: 'Too many test messages were sent. Try again later.',
  })
  const to = await findRecipient(call, channel)
  if (to === null) throw new ServiceError('conflict', 'This channel is off or has no address.')
  const { test } = (await findWords(platform.db, principalId)).contacts
  const link = `${platform.config.baseUrl}/settings/notifications`
  const isTaken = await sendNow(call, {
    eventKey: `test:${platform.random.uuid()}`,
    principalId,
    channel,
    recipient: to,
    subject: channel === 'email' ? test.subject : null,
    text: test.text(link),
    links: [link],
  })
  return { outcome: isTaken ? 'accepted' : 'failed', to, at: platform.clock.now().toISOString() }
}

async function findRecipient({ platform, actor }: WalletCall, channel: Channel): Promise<string | null> {
  const { email, phone } = await findChannels(platform.db, actor.principalId, null)
  if (channel === 'rcs') return platform.mailer.carriesRcs ? phone : null
  return email ? ((await findPrincipal(platform.db, actor.principalId))?.email ?? null) : null
}
