import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import { announceChange } from '../../base/core/announce-change'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { failpoint } from '../../base/core/failpoints'
import { requireWebhookSignature } from '../../base/platform/processor/webhook-signature'
import { parseJsonObject } from '../../base/protocol/encoding'
import { type ProcessorEvent, processorEvent, type receiveWebhookEndpoint } from './contract'
import { prepareEffect } from './effects'
import { consumeEvent, isKnownEvent } from './store'

type Receive = typeof receiveWebhookEndpoint

/**
 * Receives one event of the card processor: checks its signature, asks the processor about its subject, and then
 * consumes the event's id and applies the effect in one transaction. A crash before the commit loses nothing, because
 * the processor sends again; afterwards the event is a duplicate.
 */
export async function receiveWebhook(call: AnonymousCall, input: InputOf<Receive>): Promise<OutputOf<Receive>> {
  const { platform } = call
  requireSignature(call, input)
  const event = parseEvent(input.rawBody)
  if (await isKnownEvent(platform.db, event.id)) return { received: true, event_id: event.id, duplicate: true }
  const effect = await prepareEffect(call, event)
  const handled = await platform.db.transaction(async (tx) => {
    const isFirst = await consumeEvent(tx, { id: event.id, type: event.type, now: call.now })
    if (!isFirst) return null
    await failpoint('webhook.after_dedup_insert')
    const changed = (await effect?.apply(tx)) ?? false
    await failpoint('webhook.before_commit')
    return { changed }
  })
  await failpoint('webhook.after_commit')
  if (handled === null) return { received: true, event_id: event.id, duplicate: true }
  if (handled.changed && effect !== null) await announceChange(platform, effect.principalId)
  return { received: true, event_id: event.id }
}

function requireSignature({ platform, now }: AnonymousCall, { headers, rawBody }: InputOf<Receive>): void {
  const secret = platform.config.secrets.processorWebhook
  if (secret === '') throw new ServiceError('service_unavailable', 'The webhook is not configured.')
  const header = headers['processor-signature'] ?? headers['stripe-signature']
  requireWebhookSignature({ header, name: 'Processor-Signature', body: rawBody, secret, now })
}

function parseEvent(rawBody: Buffer): ProcessorEvent {
  try {
    return processorEvent.parse(parseJsonObject(rawBody))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The event is malformed.', { cause })
  }
}
