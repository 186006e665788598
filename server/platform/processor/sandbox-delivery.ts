import type { Clock, Database } from '@/server/core/platform'
import { signWebhook } from '@/server/protocol/webhook-signature'
import { claimDueEvents, type DueEvent, noteDelivered } from './sandbox-store'

const DELIVERY_TIMEOUT_MILLISECONDS = 10_000

interface DeliveryParts {
  readonly db: Database
  readonly clock: Clock
  readonly webhookSecret: string
}

/** Sends the webhooks that are due; what is not answered with 2xx is due again later. Returns how many were due. */
export async function deliverDueEvents(parts: DeliveryParts, baseUrl: string): Promise<number> {
  const due = await claimDueEvents(parts.db, parts.clock.now())
  await Promise.all(due.map((event) => deliver(parts, event, `${baseUrl}/webhooks/stripe`)))
  return due.length
}

/** An event that is wanted several times is sent that many times at once. */
async function deliver(parts: DeliveryParts, event: DueEvent, url: string): Promise<void> {
  const answers = await Promise.all(Array.from({ length: event.deliveries_left }, () => send(parts, event.body, url)))
  const taken = answers.filter(Boolean).length
  if (taken > 0) await noteDelivered(parts.db, event.id, taken)
}

async function send({ webhookSecret, clock }: DeliveryParts, body: string, url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'processor-signature': signWebhook({ body, secret: webhookSecret, now: clock.now() }),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(DELIVERY_TIMEOUT_MILLISECONDS),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
