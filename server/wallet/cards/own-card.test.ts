import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import {
  chooseAgentCard,
  confirmSetupIntent,
  createSetupIntent,
  listCards,
  makeDefaultCard,
  releaseCards,
  removeCard,
} from '.'

/** The time limit of the test: each run enrols three cards at the processor. */
const PATIENCE_MS = 120_000

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

interface Card {
  readonly id: string
  readonly is_default: boolean
  readonly agent_client_id: string | null
}

const cardsOf = async (person: Person) => ((await listCards.verb(money.wallet(person))) as { cards: Card[] }).cards

async function enrol(person: Person): Promise<void> {
  money.clock.advance(1)
  const call = money.wallet(person)
  const { setup_intent_id: id } = (await createSetupIntent.verb(call)) as { setup_intent_id: string }
  await money.sandbox.enrolTestCard({ setupIntentId: id, card: 'success' })
  await confirmSetupIntent.verb(call, { setup_intent_id: id })
}

/** Creates a person with a default card, `others` further cards, and two agents. */
async function household(others = 1) {
  const person = await money.person()
  for (let index = 0; index < others; index++) await enrol(person)
  const [shared, ...spare] = (await cardsOf(person)).map(({ id }) => id)
  return { person, other: await money.agent(person.principalId), shared: shared ?? '', spare }
}

const choose = (person: Person, clientId: string, cardId: string | null) =>
  chooseAgentCard(money.wallet(person), { client_id: clientId, card_id: cardId, proof: undefined })

/** Pays as the agent and returns the card that was charged. */
async function charged(person: Person, agentId = person.agentId): Promise<string> {
  const mandate = await money.mandate(person, { agentId, amountMinor: 100 })
  await money.settle(mandate)
  const [row] = await money.platform.db.query<{ card_id: string }>(
    sql`SELECT card_id FROM settlements WHERE mandate_id = ${mandate.id}`,
  )
  return row?.card_id ?? 'none'
}

describe('a card of one agent', () => {
  test('an agent pays with its own card, and nothing else is charged to that card', async () => {
    const { person, other, shared, spare } = await household()
    const own = spare[0] ?? ''
    await choose(person, person.agentId, own)
    expect(await cardsOf(person)).toMatchObject([
      { id: shared, is_default: true, agent_client_id: null },
      { id: own, is_default: false, agent_client_id: person.agentId },
    ])
    expect([await charged(person), await charged(person, other)]).toEqual([own, shared])
    await choose(person, person.agentId, null)
    expect(await charged(person)).toBe(shared)
  })

  test('another card takes the place of the one before, which is free again', async () => {
    const { person, other, spare } = await household(2)
    const [one = '', two = ''] = spare
    await choose(person, person.agentId, one)
    await choose(person, person.agentId, two)
    await choose(person, other, one)
    expect([await charged(person), await charged(person, other)]).toEqual([two, one])
  })

  test('409: the default card, and the card of another agent', async () => {
    const { person, other, shared, spare } = await household()
    const own = spare[0] ?? ''
    await expect(choose(person, person.agentId, shared)).rejects.toMatchObject({ status: 409 })
    await choose(person, person.agentId, own)
    await expect(choose(person, other, own)).rejects.toMatchObject({ status: 409 })
    await expect(makeDefaultCard.verb(money.wallet(person), { card_id: own })).rejects.toMatchObject({ status: 409 })
    expect([await charged(person), await charged(person, other)]).toEqual([own, shared])
  })

  test('404: an unknown card or agent, and those of somebody else', async () => {
    const { person, spare } = await household()
    const eve = await household()
    const refused = [
      [person.agentId, 'unknown'],
      [person.agentId, eve.spare[0] ?? ''],
      [eve.person.agentId, spare[0] ?? ''],
      ['unknown', null],
    ] as const
    for (const [agentId, card] of refused) {
      await expect(choose(person, agentId, card)).rejects.toMatchObject({ status: 404 })
    }
  })

  test('removing it has the agent pay with the default again', async () => {
    const { person, shared, spare } = await household()
    const own = spare[0] ?? ''
    await choose(person, person.agentId, own)
    await removeCard.verb(money.wallet(person), { card_id: own })
    expect(await charged(person)).toBe(shared)
  })

  test('no bound card becomes the default when the default is removed', async () => {
    const { person, other, shared, spare } = await household()
    const own = spare[0] ?? ''
    await choose(person, person.agentId, own)
    await removeCard.verb(money.wallet(person), { card_id: shared })
    expect(await charged(person)).toBe(own)
    const mandate = await money.mandate(person, { agentId: other })
    await expect(money.settle(mandate)).rejects.toMatchObject({ code: 'card_required' })
  })

  test('a card that is free again becomes the default where there is none, and the audit chain says so', async () => {
    const { person, other, shared, spare } = await household()
    const own = spare[0] ?? ''
    await choose(person, person.agentId, own)
    await removeCard.verb(money.wallet(person), { card_id: shared })
    await choose(person, person.agentId, null)
    expect(await cardsOf(person)).toMatchObject([{ id: own, is_default: true, agent_client_id: null }])
    expect([await charged(person), await charged(person, other)]).toEqual([own, own])
    const [last] = await money.platform.db.query<{ payload: unknown }>(
      sql`SELECT payload::jsonb AS payload FROM audit_entries WHERE principal_id = ${person.principalId} AND event = 'oid4ac.card.changed' ORDER BY seq DESC LIMIT 1`,
    )
    expect(last?.payload).toMatchObject({ card_mandate_id: own, from: 'saved', to: 'default', means: 'magic_link' })
  })

  test('an expired card becomes the default only where every card has expired, and the audit chain says so', async () => {
    const { person, shared, spare } = await household(2)
    const [one = '', two = ''] = spare
    await money.platform.db.query(sql`UPDATE card_mandates SET exp_month = 10, exp_year = 2026 WHERE id = ${one}`)
    await removeCard.verb(money.wallet(person), { card_id: shared })
    expect(await cardsOf(person)).toMatchObject([{ id: two, is_default: true }, { id: one }])
    await removeCard.verb(money.wallet(person), { card_id: two })
    expect(await cardsOf(person)).toMatchObject([{ id: one, is_default: true }])
    const entries = await money.platform.db.query<{ payload: unknown }>(
      sql`SELECT payload::jsonb AS payload FROM audit_entries WHERE principal_id = ${person.principalId} AND event = 'oid4ac.card.changed' ORDER BY seq`,
    )
    expect(entries.map(({ payload }) => payload)).toMatchObject([
      { card_mandate_id: shared, from: 'default', to: 'removed' },
      { card_mandate_id: two, from: 'saved', to: 'default', means: 'magic_link' },
      { card_mandate_id: two, from: 'default', to: 'removed' },
      { card_mandate_id: one, from: 'saved', to: 'default', means: 'magic_link' },
    ])
  })

  test('a card that is free again leaves the default as it is, and so does an agent that ends', async () => {
    const { person, other, shared, spare } = await household(2)
    const [one = '', two = ''] = spare
    await choose(person, person.agentId, one)
    await choose(person, other, two)
    await choose(person, person.agentId, null)
    expect(await charged(person)).toBe(shared)
    await removeCard.verb(money.wallet(person), { card_id: shared })
    await removeCard.verb(money.wallet(person), { card_id: one })
    await money.platform.db.transaction((tx) => releaseCards(tx, money.wallet(person), other))
    expect(await cardsOf(person)).toMatchObject([{ id: two, is_default: false, agent_client_id: null }])
  })

  test('each choice is an entry of the audit chain that names card and agent', async () => {
    const { person, spare } = await household()
    const own = spare[0] ?? ''
    await choose(person, person.agentId, own)
    await choose(person, person.agentId, own)
    await choose(person, person.agentId, null)
    const entries = await money.platform.db.query<{ payload: unknown }>(
      sql`SELECT payload::jsonb AS payload FROM audit_entries WHERE principal_id = ${person.principalId} AND event = 'oid4ac.card.changed' ORDER BY seq`,
    )
    const about = { what: 'card', means: 'magic_link', card_mandate_id: own, agent_client_id: person.agentId }
    expect(entries.map(({ payload }) => payload)).toMatchObject([
      { ...about, from: 'saved', to: 'agent' },
      { ...about, from: 'agent', to: 'saved' },
    ])
  })
})

test('settlements that race with a choice are charged to the card of before or after it, and no other agent to its card', async () => {
  const { person, other, shared, spare } = await household()
  const own = spare[0] ?? ''
  for (let round = 0; round < 2; round++) {
    const isOwn = round % 2 === 0
    const pays = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? person.agentId : other))
    const [, ...cards] = await Promise.all([
      choose(person, person.agentId, isOwn ? own : null),
      ...pays.map((agentId) => charged(person, agentId)),
    ])
    for (const [index, card] of cards.entries()) {
      if (pays[index] === other) expect(card).toBe(shared)
      else expect([own, shared]).toContain(card)
    }
    expect([await charged(person), await charged(person, other)]).toEqual([isOwn ? own : shared, shared])
  }
})

/** A random step, with agent and card by index. */
const step = fc.record({
  act: fc.constantFrom('bind', 'release', 'default', 'pay'),
  agent: fc.integer({ min: 0, max: 1 }),
  card: fc.integer({ min: 0, max: 2 }),
})

/** The expected state: each agent's own card and the default. */
interface Model {
  readonly own: Map<string, string>
  standard: string
}

const succeeds = (attempt: Promise<unknown>): Promise<boolean> =>
  attempt.then(
    () => true,
    () => false,
  )

type Act = (
  person: Person,
  model: Model,
  chosen: { readonly clientId: string; readonly cardId: string },
) => Promise<void>

const acts: Readonly<Record<'bind' | 'release' | 'default' | 'pay', Act>> = {
  pay: async (person, { own, standard }, { clientId }) => {
    expect(await charged(person, clientId)).toBe(own.get(clientId) ?? standard)
  },
  release: async (person, { own }, { clientId }) => {
    await choose(person, clientId, null)
    own.delete(clientId)
  },
  bind: async (person, { own, standard }, { clientId, cardId }) => {
    const isTaken = [...own].some(([holder, card]) => card === cardId && holder !== clientId)
    expect(await succeeds(choose(person, clientId, cardId))).toBe(cardId !== standard && !isTaken)
    if (cardId !== standard && !isTaken) own.set(clientId, cardId)
  },
  default: async (person, model, { cardId }) => {
    const isFree = ![...model.own.values()].includes(cardId)
    const attempt = makeDefaultCard.verb(money.wallet(person), { card_id: cardId })
    expect(await succeeds(Promise.resolve(attempt))).toBe(isFree)
    if (isFree) model.standard = cardId
  },
}

test(
  'after any choices, each agent pays with its own card or else the default, and no card is both',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
        const { person, other, shared, spare } = await household(2)
        const [cards, agents] = [
          [shared, ...spare],
          [person.agentId, other],
        ]
        const model: Model = { own: new Map(), standard: shared }
        for (const { act, agent, card } of steps) {
          await acts[act](person, model, { clientId: agents[agent] ?? '', cardId: cards[card] ?? '' })
        }
      }),
      { numRuns: 8 },
    )
  },
  PATIENCE_MS,
)
