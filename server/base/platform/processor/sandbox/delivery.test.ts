import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '@/test/support/database'
import { FAKE_PUBLISHABLE_KEY, FAKE_SECRET_KEY, type ServedFake, serveStripeFake } from '@/test/support/stripe-fake'
import { sql } from '../../../core/sql'
import type { OpenDatabase } from '../../database/client'
import { createStripeProcessor } from '../stripe'

const SECRET = 'whsec_0123456789abcdef'
const stripe = new Stripe(FAKE_SECRET_KEY)
const NOW = new Date('2026-11-22T10:00:00Z')

interface Delivery {
  readonly path: string
  readonly signature: string
  readonly body: string
}

let db: OpenDatabase
let fake: ServedFake
let receiver: Server
let receiverUrl: string
let deliveries: Delivery[] = []
/** Runs in the receiver before it answers; returns the status. */
let onDelivery: (delivery: Delivery) => Promise<number> = async () => 200

beforeAll(async () => {
  db = await openTestDatabase()
  receiver = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array))
      const signature = String(request.headers['processor-signature'])
      const delivery = { path: request.url ?? '', signature, body: Buffer.concat(chunks).toString() }
      deliveries.push(delivery)
      response.writeHead(await onDelivery(delivery)).end()
    })()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const clock = { now: () => NOW }
  fake = await serveStripeFake({ db, clock, webhookBaseUrl: receiverUrl, webhookSecret: SECRET })
})
afterAll(async () => {
  receiver.closeAllConnections()
  await new Promise((resolve) => receiver.close(resolve))
  await fake.close()
  await db.close()
})
beforeEach(() => {
  deliveries = []
  onDelivery = async () => 200
})

let count = 0
/** Pays this amount and returns the intent's id once the confirmation is answered. */
async function pay(amountMinor: number): Promise<string> {
  const processor = createStripeProcessor({
    kind: 'stripe',
    secretKey: FAKE_SECRET_KEY,
    publishableKey: FAKE_PUBLISHABLE_KEY,
    apiBase: fake.url,
  })
  const settlementId = `stl-${(count += 1)}`
  const customerId = await processor.createCustomer('somebody')
  const setup = await processor.createSetupIntent({ principalId: 'somebody', customerId, idempotencyKey: settlementId })
  await fake.enterCard({ setupIntentId: setup.id, card: 'success', deliveries: 0 })
  const paymentMethodId = (await processor.retrieveSetupIntent(setup.id))?.card?.paymentMethodId ?? ''
  const order = { currency: 'EUR', customerId, paymentMethodId, connectedAccountId: null, applicationFeeMinor: 0 }
  const { id } = await processor.createPaymentIntent({ settlementId, amountMinor, ...order })
  await processor.confirmPaymentIntent(id, settlementId)
  return id
}
const about = (id: string) => deliveries.filter(({ body }) => body.includes(`"${id}"`))

describe('a webhook', () => {
  test('a webhook is one that Stripe’s SDK takes for genuine, and reads as an event', async () => {
    const seen = new Promise<Delivery>((resolve) => {
      onDelivery = async (delivery) => {
        resolve(delivery)
        return 200
      }
    })
    const id = await pay(1_000)
    const { path, body, signature } = await seen
    expect(path).toBe('/webhooks/stripe')
    const event = stripe.webhooks.constructEvent(body, signature, SECRET, 300, undefined, NOW.getTime())
    expect(event).toMatchObject({
      object: 'event',
      type: 'payment_intent.succeeded',
      livemode: false,
      data: { object: { id, object: 'payment_intent', status: 'succeeded', amount: 1_000, currency: 'eur' } },
    })
  })

  test('a webhook of the amount 402003 is there before the confirmation is answered', async () => {
    const id = await pay(402_003)
    expect(about(id)).toHaveLength(1)
  })

  test('a webhook of the amount 402004 comes twice, the second before the first is answered', async () => {
    const both = new Promise<void>((resolve) => {
      let waiting = 0
      onDelivery = async () => {
        waiting += 1
        if (waiting === 2) resolve()
        await both
        return 200
      }
    })
    const id = await pay(402_004)
    await both
    expect(new Set(about(id).map(({ body }) => body)).size).toBe(1)
    expect(about(id)).toHaveLength(2)
  })

  test('an undeliverable webhook does not delay the answer to the confirmation', async () => {
    onDelivery = async () => 500
    const id = await pay(402_003)
    expect(about(id)).toHaveLength(1)
    const [event] = await db.query<{ deliveries_left: number }>(
      sql`SELECT deliveries_left FROM sandbox_processor_events WHERE body LIKE ${`%"${id}"%`}`,
    )
    expect(event?.deliveries_left).toBe(1)
  })
})
