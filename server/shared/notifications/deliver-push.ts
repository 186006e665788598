import { PermanentFailure } from '../../base/core/permanent-failure'
import type { Platform } from '../../base/core/platform'
import { RetryLater } from '../../base/core/retry-later'
import type { MessageContent } from './message-content'
import { pushData } from './push-message'
import { sendPush } from './send-push'

/** A push service did not take a message; its answer may quote the address, so that only the status is kept. */
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
 * Hands a push message to the push service of its device. Returns whether it was taken: not when nobody needs it any
 * more, or when the device is gone. Throws when it may be tried again before it ends, and when it never will be taken.
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
