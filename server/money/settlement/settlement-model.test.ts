import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertTenant, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { ProcessorUnreachable } from '../../base/core/processor'
import { sql } from '../../base/core/sql'
import type { TestCardName } from '../../base/platform/processor/sandbox-cards'
import type { MandateRow } from '../../oauth/mandates'
import { verifyChain } from '../../shared/audit'
import { listEntries } from '../../shared/audit/store'
import { saveAgentLimits, saveLimits } from '../../wallet/limits'
import { CHALLENGE_SECONDS } from './bounds'
import { checkCardholderChallenge, declineCardholderChallenge } from './cardholder-challenge'
import { resolveUnknown } from './resolve-unknown'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const faults = [
  'none',
  'create_fails',
  'create_loses_answer',
  'confirm_fails',
  'confirm_loses_answer',
  'cancel_fails',
  'cancel_loses_answer',
] as const
type Fault = (typeof faults)[number]
type Step =
  | { kind: 'settle'; amountMinor: number; fault: Fault; copies: number; agent: number }
  | { kind: 'retry'; which: number; fault: Fault }
  | { kind: 'resettle'; which: number; fault: Fault }
  | { kind: 'webhook'; which: number }
  | { kind: 'bank'; which: number; answer: 'succeed' | 'fail' | 'decline' | 'look'; fault: Fault }
  | { kind: 'resolve'; fault: Fault }
  | { kind: 'wait'; seconds: number }

const fault = fc.constantFrom<Fault>(...faults)
const which = fc.nat({ max: 9 })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('settle' as const),
    amountMinor: fc.integer({ min: 1, max: 400 }),
    fault,
    copies: fc.integer({ min: 1, max: 3 }),
    agent: fc.nat({ max: 1 }),
  }),
  fc.record({ kind: fc.constant('retry' as const), which, fault }),
  fc.record({ kind: fc.constant('resettle' as const), which, fault }),
  fc.record({ kind: fc.constant('webhook' as const), which }),
  fc.record({
    kind: fc.constant('bank' as const),
    which,
    answer: fc.constantFrom('succeed' as const, 'fail' as const, 'decline' as const, 'look' as const),
    fault,
  }),
  fc.record({ kind: fc.constant('resolve' as const), fault }),
  fc.record({
    kind: fc.constant('wait' as const),
    seconds: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constant(CHALLENGE_SECONDS)),
  }),
)

/** Returns a platform whose processor fails in a way that leaves the outcome unknown to the caller. */
function faulty(kind: Fault): Platform {
  const lost = () => new ProcessorUnreachable(kind)
  switch (kind) {
    case 'none':
      return money.platform
    case 'create_fails':
      return money.withProcessor({ createPaymentIntent: () => Promise.reject(lost()) })
    case 'confirm_fails':
      return money.withProcessor({ confirmPaymentIntent: () => Promise.reject(lost()) })
    case 'create_loses_answer':
      return money.withProcessor({
        createPaymentIntent: async (request) => {
          await money.sandbox.createPaymentIntent(request)
          throw lost()
        },
      })
    case 'cancel_fails':
      return money.withProcessor({ cancelPaymentIntent: () => Promise.reject(lost()) })
    case 'cancel_loses_answer':
      return money.withProcessor({
        cancelPaymentIntent: async (id) => {
          await money.sandbox.cancelPaymentIntent(id)
          throw lost()
        },
      })
    case 'confirm_loses_answer':
      return money.withProcessor({
        confirmPaymentIntent: async (id, settlementId) => {
          await money.sandbox.confirmPaymentIntent(id, settlementId)
          throw lost()
        },
      })
  }
}

interface Attempt {
  readonly mandate: MandateRow
  readonly key: string
}

const CAP = 1_000
/** The daily cap of the first of two agents; the other has none of its own. */
const AGENT_CAP = 600
const refusals = new Set(['bad_gateway', 'limit_exceeded', 'mandate_consumed', 'invalid_token', 'step_up_required'])

class World {
  readonly attempts: Attempt[] = []
  /** The final answer of each key, once a request has received it. */
  readonly answers = new Map<string, string>()

  constructor(
    readonly person: Person,
    readonly agents: readonly string[],
    readonly label: string,
  ) {}

  async run(command: Step): Promise<void> {
    switch (command.kind) {
      case 'settle': {
        const agentId = this.agents[command.agent] ?? this.person.agentId
        const mandate = await money.mandate(this.person, { amountMinor: command.amountMinor, agentId })
        const attempt = { mandate, key: `${this.label}-${this.attempts.length}` }
        this.attempts.push(attempt)
        await Promise.all(Array.from({ length: command.copies }, () => this.#settle(attempt, command.fault)))
        return
      }
      case 'retry':
        return this.#with(command.which, (attempt) => this.#settle(attempt, command.fault))
      case 'resettle':
        return this.#with(command.which, async ({ mandate }) => {
          const attempt = { mandate, key: `${this.label}-${this.attempts.length}` }
          this.attempts.push(attempt)
          await this.#settle(attempt, command.fault)
        })
      case 'webhook':
        return this.#with(command.which, ({ key }) => this.#webhook(key))
      case 'bank':
        return this.#with(command.which, ({ key }) => this.#answerBank(key, command))
      case 'resolve':
        await resolveUnknown(faulty(command.fault))
        return
      case 'wait':
        money.clock.advance(command.seconds)
    }
  }

  async #with(index: number, work: (attempt: Attempt) => Promise<void>): Promise<void> {
    const attempt = this.attempts[index % Math.max(1, this.attempts.length)]
    if (attempt !== undefined) await work(attempt)
  }

  async #settle({ mandate, key }: Attempt, kind: Fault): Promise<void> {
    try {
      const { body } = await money.settle(mandate, { key }, faulty(kind))
      if ((this.answers.get(key) ?? body) !== body) throw new Error(`${key} has two answers`)
      this.answers.set(key, body)
    } catch (error) {
      const { code } = error as { code?: string }
      if (!refusals.has(code ?? '')) throw error
      if (this.answers.has(key)) throw new Error(`${key} lost its final answer`, { cause: error })
    }
  }

  async #webhook(key: string): Promise<void> {
    const [row] = await money.platform.db.query<{ id: string }>(
      sql`SELECT i.id FROM settlements s JOIN sandbox_processor_intents i ON i.settlement_id = s.id
        WHERE s.idempotency_key = ${key} AND i.status <> 'requires_confirmation'`,
    )
    if (row !== undefined)
      await money.webhook({ type: 'payment_intent.succeeded', object: { id: row.id } }).catch(() => undefined)
  }

  /**
   * Answers the bank, or declines or checks the payment in the portal, where the bank had asked; an answer that comes
   * too late changes nothing.
   */
  async #answerBank(key: string, { answer, fault: kind }: Extract<Step, { kind: 'bank' }>): Promise<void> {
    const [row] = await money.platform.db.query<{ id: string; payment_intent_id: string | null; asked: boolean }>(
      sql`SELECT id, payment_intent_id, action_until IS NOT NULL AS asked FROM settlements WHERE idempotency_key = ${key}`,
    )
    if (row?.asked !== true) return
    const call = money.wallet(this.person, faulty(kind))
    const isUnreachable = (error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'bad_gateway') throw error
    }
    if (answer === 'decline') await declineCardholderChallenge(call, { id: row.id }).catch(isUnreachable)
    else if (answer === 'look') await checkCardholderChallenge(call, { id: row.id }).catch(isUnreachable)
    else await money.sandbox.authenticatePayment(row.payment_intent_id ?? '', answer)
  }

  /** Runs the resolver with a working processor, for longer than a cardholder may take to answer. */
  async settleDown(): Promise<void> {
    for (let turn = 0; turn < 5; turn += 1) {
      money.clock.advance(CHALLENGE_SECONDS / 3)
      await resolveUnknown(money.platform)
    }
  }
}

interface Totals {
  settled: number
  failed: number
  open: number
  settled_minor: number
  held_minor: number
  charged_minor: number
  charges: number
  paid_minor: number
  spent_minor: number
  reserved_minor: number
}

async function totalsOf(principalId: string): Promise<Totals> {
  const [row] = await money.platform.db.query<Totals>(
    sql`SELECT count(*) FILTER (WHERE s.state = 'succeeded') AS settled, count(*) FILTER (WHERE s.state = 'failed') AS failed,
            count(*) FILTER (WHERE s.state NOT IN ('succeeded', 'failed')) AS open,
            coalesce(sum(s.amount_minor) FILTER (WHERE s.state = 'succeeded'), 0)::bigint AS settled_minor,
            coalesce(sum(s.amount_minor) FILTER (WHERE s.state NOT IN ('succeeded', 'failed')), 0)::bigint AS held_minor,
            coalesce(sum(c.amount_minor), 0)::bigint AS charged_minor, count(c.id) AS charges,
            coalesce(sum(p.amount_minor), 0)::bigint AS paid_minor,
            coalesce((SELECT sum(k.spent_minor) FROM spend_counters k WHERE k.principal_id = ${principalId}), 0)::bigint AS spent_minor,
            coalesce((SELECT sum(k.reserved_minor) FROM spend_counters k WHERE k.principal_id = ${principalId}), 0)::bigint AS reserved_minor
       FROM settlements s LEFT JOIN sandbox_processor_charges c ON c.settlement_id = s.id
       LEFT JOIN payments p ON p.settlement_id = s.id WHERE s.principal_id = ${principalId}`,
  )
  return row ?? expect.fail('no totals')
}

interface AgentTotals {
  settled_minor: number
  held_minor: number
  spent_minor: number
  reserved_minor: number
}

/** Returns the sums of each agent's settlements and the values of its counters, in the order of `agents`. */
async function totalsOfAgents(agents: readonly string[]): Promise<AgentTotals[]> {
  return money.platform.db.query<AgentTotals>(
    sql`SELECT coalesce(s.settled_minor, 0)::bigint AS settled_minor, coalesce(s.held_minor, 0)::bigint AS held_minor,
            coalesce(k.spent_minor, 0)::bigint AS spent_minor, coalesce(k.reserved_minor, 0)::bigint AS reserved_minor
       FROM unnest(${agents}::text[]) WITH ORDINALITY AS a (id, place)
       LEFT JOIN (SELECT client_id, sum(amount_minor) FILTER (WHERE state = 'succeeded') AS settled_minor,
                         sum(amount_minor) FILTER (WHERE state NOT IN ('succeeded', 'failed')) AS held_minor
                    FROM settlements GROUP BY client_id) s ON s.client_id = a.id
       LEFT JOIN (SELECT client_id, sum(spent_minor) AS spent_minor, sum(reserved_minor) AS reserved_minor
                    FROM agent_spend_counters GROUP BY client_id) k ON k.client_id = a.id
      ORDER BY a.place`,
  )
}

async function expectExactAgents(agents: readonly string[]): Promise<void> {
  const totals = await totalsOfAgents(agents)
  for (const total of totals) {
    expect([total.reserved_minor, total.spent_minor]).toEqual([total.held_minor, total.settled_minor])
  }
  const [first] = totals
  expect((first?.settled_minor ?? 0) + (first?.held_minor ?? 0)).toBeLessThanOrEqual(AGENT_CAP)
}

describe('settlements that fail, are repeated or come late', () => {
  test('books, processor, counters, payments and audit agree after any failures, and no cap is broken', async () => {
    let round = 0
    const card = fc.constantFrom<TestCardName>('success', 'timeout', 'decline', 'authentication_required')
    await fc.assert(
      fc.asyncProperty(card, fc.array(step, { minLength: 1, maxLength: 14 }), async (cardName, steps) => {
        round += 1
        const tenantId = await insertTenant(money.platform)
        const person = await money.person({ card: cardName, tenantId })
        await saveLimits.verb(money.wallet(person), { daily_cap_minor: CAP, currency: 'EUR' })
        const agents = [person.agentId, await money.agent(person.principalId)]
        await saveAgentLimits.verb(money.wallet(person), {
          client_id: person.agentId,
          daily_cap_minor: AGENT_CAP,
          currency: 'EUR',
        })
        const world = new World(person, agents, `round-${round}`)
        for (const command of steps) {
          await world.run(command)
          const now = await totalsOf(person.principalId)
          expect([now.reserved_minor, now.spent_minor]).toEqual([now.held_minor, now.settled_minor])
          expect(now.settled_minor + now.held_minor).toBeLessThanOrEqual(CAP)
          await expectExactAgents(agents)
        }
        await world.settleDown()
        await expectExactAgents(agents)
        const end = await totalsOf(person.principalId)
        expect(end.open).toBe(0)
        expect(end.charges).toBe(end.settled)
        expect([end.charged_minor, end.paid_minor, end.spent_minor]).toEqual(Array(3).fill(end.settled_minor))
        const doubles = await money.platform.db.query(
          sql`SELECT mandate_id FROM settlements WHERE principal_id = ${person.principalId} AND state = 'succeeded' GROUP BY mandate_id HAVING count(*) > 1`,
        )
        expect(doubles).toEqual([])
        const entries = await listEntries(money.platform.db, tenantId, { fromSeq: 1, toSeq: 1_000 })
        expect(verifyChain(entries).intact).toBe(true)
        expect(entries.filter(({ event }) => event === 'oid4ac.payment.succeeded')).toHaveLength(end.settled)
        expect(entries.filter(({ event }) => event === 'oid4ac.payment.failed')).toHaveLength(end.failed)
      }),
      { numRuns: 40, endOnFailure: true },
    )
  }, 120_000)
})
