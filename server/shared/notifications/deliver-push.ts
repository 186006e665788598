import { PermanentFailure } from '../../base/core/permanent-failure'
import type { Platform } from '../../base/core/platform'
import { RetryLater } from '../../base/core/retry-later'
import type { MessageContent } from './message-content'
import { pushData } from './push-message'
import { sendPush } from './send-push'

/** A push service did not accept a message. Only the status is stored, since the response may quote the address. */
class PushPostponed extends RetryLater {
  override readonly name = 'PushPostponed'
  constructor(
    readonly code: string,
    seconds: number,
  ) {
    super('The push service did not take the message.', seconds)
  }
}

class PushRefused extends PermanentFailure {
  override readonly name = 'PushRefused'
  constructor(readonly code: string) {
    super('The push service refused the message.')
  }
}

/**
 * Sends a push message to the push service of its device. Returns whether it was accepted: false when the message has
 * expired or the device is gone. Throws when it may be tried again before it expires, and when it will never be
 * accepted.
 */
export async function deliverPush(platform: Platform, content: MessageContent): Promise<boolean> {
  const data = pushData.parse(content.data)
  if (new Date(data.expires_at) <= platform.clock.now()) return false
  const [link = platform.config.baseUrl] = content.links
  const message = { title: content.subject ?? '', body: content.text, link }
  const outcome = await sendPush(platform, { content: message, data, principalId: null })
  if (outcome.kind === 'refused') throw new PushRefused(outcome.code)
  if (outcome.kind === 'postponed') throw new PushPostponed(outcome.code, outcome.retrySeconds)
  return outcome.kind === 'accepted'
}
