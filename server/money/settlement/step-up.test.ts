import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import type { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { ProcessorUnreachable } from '../../base/core/processor'
import { type Sql, sql } from '../../base/core/sql'
import { readMessages } from '../../shared/notifications'
import { CHALLENGE_SECONDS } from './bounds'
import {
  announceStop,
  checkCardholderChallenge,
  declineCardholderChallenge,
  listCardholderChallenges,
  readCardholderChallenge,
} from './cardholder-challenge'
import { resolveUnknown } from './resolve-unknown'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

/** Creates a settlement whose bank has asked for the cardholder. */
async function asked(options: { person?: Person } = {}) {
  const person = options.person ?? (await money.person({ card: 'authentication_required' }))
  const mandate = await money.mandate(person, { amountMinor: 1_200 })
  const again = (platform?: Platform) => money.settle(mandate, { key: `key-${mandate.id}` }, platform)
  const refusal = await again().then(
    () => expect.fail('not refused'),
    (error: ServiceError) => error,
  )
  const id = String(refusal.members['settlement_id'])
  const [row] = await money.platform.db.query<{ payment_intent_id: string }>(
    sql`SELECT payment_intent_id FROM settlements WHERE id = ${id}`,
  )
  const call = money.wallet(person)
  return { person, mandate, again, refusal, id, paymentIntentId: row?.payment_intent_id ?? '', call }
}

const resolve = async (seconds: number) => {
  money.clock.advance(seconds)
  await resolveUnknown(money.platform)
}
const chargesOf = (id: string) => money.count('sandbox_processor_charges', sql`settlement_id = ${id}`)
const heldBy = async ({ principalId }: Person) => {
  const [row] = await money.platform.db.query<{ reserved_minor: number; spent_minor: number }>(
    sql`SELECT reserved_minor, spent_minor FROM spend_counters WHERE principal_id = ${principalId}`,
  )
  return [row?.reserved_minor, row?.spent_minor]
}

describe('403 step_up_required', () => {
  test('the agent learns what it waits for, the person is told once, and the money is held, not charged', async () => {
    const { refusal, again, id, person } = await asked()
    expect(refusal).toMatchObject({
      code: 'step_up_required',
      status: 403,
      headers: { 'retry-after': '10' },
      members: {
        settlement_id: id,
        status: 'requires_action',
        expires_at: new Date(money.clock.now().getTime() + CHALLENGE_SECONDS * 1000).toISOString(),
      },
    })
    await expect(again()).rejects.toMatchObject({ code: 'step_up_required', members: refusal.members })
    await resolve(60)
    await expect(again()).rejects.toMatchObject({ code: 'step_up_required' })
    expect(await chargesOf(id)).toBe(0)
    expect(await heldBy(person)).toEqual([1_200, 0])
    const told = (await readMessages(money.platform, 20)).filter(({ text }) => text.includes(id))
    expect(told).toMatchObject([{ subject: 'Your bank wants you to confirm 12.00 EUR to Tallow Books' }])
    expect(told[0]?.links).toEqual([`${money.platform.config.baseUrl}/payments/confirm/${id}`])
  })

  test('another key for the same mandate does not avoid the bank’s confirmation', async () => {
    const { mandate } = await asked()
    await expect(money.settle(mandate, { key: 'around' })).rejects.toMatchObject({ code: 'mandate_consumed' })
  })

  test('a payment that waits for the bank counts against the daily cap', async () => {
    const { person } = await asked()
    await money.platform.db.query(
      sql`INSERT INTO wallet_limits (principal_id, daily_cap_minor, currency, updated_at) VALUES (${person.principalId}, 2000, 'EUR', ${money.clock.now()})`,
    )
    const second = await money.mandate(person, { amountMinor: 801 })
    await expect(money.settle(second)).rejects.toMatchObject({ code: 'limit_exceeded' })
  })
})

describe('the cardholder', () => {
  test('when the cardholder confirms, the same key gets the final answer, and the money moves once', async () => {
    const { again, id, call, paymentIntentId, person } = await asked()
    expect(await readCardholderChallenge(call, { id })).toMatchObject({
      status: 'waiting',
      amount_minor: 1_200,
      merchant_audience: MERCHANT,
      merchant_verified: true,
      agent_client_id: person.agentId,
      bank: { client_secret: expect.stringContaining(paymentIntentId), payment_method_id: expect.any(String) },
    })
    expect(await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')).toBe(true)
    expect(await checkCardholderChallenge(call, { id })).toMatchObject({ status: 'succeeded' })
    const answer = await again()
    expect(answer).toMatchObject({ status: 200, replayed: true, settlementId: id })
    expect(await again()).toEqual(answer)
    expect(await chargesOf(id)).toBe(1)
    expect(await heldBy(person)).toEqual([0, 1_200])
    expect(await listCardholderChallenges(call)).toEqual([])
    expect(await readCardholderChallenge(call, { id })).toMatchObject({ status: 'succeeded', bank: null })
  })

  test('when the cardholder confirms and closes the page, webhook or resolver find out', async () => {
    const [first, second] = [await asked(), await asked()]
    await money.sandbox.authenticatePayment(first.paymentIntentId, 'succeed')
    await money.webhook({ type: 'payment_intent.succeeded', object: { id: first.paymentIntentId } })
    expect(await first.again()).toMatchObject({ status: 200 })
    await money.sandbox.authenticatePayment(second.paymentIntentId, 'succeed')
    await resolve(60)
    expect(await second.again()).toMatchObject({ status: 200 })
  })

  test('when the bank refuses the cardholder, the intent is closed before the settlement fails', async () => {
    const { again, id, call, paymentIntentId, person, mandate } = await asked()
    await money.sandbox.authenticatePayment(paymentIntentId, 'fail')
    expect(await checkCardholderChallenge(call, { id })).toMatchObject({ status: 'failed' })
    const answer = await again()
    expect(answer.status).toBe(402)
    expect(await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')).toBe(false)
    expect([await chargesOf(id), await heldBy(person)]).toEqual([0, [0, 0]])
    await expect(money.settle(mandate, { key: 'second' })).rejects.toMatchObject({ code: 'step_up_required' })
  })

  test('when the cardholder declines, nothing is charged, and nothing can be charged any more', async () => {
    const { again, id, call, paymentIntentId } = await asked()
    expect(await declineCardholderChallenge(call, { id })).toMatchObject({ status: 'failed' })
    expect(await declineCardholderChallenge(call, { id })).toMatchObject({ status: 'failed' })
    expect(await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')).toBe(false)
    const answer = await again()
    expect(JSON.parse(answer.body)).toMatchObject({
      error: 'payment_declined',
      status: 'failed',
      failure: { code: 'authentication_required' },
    })
  })

  test('when the webhook about an intent that the cardholder declined comes first, the reason is the same', async () => {
    const { again, id, call, paymentIntentId } = await asked()
    const closing = money.withProcessor({
      cancelPaymentIntent: async (intentId) => {
        const outcome = await money.sandbox.cancelPaymentIntent(intentId)
        await money.webhook({ type: 'payment_intent.canceled', object: { id: paymentIntentId } })
        return outcome
      },
    })
    await declineCardholderChallenge({ ...call, platform: closing }, { id })
    expect(JSON.parse((await again()).body)).toMatchObject({ failure: { code: 'authentication_required' } })
  })

  test('when the cardholder declines and confirms at once, one of the two happens, everywhere', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { again, id, call, paymentIntentId } = await asked()
      await Promise.all([
        declineCardholderChallenge(call, { id }),
        money.sandbox.authenticatePayment(paymentIntentId, 'succeed'),
        checkCardholderChallenge(call, { id }),
      ])
      await resolve(60)
      expect((await again()).status).toBe((await chargesOf(id)) === 1 ? 200 : 402)
    }
  })

  test('when the cardholder does nothing, the payment is given up after a quarter of an hour, and the intent is closed', async () => {
    const { again, paymentIntentId, call, id } = await asked()
    await resolve(CHALLENGE_SECONDS - 1)
    await expect(again()).rejects.toMatchObject({ code: 'step_up_required' })
    await resolve(60)
    expect((await again()).status).toBe(402)
    expect(await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')).toBe(false)
    expect(await readCardholderChallenge(call, { id })).toMatchObject({ status: 'failed', bank: null })
  })

  test('an agent that is revoked while the bank waits does not get the payment', async () => {
    const { again, paymentIntentId, mandate } = await asked()
    await money.platform.db.query(
      sql`UPDATE token_families SET revoked_at = ${money.clock.now()} WHERE id = ${mandate.family_id}`,
    )
    await resolve(60)
    expect(JSON.parse((await again()).body)).toMatchObject({ failure: { code: 'authorization_withdrawn' } })
    expect(await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')).toBe(false)
  })

  const stops: [string, (person: Person) => Sql][] = [
    ['froze spending', ({ principalId }) => sql`UPDATE principals SET frozen_at = now() WHERE id = ${principalId}`],
    ['paused the agent', ({ agentId }) => sql`UPDATE clients SET paused_at = now() WHERE id = ${agentId}`],
    [
      'restricted processing',
      ({ principalId }) => sql`UPDATE principals SET processing_restricted = true WHERE id = ${principalId}`,
    ],
    ['revoked the agent', ({ agentId }) => sql`UPDATE clients SET revoked_at = now() WHERE id = ${agentId}`],
  ]

  test.each(stops)(
    'a payment of a person who %s while the processor is away is offered no more, and closed by the resolver',
    async (_stop, stop) => {
      const { again, id, call, person, paymentIntentId } = await asked()
      const away = money.withProcessor({ cancelPaymentIntent: () => Promise.reject(new ProcessorUnreachable('away')) })
      await money.platform.db.query(stop(person))
      await announceStop(away, person.principalId)
      await expect(again()).rejects.toMatchObject({ code: 'step_up_required' })
      expect(await listCardholderChallenges(call)).toEqual([])
      expect(await readCardholderChallenge(call, { id })).toMatchObject({ status: 'waiting', bank: null })
      await resolve(60)
      expect(JSON.parse((await again()).body)).toMatchObject({ failure: { code: 'authorization_withdrawn' } })
      expect(await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')).toBe(false)
      expect([await chargesOf(id), await heldBy(person)]).toEqual([0, [0, 0]])
    },
  )

  test.each(stops)('a person who %s while the bank is asked is not asked', async (_stop, stop) => {
    const person = await money.person({ card: 'authentication_required' })
    const stopping = money.withProcessor({
      confirmPaymentIntent: async (id, settlementId) => {
        const outcome = await money.sandbox.confirmPaymentIntent(id, settlementId)
        await money.platform.db.query(stop(person))
        return outcome
      },
    })
    const answer = await money.settle(await money.mandate(person, { amountMinor: 1_200 }), {}, stopping)
    expect([answer.status, JSON.parse(answer.body).failure]).toEqual([402, { code: 'authorization_withdrawn' }])
    const told = (await readMessages(money.platform, 20)).filter(({ text }) => text.includes(answer.settlementId))
    expect([told.filter(({ subject }) => subject?.startsWith('Your bank') === true), await heldBy(person)]).toEqual([
      [],
      [0, 0],
    ])
  })

  test('a processor that cannot be reached leaves the payment waiting', async () => {
    const { id, person, again, paymentIntentId } = await asked()
    const away = money.withProcessor({
      cancelPaymentIntent: () => Promise.reject(new ProcessorUnreachable('away')),
      retrievePaymentIntent: () => Promise.reject(new ProcessorUnreachable('away')),
    })
    await expect(declineCardholderChallenge(money.wallet(person, away), { id })).rejects.toMatchObject({
      code: 'bad_gateway',
    })
    money.clock.advance(CHALLENGE_SECONDS + 60)
    await resolveUnknown(away)
    await expect(again()).rejects.toMatchObject({ code: 'step_up_required' })
    await money.sandbox.authenticatePayment(paymentIntentId, 'succeed')
    await resolve(60)
    expect((await again()).status).toBe(200)
  })

  test('payments to confirm that are another person’s, unknown or never needed the bank look alike', async () => {
    const { id } = await asked()
    const stranger = money.wallet(await money.person())
    const calm = await money.person()
    const { settlementId } = await money.settle(await money.mandate(calm))
    const attempts = [
      [stranger, id],
      [stranger, 'unknown'],
      [money.wallet(calm), settlementId],
    ] as const
    for (const [call, choice] of attempts) {
      for (const verb of [readCardholderChallenge, checkCardholderChallenge, declineCardholderChallenge]) {
        await expect(verb(call, { id: choice })).rejects.toMatchObject({ status: 404 })
      }
    }
  })
})
