import { createServer, type IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'
import { openDatabase } from '@/server/base/platform/database/client'
import { migrate } from '@/server/base/platform/database/migrate'
import { createControls } from '@/server/base/platform/processor/sandbox/controls'
import { createStripeFake } from '@/server/base/platform/processor/sandbox/fake'
import { insertCard, insertCustomer } from '@/server/base/platform/processor/sandbox/store'
import type { TestCardName } from '@/server/base/platform/processor/sandbox-cards'
import { systemRandomness } from '@/server/base/platform/random'
import { createDatabase, listen } from '../processes/cluster'
import type { ChargeRow } from './evidence'
import type { Card } from './population'
import { dropDatabase } from './scratch'

export const PROCESSOR_KEY = 'sk_test_0123456789abcdef'
const PUBLISHABLE_KEY = 'pk_test_0123456789abcdef'
const DELIVER_EVERY_MS = 100

interface BooksOptions {
  readonly clock: Clock
  /** Takes the events, as an origin. */
  readonly webhookTarget: string
  readonly webhookSecret: string
}

/** The card processor over HTTP, with a database of its own that no server sees. */
export interface Books {
  readonly baseUrl: string
  /** A card on file that behaves as its name says. */
  card(principalId: string, behaviour: TestCardName): Promise<Card>
  charges(): Promise<ChargeRow[]>
  /** Lets every cardholder who is asked by their bank answer it. */
  answerCardholders(): Promise<void>
  /** Opens a dispute about a charge, or closes it. */
  dispute(paymentIntentId: string, status: 'pending' | 'won' | 'lost'): Promise<unknown>
  /** Plays the cardholder who enters a card under a setup intent. */
  enrol(setupIntentId: string, card: TestCardName): Promise<void>
  /** How the processor's disputes stand, by payment intent. */
  disputes(): Promise<ReadonlyMap<string, string>>
  close(): Promise<void>
}

export async function openBooks({ clock, webhookTarget, webhookSecret }: BooksOptions): Promise<Books> {
  const databaseUrl = await createDatabase()
  const db = await openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 20 })
  await migrate(db)
  const parts = {
    db,
    clock,
    random: systemRandomness,
    secretKey: PROCESSOR_KEY,
    publishableKey: PUBLISHABLE_KEY,
    webhookBaseUrl: webhookTarget,
    webhookSecret,
  }
  const controls = createControls(parts)
  const answer = createStripeFake(parts)
  const server = createServer((incoming, outgoing) => {
    respond(incoming, answer).then(
      ({ status, headers, body }) => outgoing.writeHead(status, headers).end(body),
      () => outgoing.writeHead(500).end(),
    )
  })
  const baseUrl = `http://127.0.0.1:${await listen(server)}`
  const closing = new AbortController()
  const delivering = deliverUntil(closing.signal, () => controls.deliverDueEvents(webhookTarget))
  return {
    baseUrl,
    card: async (principalId, behaviour) => {
      const [customerId, paymentMethodId] = [`cus_${parts.random.token(12)}`, `pm_${parts.random.token(12)}`]
      const now = clock.now()
      await insertCustomer(db, { id: customerId, metadata: { principal_id: principalId }, created_at: now })
      await insertCard(db, {
        payment_method_id: paymentMethodId,
        customer_id: customerId,
        behaviour,
        brand: 'visa',
        last4: '4242',
        exp_month: 12,
        exp_year: 2040,
        detached_at: null,
        created_at: now,
      })
      return { customerId, paymentMethodId, setupIntentId: `seti_${parts.random.token(12)}` }
    },
    charges: () =>
      db.query<ChargeRow>(
        sql`SELECT c.payment_intent_id AS "paymentIntentId", i.metadata->>'settlement_id' AS "settlementId",
                c.amount_minor AS "amountMinor", upper(c.currency) AS currency, i.connected_account_id AS destination,
                coalesce(i.application_fee_minor, 0) AS "feeMinor", r.id IS NOT NULL AS "isRefunded"
           FROM sandbox_processor_charges c JOIN sandbox_processor_intents i ON i.id = c.payment_intent_id
           LEFT JOIN sandbox_processor_refunds r ON r.charge_id = c.id`,
      ),
    answerCardholders: async () => {
      const asked = await db.query<{ id: string }>(
        sql`SELECT id FROM sandbox_processor_intents
          WHERE kind = 'payment' AND (status = 'requires_action' OR
                (status = 'requires_payment_method' AND failure_code = 'authentication_required')) ORDER BY id`,
      )
      for (const [index, { id }] of asked.entries()) {
        await controls.authenticatePayment(id, index % 3 === 0 ? 'fail' : 'succeed')
      }
    },
    dispute: (paymentIntentId, status) => controls.openDispute(paymentIntentId, status),
    enrol: async (setupIntentId, card) => {
      await controls.enterCard({ setupIntentId, card })
    },
    disputes: async () => {
      const rows = await db.query<{ intent: string; status: string }>(
        sql`SELECT c.payment_intent_id AS intent, d.status
           FROM sandbox_processor_disputes d JOIN sandbox_processor_charges c ON c.id = d.charge_id`,
      )
      return new Map(rows.map(({ intent, status }) => [intent, status]))
    },
    close: async () => {
      closing.abort()
      server.closeAllConnections()
      server.close()
      await delivering
      await db.close()
      await dropDatabase(databaseUrl)
    },
  }
}

async function deliverUntil(signal: AbortSignal, deliver: () => Promise<number>): Promise<void> {
  while (!signal.aborted) {
    const due = await deliver().catch(() => 0)
    if (due === 0) await delay(DELIVER_EVERY_MS, null, { signal }).catch(() => null)
  }
}

async function respond(incoming: IncomingMessage, answer: (request: Request) => Promise<Response>) {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const method = incoming.method ?? 'GET'
  const request = new Request(`http://processor${incoming.url ?? '/'}`, {
    method,
    headers: Object.entries(incoming.headersDistinct).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    ),
    ...(method === 'GET' ? {} : { body: Buffer.concat(chunks) }),
  })
  const response = await answer(request)
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(response.headers), body }
}
