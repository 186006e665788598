import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import type { Platform } from '../../base/core/platform'
import { ProcessorUnreachable } from '../../base/core/processor'
import { sql } from '../../base/core/sql'
import { jobHandlers } from '../../jobs'
import type { MandateRow } from '../../oauth/mandates'
import { verifyChain } from '../../shared/audit'
import { listEntries } from '../../shared/audit/store'
import { readMessages } from '../../shared/notifications'
import { runDueJobs } from '../../shared/queue'
import type { SettlementAnswer } from './answers'
import { declineCardholderChallenge, listCardholderChallenges } from './cardholder-challenge'
import { finaliseSettlement } from './finalise'
import { refundCharge } from './refunds'
import { resolveUnknown } from './resolve-unknown'
import { findSettlementDetails } from './store'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const succeeded = (id: string) => money.webhook({ type: 'payment_intent.succeeded', object: { id } })
const refundsOf = (where: Person) =>
  money.platform.db.query<{
    payment_intent_id: string
    reason: string
    amount_minor: number
    refunded_at: Date | null
  }>(
    sql`SELECT payment_intent_id, reason, amount_minor, refunded_at FROM refunds WHERE principal_id = ${where.principalId}`,
  )
const refundedAt = (paymentIntentId: string) =>
  money.count(
    'sandbox_processor_refunds r JOIN sandbox_processor_charges c ON c.id = r.charge_id',
    sql`c.payment_intent_id = ${paymentIntentId}`,
  )

const refundEntriesOf = (where: Person) =>
  money.platform.db.query<{ actor_kind: string; payload: Record<string, unknown> }>(
    sql`SELECT actor_kind, payload::jsonb AS payload FROM audit_entries
     WHERE principal_id = ${where.principalId} AND event = 'oid4ac.payment.refunded'`,
  )

/** Makes a charge at the processor that the database does not know: another intent for the same settlement. */
async function strayCharge(person: Person, order: { settlementId: string; amountMinor?: number; currency?: string }) {
  const [card] = await money.platform.db.query<{ customer_id: string; payment_method_id: string }>(
    sql`SELECT customer_id, payment_method_id FROM card_mandates WHERE principal_id = ${person.principalId}`,
  )
  const own = randomUUID()
  const { id } = await money.sandbox.createPaymentIntent({
    settlementId: own,
    amountMinor: order.amountMinor ?? 1_000,
    currency: order.currency ?? 'EUR',
    customerId: card?.customer_id ?? '',
    paymentMethodId: card?.payment_method_id ?? '',
    connectedAccountId: null,
    applicationFeeMinor: 0,
  })
  expect(await money.sandbox.confirmPaymentIntent(id, own)).toMatchObject({ status: 'succeeded' })
  await money.platform.db.query(
    sql`UPDATE sandbox_processor_intents SET metadata = jsonb_build_object('settlement_id', ${order.settlementId}::text) WHERE id = ${id}`,
  )
  return id
}

describe('a charge that was not ordered', () => {
  test('a second charge of a settlement that succeeded is given back, once, and the person is notified', async () => {
    const person = await money.person()
    const { settlementId } = await money.settle(await money.mandate(person))
    const stray = await strayCharge(person, { settlementId })
    await Promise.all([succeeded(stray), succeeded(stray), succeeded(stray)])
    await runDueJobs(money.platform, jobHandlers)
    await succeeded(stray)
    await runDueJobs(money.platform, jobHandlers)
    expect(await refundsOf(person)).toEqual([
      { payment_intent_id: stray, reason: 'another_charge', amount_minor: 1_000, refunded_at: money.clock.now() },
    ])
    expect(await refundedAt(stray)).toBe(1)
    expect(await money.count('payments', sql`settlement_id = ${settlementId}`)).toBe(1)
    const told = (await readMessages(money.platform, 20)).filter(({ subject }) => subject?.includes('given back'))
    expect(told).toMatchObject([{ subject: '10.00 EUR is being given back to you' }])
  })

  test('a refund is one entry of the audit chain, written when the processor has made it', async () => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    const { settlementId } = await money.settle(mandate)
    const stray = await strayCharge(person, { settlementId, amountMinor: 1_200 })
    await succeeded(stray)
    expect(await refundEntriesOf(person)).toEqual([])
    await Promise.all([
      runDueJobs(money.platform, jobHandlers),
      refundCharge(money.platform, { payment_intent_id: stray }),
    ])
    await refundCharge(money.platform, { payment_intent_id: stray })
    expect(await refundEntriesOf(person)).toEqual([
      {
        actor_kind: 'processor',
        payload: {
          mandate_id: mandate.id,
          payment_intent_id: stray,
          amount_minor: 1_200,
          currency: 'EUR',
          merchant_audience: MERCHANT,
          settlement_id: settlementId,
          reason: 'another_charge',
        },
      },
    ])
    const entries = await listEntries(money.platform.db, money.tenantId, { fromSeq: 1, toSeq: 1_000 })
    expect(verifyChain(entries).intact).toBe(true)
  })

  test('a charge of a settlement that was given up is given back, and the settlement keeps its answer', async () => {
    const person = await money.person({ card: 'decline' })
    const mandate = await money.mandate(person)
    const answer = await money.settle(mandate, { key: 'given-up' })
    expect(answer.status).toBe(402)
    const good = await money.person()
    await money.platform.db.query(
      sql`UPDATE card_mandates SET payment_method_id = other.payment_method_id, customer_id = other.customer_id
         FROM card_mandates other WHERE card_mandates.principal_id = ${person.principalId} AND other.principal_id = ${good.principalId}`,
    )
    const stray = await strayCharge(person, { settlementId: answer.settlementId })
    await succeeded(stray)
    await runDueJobs(money.platform, jobHandlers)
    expect(await refundedAt(stray)).toBe(1)
    expect(await money.settle(mandate, { key: 'given-up' })).toEqual({ ...answer, replayed: true })
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(0)
  })

  test.each([
    ['amount', { amountMinor: 1_001 }],
    ['currency', { currency: 'USD' }],
  ])('a charge of another %s than was ordered is given back, and the settlement fails', async (_, difference) => {
    const person = await money.person()
    const mandate = await money.mandate(person)
    const away = money.withProcessor({
      createPaymentIntent: () => Promise.reject(new ProcessorUnreachable('away')),
    })
    await expect(money.settle(mandate, { key: `wrong-${_}` }, away)).rejects.toMatchObject({ code: 'bad_gateway' })
    const [row] = await money.platform.db.query<{ id: string }>(
      sql`SELECT id FROM settlements WHERE mandate_id = ${mandate.id}`,
    )
    const stray = await strayCharge(person, { settlementId: row?.id ?? '', ...difference })
    await succeeded(stray)
    await runDueJobs(money.platform, jobHandlers)
    expect(await refundsOf(person)).toMatchObject([{ reason: 'wrong_amount', refunded_at: expect.any(Date) }])
    expect(await refundedAt(stray)).toBe(1)
    const answer = await money.settle(mandate, { key: `wrong-${_}` })
    expect(JSON.parse(answer.body)).toMatchObject({ failure: { code: 'wrong_amount' } })
    const told = (await readMessages(money.platform, 20)).filter(({ text }) => text.includes('charged another amount'))
    expect(told.map(({ subject }) => subject)).toContain('A payment of 10.00 EUR to Tallow Books did not go through')
    for (const { text } of told) expect(text).not.toContain('Nothing was charged')
  })

  const changes = [
    ['amount', sql`amount_minor = 1001`],
    ['currency', sql`currency = 'USD'`],
  ] as const

  test.each(changes)(
    'an intent that another program gave another %s before it was confirmed is given back, and the settlement fails',
    async (changed, change) => {
      const person = await money.person()
      const mandate = await money.mandate(person)
      const key = `changed-${changed}`
      const meddled = money.withProcessor({
        confirmPaymentIntent: async (id, settlementId) => {
          await money.platform.db.query(sql`UPDATE sandbox_processor_intents SET ${change} WHERE id = ${id}`)
          return money.sandbox.confirmPaymentIntent(id, settlementId)
        },
      })
      const answer = await money.settle(mandate, { key }, meddled)
      expect(answer.status).toBe(402)
      expect(JSON.parse(answer.body)).toMatchObject({ failure: { code: 'wrong_amount' } })
      await expectGivenBackOnce(person, { mandate, key, answer })
    },
  )

  test.each(changes)(
    'an intent that another program gave another %s and confirmed is given back where it was to be closed',
    async (changed, change) => {
      const person = await money.person({ card: 'authentication_required' })
      const mandate = await money.mandate(person)
      const key = `closed-${changed}`
      await money.settle(mandate, { key }).catch(() => undefined)
      const call = money.wallet(person)
      const id = (await listCardholderChallenges(call))[0]?.settlement_id ?? expect.fail('nothing waits')
      const [intent] = await money.platform.db.query<{ payment_intent_id: string }>(
        sql`SELECT payment_intent_id FROM settlements WHERE id = ${id}`,
      )
      const paymentIntentId = intent?.payment_intent_id ?? ''
      await money.platform.db.query(sql`UPDATE sandbox_processor_intents SET ${change} WHERE id = ${paymentIntentId}`)
      expect(await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')).toBe(true)
      expect(await declineCardholderChallenge(call, { id })).toMatchObject({ status: 'failed' })
      await expectGivenBackOnce(person, { mandate, key, answer: await money.settle(mandate, { key }) })
    },
  )

  async function expectGivenBackOnce(
    person: Person,
    { mandate, key, answer }: { mandate: MandateRow; key: string; answer: SettlementAnswer },
  ) {
    const [refund] = await refundsOf(person)
    const paymentIntentId = refund?.payment_intent_id ?? expect.fail('nothing is given back')
    await succeeded(paymentIntentId)
    await runDueJobs(money.platform, jobHandlers)
    expect(await refundsOf(person)).toMatchObject([{ reason: 'wrong_amount', refunded_at: expect.any(Date) }])
    expect(await refundedAt(paymentIntentId)).toBe(1)
    expect(await money.settle(mandate, { key })).toEqual({ ...answer, replayed: true })
    expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(0)
  }

  test('a charge is given back as soon as the processor can be reached again, and at most once', async () => {
    const person = await money.person()
    const { settlementId } = await money.settle(await money.mandate(person))
    const stray = await strayCharge(person, { settlementId })
    await succeeded(stray)
    const broken: Platform = money.withProcessor({
      refundPayment: async (id) => {
        await money.sandbox.refundPayment(id)
        throw new ProcessorUnreachable('the answer was lost')
      },
    })
    await runDueJobs(broken, jobHandlers)
    expect(await refundsOf(person)).toMatchObject([{ refunded_at: null }])
    expect(await refundEntriesOf(person)).toEqual([])
    money.clock.advance(3_600)
    await runDueJobs(money.platform, jobHandlers)
    expect(await refundsOf(person)).toMatchObject([{ refunded_at: expect.any(Date) }])
    expect(await refundedAt(stray)).toBe(1)
    expect(await refundEntriesOf(person)).toHaveLength(1)
  })

  test('a charge that succeeds after its settlement has failed is not recorded but given back', async () => {
    const person = await money.person({ card: 'timeout' })
    const mandate = await money.mandate(person)
    await money.settle(mandate, { key: 'late' }).catch(() => undefined)
    const [row] = await money.platform.db.query<{ id: string; payment_intent_id: string }>(
      sql`SELECT id, payment_intent_id FROM settlements WHERE mandate_id = ${mandate.id}`,
    )
    const settlement = (await findSettlementDetails(money.platform.db, row?.id ?? '')) ?? expect.fail('no settlement')
    await finaliseSettlement(
      { platform: money.platform, mover: 'resolver', settlement },
      {
        status: 'failed',
        code: 'canceled',
        paymentIntentId: row?.payment_intent_id ?? '',
        closed: true,
      },
    )
    money.clock.advance(3_600)
    await succeeded(row?.payment_intent_id ?? '')
    await runDueJobs(money.platform, jobHandlers)
    expect(await refundsOf(person)).toMatchObject([{ reason: 'settlement_failed' }])
    expect(await refundedAt(row?.payment_intent_id ?? '')).toBe(1)
    await resolveUnknown(money.platform)
    expect(
      await money.count('payments', sql`principal_id = ${person.principalId} AND merchant_audience = ${MERCHANT}`),
    ).toBe(0)
  })
})
