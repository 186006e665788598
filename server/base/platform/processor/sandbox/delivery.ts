import { outsideRequests } from '../../../core/outside-requests'
import { signWebhook } from '../webhook-signature'
import type { EventSource, FakeParts } from './context'
import { claimDueEvents, type DueEvent, findEvent, noteDelivered } from './event-store'

const DELIVERY_TIMEOUT_MILLISECONDS = 10_000
/** The longest time that the answer to a confirmation waits for its own webhook. */
const FIRST_DELIVERY_TIMEOUT_MILLISECONDS = 4_000

type DeliveryParts = Pick<FakeParts, 'db' | 'clock' | 'webhookSecret'>

/**
 * Runs `work` in a transaction and sends the events that it wrote: some before it returns, the rest soon after.
 * Failures are ignored, because `deliverDueEvents` sends those events again.
 */
export async function withEvents<T>(
  parts: FakeParts,
  request: Pick<EventSource, 'requestId' | 'idempotencyKey'>,
  work: (source: EventSource) => Promise<T>,
): Promise<T> {
  const { db, clock, random, webhookBaseUrl: url } = parts
  const done = await db.transaction(async (tx) => {
    const source = { tx, clock, random, ...request, announced: [], deliverFirst: [] }
    return { result: await work(source), announced: source.announced, deliverFirst: source.deliverFirst }
  })
  if (url !== null && done.announced.length > 0) {
    await Promise.all(done.deliverFirst.map((id) => deliverEvent(parts, id, url)))
    setImmediate(() => void deliverDueEvents(parts, url).catch(() => undefined))
  }
  return done.result
}

/** Sends the due webhooks; those not answered with 2xx become due again later. Returns how many were due. */
export async function deliverDueEvents(parts: DeliveryParts, baseUrl: string): Promise<number> {
  const due = await claimDueEvents(parts.db, parts.clock.now())
  await Promise.all(due.map((event) => deliver(parts, event, { baseUrl, timeout: DELIVERY_TIMEOUT_MILLISECONDS })))
  return due.length
}

/** Sends one event now, whether it is due or not. */
async function deliverEvent(parts: DeliveryParts, eventId: string, baseUrl: string): Promise<void> {
  const event = await findEvent(parts.db, eventId)
  if (event !== null) await deliver(parts, event, { baseUrl, timeout: FIRST_DELIVERY_TIMEOUT_MILLISECONDS })
}

interface Target {
  readonly baseUrl: string
  readonly timeout: number
}

/** Sends an event as many times at once as it has deliveries left, and records those that were accepted. */
async function deliver(parts: DeliveryParts, event: DueEvent, target: Target): Promise<void> {
  const copies = Array.from({ length: event.deliveries_left }, () => send(parts, event.body, target))
  const answers = await Promise.all(copies)
  const taken = answers.filter(Boolean).length
  if (taken > 0) await noteDelivered(parts.db, event.id, taken)
}

async function send(
  { webhookSecret, clock }: DeliveryParts,
  body: string,
  { baseUrl, timeout }: Target,
): Promise<boolean> {
  try {
    const answer = await outsideRequests(() =>
      fetch(`${baseUrl}/webhooks/stripe`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'processor-signature': signWebhook({ body, secret: webhookSecret, now: clock.now() }),
        },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(timeout),
      }),
    )
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
