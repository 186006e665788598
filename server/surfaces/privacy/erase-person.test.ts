/** D61: payments that are under way when their person is erased, and the card processor's own data. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { ProcessorUnreachable } from '../../base/core/processor'
import { sql } from '../../base/core/sql'
import { jobHandlers } from '../../jobs'
import { resolveUnknown } from '../../money/settlement'
import { readMessages } from '../../shared/notifications'
import { runDueJobs } from '../../shared/queue'
import { erasePerson } from './erase-person'

const HOUR_SECONDS = 3_600

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const runJobs = () => runDueJobs(money.platform, jobHandlers)

async function stateOf({ principalId }: Person): Promise<readonly string[]> {
  const rows = await money.platform.db.query<{ state: string }>(
    sql`SELECT state FROM settlements WHERE principal_id = ${principalId}`,
  )
  return rows.map(({ state }) => state)
}

const customersOf = ({ principalId }: Person) =>
  money.count('sandbox_processor_customers', sql`metadata ->> 'principal_id' = ${principalId}`)

/** Makes a payment whose answer is lost, so that its outcome is unknown. */
async function payUnknown(person: Person): Promise<void> {
  const lost = money.withProcessor({
    confirmPaymentIntent: async (id, settlementId) => {
      await money.sandbox.confirmPaymentIntent(id, settlementId)
      throw new ProcessorUnreachable('the answer was lost')
    },
  })
  await money.settle(await money.mandate(person, { amountMinor: 700 }), {}, lost).catch(() => undefined)
}

test('D61 a payment whose outcome is unknown at the erasure is finished, counts, and is told to nobody', async () => {
  const person = await money.person({ email: 'ada@canary.test' })
  await payUnknown(person)
  expect(await stateOf(person)).toEqual(['unknown'])
  const { agents_revoked: agents } = await erasePerson(money.wallet(person))
  expect(agents).toBe(1)

  await runJobs()
  expect(await customersOf(person), 'its card may still be needed').toBe(1)

  money.clock.advance(HOUR_SECONDS)
  await resolveUnknown(money.platform)
  expect(await stateOf(person)).toEqual(['succeeded'])
  expect(await money.count('payments', sql`principal_id = ${person.principalId}`)).toBe(1)
  const spent = await money.platform.db.query(
    sql`SELECT spent_minor, reserved_minor FROM spend_counters WHERE principal_id = ${person.principalId}`,
  )
  expect(spent).toEqual([{ spent_minor: 700, reserved_minor: 0 }])

  await runJobs()
  expect(await customersOf(person)).toBe(0)
  const told = (await readMessages(money.platform, 100)).filter(({ to }) => to === 'ada@canary.test')
  expect(told).toEqual([])
})

test('D61 what a payment that stays open for days still needs is erased once it has ended', async () => {
  const person = await money.person()
  await payUnknown(person)
  await erasePerson(money.wallet(person))
  await runJobs()
  for (let day = 0; day < 3; day += 1) {
    money.clock.advance(25 * HOUR_SECONDS)
    await runJobs()
  }
  const held = () =>
    money.platform.db.query(
      sql`SELECT state, sealed_presentation IS NULL AND idempotency_key = id AS erased FROM settlements
        WHERE principal_id = ${person.principalId}`,
    )
  expect(await held()).toEqual([{ state: 'unknown', erased: false }])
  await resolveUnknown(money.platform)
  expect(await held()).toEqual([{ state: 'succeeded', erased: false }])
  money.clock.advance(25 * HOUR_SECONDS)
  await runJobs()
  expect(await held()).toEqual([{ state: 'succeeded', erased: true }])
  money.clock.advance(25 * HOUR_SECONDS)
  await runJobs()
  expect(await money.count('jobs', sql`kind = 'erase_again' AND state = 'queued'`)).toBe(0)
})

test('D61 a card that was never charged is deleted, and one that was stays as an empty row', async () => {
  const [idle, payer] = await Promise.all([money.person(), money.person()])
  await money.settle(await money.mandate(payer))
  for (const person of [idle, payer]) await erasePerson(money.wallet(person))
  await runJobs()
  const cards = await money.platform.db.query(
    sql`SELECT principal_id, brand, last4, customer_id, payment_method_id, status FROM card_mandates
      WHERE principal_id = ANY (${[idle.principalId, payer.principalId]}::text[])`,
  )
  const empty = { brand: '', last4: '', customer_id: '', payment_method_id: '', status: 'removed' }
  expect(cards).toEqual([{ ...empty, principal_id: payer.principalId }])
})

test('D61 a processor that is away gets the order to forget later', async () => {
  const person = await money.person()
  await erasePerson(money.wallet(person))
  const away = money.withProcessor({ deleteCustomer: () => Promise.reject(new ProcessorUnreachable('away')) })
  await runDueJobs(away, jobHandlers)
  expect(await customersOf(person)).toBe(1)
  money.clock.advance(HOUR_SECONDS)
  await runJobs()
  expect(await customersOf(person)).toBe(0)
  const [row] = await money.platform.db.query(
    sql`SELECT processor_customer_id FROM principals WHERE id = ${person.principalId}`,
  )
  expect(row).toEqual({ processor_customer_id: null })
})

test('D61 the confirmation that no carrier takes is deleted a day later', async () => {
  const person = await money.person({ email: 'unreachable@canary.test' })
  const refusing = {
    ...money.platform,
    mailer: { ...money.platform.mailer, deliver: () => Promise.reject(new Error('550')) },
  }
  await erasePerson(money.wallet(person))
  await runDueJobs(refusing, jobHandlers)
  money.clock.advance(HOUR_SECONDS)
  await runDueJobs(refusing, jobHandlers)
  const mails = () => money.count('messages', sql`principal_id = ${person.principalId}`)
  expect(await mails()).toBe(1)
  money.clock.advance(24 * HOUR_SECONDS)
  await runDueJobs(refusing, jobHandlers)
  expect(await mails()).toBe(0)
})
