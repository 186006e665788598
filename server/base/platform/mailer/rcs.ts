import { outsideRequests } from '../../core/outside-requests'
import { PermanentFailure } from '../../core/permanent-failure'
import type { Carrier, Config, Message } from '../../core/platform'

const TIMEOUT_MILLISECONDS = 10_000
/** The longest text that the carrier accepts (RCS Business Messaging, AgentContentMessage). */
const TEXT_MAX_CHARS = 3_072

/** A retryable failure, by the carrier's HTTP status and without its message, which may quote the phone number. */
class RcsFailure extends Error {
  override readonly name: string = 'RcsFailure'
  readonly code: string
  constructor(status: number) {
    super(`The RCS carrier answered ${status}.`)
    this.code = `HTTP_${status}`
  }
}

class RcsRefusal extends PermanentFailure {
  override readonly name = 'RcsRefusal'
  readonly code: string
  constructor(status: number) {
    super(`The RCS carrier answered ${status}.`)
    this.code = `HTTP_${status}`
  }
}

/**
 * Creates a carrier that sends RCS messages through the RCS Business Messaging API (phones.agentMessages.create), with
 * the message's id, by which the API detects a repeated one. A number that cannot be reached and a message that is
 * malformed are permanent failures; anything else may be tried again.
 */
export function createRcsMailer(
  { apiUrl, apiToken, agentId }: NonNullable<Config['rcs']>,
  timeout = TIMEOUT_MILLISECONDS,
): Carrier {
  return {
    async deliver(message) {
      const query = new URLSearchParams({ messageId: message.id, agentId })
      const url = `${apiUrl}/v1/phones/${encodeURIComponent(message.to)}/agentMessages?${query}`
      const response = await outsideRequests(() =>
        fetch(url, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ contentMessage: contentOf(message) }),
          redirect: 'error',
          signal: AbortSignal.timeout(timeout),
        }),
      )
      await response.body?.cancel()
      // 409 ALREADY_EXISTS: an earlier try arrived, but its answer was lost.
      if (response.ok || response.status === 409) return
      throw response.status === 400 || response.status === 404
        ? new RcsRefusal(response.status)
        : new RcsFailure(response.status)
    },
  }
}

function contentOf({ text, links, data }: Message) {
  const suggestions = [...decisions(data), ...links.slice(0, 1).map(opening)]
  return { text: text.slice(0, TEXT_MAX_CHARS), ...(suggestions.length > 0 && { suggestions }) }
}

/** Returns the two buttons of a limit request: the carrier posts the value of the pressed one to the callback. */
function decisions(data: Message['data']) {
  if (data === null || typeof data['bump_id'] !== 'string' || typeof data['token'] !== 'string') return []
  const { bump_id, token } = data
  const button = (text: string, action: 'approve' | 'decline') => ({
    reply: { text, postbackData: JSON.stringify({ bump_id, action, token }) },
  })
  return [button('Approve', 'approve'), button('Decline', 'decline')]
}

function opening(url: string) {
  return { action: { text: 'Open', postbackData: 'open', openUrlAction: { url } } }
}
