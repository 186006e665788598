import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import type { Platform } from '../../base/core/platform'
import { ProcessorRefused, ProcessorUnreachable } from '../../base/core/processor'
import { sql } from '../../base/core/sql'
import type { TestCardName } from '../../base/platform/processor/sandbox-cards'
import { jobHandlers } from '../../jobs'
import { resolveUnknown } from '../../money/settlement'
import { runDueJobs } from '../../shared/queue'
import { confirmSetupIntent, createSetupIntent, eraseCards, listCards, makeDefaultCard, removeCard } from '.'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

interface Created {
  setup_intent_id: string
  client_secret: string
  status: string
  publishable_key: string | null
}
const begin = async (person: Person) => (await createSetupIntent.verb(money.wallet(person))) as Created
const confirm = (person: Person, id: string) =>
  confirmSetupIntent.verb(money.wallet(person), { setup_intent_id: id }) as Promise<{
    status: string
    reconciled: boolean
  }>
const cardsOf = async (person: Person) =>
  (
    (await listCards.verb(money.wallet(person))) as {
      cards: { id: string; is_default: boolean; last4: string; status: string }[]
    }
  ).cards

async function enrol(person: Person, card: TestCardName): Promise<void> {
  const { setup_intent_id: id } = await begin(person)
  await money.sandbox.enrolTestCard({ setupIntentId: id, card })
  await confirm(person, id)
}

describe('enrolment', () => {
  test('a customer that the processor does not know is replaced once', async () => {
    const person = await money.person()
    const customerOf = async () => {
      const [row] = await money.platform.db.query<{ processor_customer_id: string }>(
        sql`SELECT processor_customer_id FROM principals WHERE id = ${person.principalId}`,
      )
      return row?.processor_customer_id
    }
    await money.sandbox.deleteCustomer((await customerOf()) ?? '')
    const gone = await customerOf()
    const [first, second] = await Promise.all([begin(person), begin(person)])
    expect([first, second]).toMatchObject([
      { status: 'requires_payment_method' },
      { status: 'requires_payment_method' },
    ])
    const replaced = await customerOf()
    expect(replaced).not.toBe(gone)
    await begin(person)
    expect(await customerOf()).toBe(replaced)
  })

  test('a refusal of the processor is 502', async () => {
    const person = await money.person({ card: null })
    const refusing = money.withProcessor({ createSetupIntent: () => Promise.reject(new ProcessorRefused('unusable')) })
    await expect(createSetupIntent.verb(money.wallet(person, refusing))).rejects.toMatchObject({
      code: 'bad_gateway',
      status: 502,
    })
  })

  test('enrolment begins at the processor, and saves the card once it has succeeded there', async () => {
    const person = await money.person({ card: null })
    const created = await begin(person)
    expect(created).toEqual({
      setup_intent_id: expect.stringMatching(/^seti_/),
      client_secret: expect.stringContaining('_secret_'),
      status: 'requires_payment_method',
      publishable_key: 'pk_sandbox',
    })
    const id = created.setup_intent_id
    expect(await confirm(person, id)).toEqual({
      status: 'requires_payment_method',
      reconciled: false,
      setup_intent_id: id,
    })
    await money.sandbox.enrolTestCard({ setupIntentId: id, card: 'success' })
    expect(await confirm(person, id)).toEqual({ status: 'succeeded', reconciled: true, setup_intent_id: id })
    expect(await confirm(person, id)).toEqual({ status: 'succeeded', reconciled: false, setup_intent_id: id })
    expect(await cardsOf(person)).toMatchObject([{ last4: '4242', is_default: true, status: 'active' }])
  })

  test('an enrolment writes one card and one audit entry, and is reconciled at most once, when confirm and webhook race', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await money.person({ card: null })
      const { setup_intent_id: id } = await begin(person)
      await money.sandbox.enrolTestCard({ setupIntentId: id, card: 'success' })
      const event = { id: `evt_race_${round}`, type: 'setup_intent.succeeded', object: { id } }
      const [confirmed] = await Promise.all([
        Promise.all(Array.from({ length: 10 }, () => confirm(person, id))),
        Promise.all(Array.from({ length: 10 }, () => money.webhook(event))),
      ])
      expect(confirmed.filter(({ reconciled }) => reconciled).length).toBeLessThanOrEqual(1)
      expect(await money.count('card_mandates', sql`setup_intent_id = ${id}`)).toBe(1)
      expect(
        await money.count(
          'audit_entries',
          sql`principal_id = ${person.principalId} AND event = 'oid4ac.mandate.issued'`,
        ),
      ).toBe(1)
    }
  })

  test('one of two first cards at the same time is the default', async () => {
    const person = await money.person({ card: null })
    await Promise.all([enrol(person, 'success'), enrol(person, 'dispute'), enrol(person, 'decline')])
    expect((await cardsOf(person)).map((card) => card.is_default)).toEqual([true, false, false])
  })

  test('404: an unknown setup intent and another person’s look alike', async () => {
    const [person, other] = [await money.person({ card: null }), await money.person({ card: null })]
    const { setup_intent_id: id } = await begin(other)
    await money.sandbox.enrolTestCard({ setupIntentId: id, card: 'success' })
    for (const foreign of [id, 'seti_unknown']) {
      await expect(confirm(person, foreign)).rejects.toMatchObject({
        status: 404,
        description: 'There is no such setup intent.',
      })
    }
    expect(await money.count('card_mandates', sql`setup_intent_id = ${id}`)).toBe(0)
  })

  test('502: enrolment while the processor cannot be reached', async () => {
    const person = await money.person({ card: null })
    const down = money.withProcessor({ createSetupIntent: () => Promise.reject(new ProcessorUnreachable('down')) })
    await expect(createSetupIntent.verb(money.wallet(person, down))).rejects.toMatchObject({
      status: 502,
      headers: { 'retry-after': '5' },
    })
  })
})

/** Runs the due jobs for a day: as long as a settlement can stay open. */
async function workForADay(platform: Platform): Promise<void> {
  for (let hour = 0; hour < 24; hour += 1) {
    await runDueJobs(platform, jobHandlers)
    money.clock.advance(3_600)
  }
}

describe('saved cards', () => {
  test('any saved card can be made the default, and no other card becomes it when it is removed', async () => {
    const person = await money.person({ card: 'success' })
    money.clock.advance(1)
    await enrol(person, 'decline')
    const [first = '', second = ''] = (await cardsOf(person)).map(({ id }) => id)
    await makeDefaultCard.verb(money.wallet(person), { card_id: second })
    expect((await cardsOf(person))[0]?.id).toBe(second)
    await removeCard.verb(money.wallet(person), { card_id: second })
    expect(await cardsOf(person)).toMatchObject([{ id: first, is_default: false }])
    await expect(money.settle(await money.mandate(person))).rejects.toMatchObject({ code: 'card_required' })
    await makeDefaultCard.verb(money.wallet(person), { card_id: first })
    expect(await cardsOf(person)).toMatchObject([{ id: first, is_default: true }])
    await removeCard.verb(money.wallet(person), { card_id: first })
    expect(await cardsOf(person)).toEqual([])
  })

  test('a card that is added where there is no default becomes the default', async () => {
    const person = await money.person({ card: 'success' })
    const [first] = await cardsOf(person)
    money.clock.advance(1)
    await enrol(person, 'success')
    await removeCard.verb(money.wallet(person), { card_id: first?.id ?? '' })
    money.clock.advance(1)
    await enrol(person, 'dispute')
    expect((await cardsOf(person)).map((card) => card.is_default)).toEqual([true, false])
  })

  test('removing a card and changing the default at the same time leave at most one default', async () => {
    const person = await money.person({ card: 'success' })
    for (const card of ['success', 'success', 'success'] as const) {
      money.clock.advance(1)
      await enrol(person, card)
    }
    const cards = await cardsOf(person)
    await Promise.allSettled([
      ...cards.map(({ id }) => makeDefaultCard.verb(money.wallet(person), { card_id: id })),
      removeCard.verb(money.wallet(person), { card_id: cards[0]?.id ?? '' }),
    ])
    expect((await cardsOf(person)).filter((card) => card.is_default).length).toBeLessThanOrEqual(1)
  })

  test('a card that is added when the default has expired becomes the default, and the audit chain says so', async () => {
    const person = await money.person()
    const [first] = await cardsOf(person)
    await money.platform.db.query(
      sql`UPDATE card_mandates SET exp_month = 10, exp_year = 2026 WHERE principal_id = ${person.principalId}`,
    )
    money.clock.advance(1)
    const { setup_intent_id: id } = await begin(person)
    await money.sandbox.enrolTestCard({ setupIntentId: id, card: 'dispute' })
    const event = { type: 'setup_intent.succeeded', object: { id } }
    await Promise.all([confirm(person, id), money.webhook(event), confirm(person, id), money.webhook(event)])
    const [second, ...others] = await cardsOf(person)
    expect(second).toMatchObject({ is_default: true, status: 'active' })
    expect(others).toMatchObject([{ id: first?.id, is_default: false, status: 'expired' }])
    money.clock.advance(1)
    await enrol(person, 'success')
    expect((await cardsOf(person))[0]?.id).toBe(second?.id)
    const entries = await money.platform.db.query<{ payload: unknown }>(
      sql`SELECT payload::jsonb AS payload FROM audit_entries WHERE principal_id = ${person.principalId} AND event = 'oid4ac.card.changed'`,
    )
    const change = { what: 'card', from: 'saved', to: 'default', means: 'processor' }
    expect(entries.map(({ payload }) => payload)).toEqual([{ ...change, card_mandate_id: second?.id }])
  })

  test('a card that has itself expired does not take the place of an expired default', async () => {
    const person = await money.person()
    const [first] = await cardsOf(person)
    await money.platform.db.query(
      sql`UPDATE card_mandates SET exp_month = 10, exp_year = 2026 WHERE principal_id = ${person.principalId}`,
    )
    const { setup_intent_id: setupIntentId } = await begin(person)
    await money.sandbox.enrolTestCard({ setupIntentId, card: 'success' })
    const expired = money.withProcessor({
      retrieveSetupIntent: async (id) => {
        const intent = (await money.sandbox.retrieveSetupIntent(id)) ?? expect.fail('no intent')
        return { ...intent, card: intent.card && { ...intent.card, expYear: 2025 } }
      },
    })
    await confirmSetupIntent.verb(money.wallet(person, expired), { setup_intent_id: setupIntentId })
    expect(await cardsOf(person)).toMatchObject([{ id: first?.id, is_default: true }, { is_default: false }])
  })

  test('another person’s card looks unknown', async () => {
    const [person, other] = [await money.person(), await money.person()]
    const [card] = await cardsOf(other)
    const choice = { card_id: card?.id ?? '' }
    await expect(makeDefaultCard.verb(money.wallet(person), choice)).rejects.toMatchObject({ status: 404 })
    await expect(removeCard.verb(money.wallet(person), choice)).rejects.toMatchObject({ status: 404 })
  })

  test('a removed card is forgotten at the processor once no settlement needs it', async () => {
    const person = await money.person({ card: 'timeout' })
    const forgotten: string[] = []
    const platform = money.withProcessor({
      detachCard: (id) => {
        forgotten.push(id)
        return money.sandbox.detachCard(id)
      },
    })
    await runDueJobs(money.platform, jobHandlers)
    const mandate = await money.mandate(person)
    await expect(money.settle(mandate, { key: 'held' })).rejects.toMatchObject({ status: 502 })
    const [card] = await cardsOf(person)
    await removeCard.verb(money.wallet(person), { card_id: card?.id ?? '' })
    await workForADay(platform)
    expect(forgotten).toEqual([])
    await resolveUnknown(platform)
    money.clock.advance(3_600)
    await runDueJobs(platform, jobHandlers)
    expect(forgotten).toHaveLength(1)
    expect((await money.settle(mandate, { key: 'held' })).status).toBe(200)
  })

  test('an erased person’s customer is forgotten at the processor once no settlement needs it', async () => {
    const person = await money.person({ card: 'timeout' })
    const { principalId } = person
    await expect(money.settle(await money.mandate(person))).rejects.toMatchObject({ status: 502 })
    await money.platform.db.transaction(async (tx) => {
      await eraseCards(tx, { principalId, call: money.wallet(person) })
      await tx.query(sql`UPDATE principals SET erased = true WHERE id = ${principalId}`)
    })
    const customers = () =>
      money.count('sandbox_processor_customers', sql`metadata ->> 'principal_id' = ${principalId}`)
    await workForADay(money.platform)
    expect(await customers()).toBe(1)
    await resolveUnknown(money.platform)
    money.clock.advance(3_600)
    await runDueJobs(money.platform, jobHandlers)
    expect(await customers()).toBe(0)
  })

  test('a saved card says that it has expired', async () => {
    const person = await money.person()
    money.clock.set(new Date('2030-12-31T23:59:59Z'))
    expect(await cardsOf(person)).toMatchObject([{ status: 'active' }])
    money.clock.advance(1)
    expect(await cardsOf(person)).toMatchObject([{ status: 'expired' }])
  })
})
