import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { ServiceError } from '../../base/core/errors'
import { sql } from '../../base/core/sql'
import {
  chooseAgentCard,
  confirmSetupIntent,
  createSetupIntent,
  findPayingCard,
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

/** Returns whether a payment of the agent is refused for want of a card. */
const isRefused = async (person: Person, agentId: string): Promise<boolean> =>
  money.settle(await money.mandate(person, { agentId, amountMinor: 100 })).then(
    () => false,
    (error: unknown) => error instanceof ServiceError && error.code === 'card_required',
  )

describe('a card of one agent', () => {
  test('an agent whose own card was removed learns that another has to be chosen, not that there is none', async () => {
    const { person, spare } = await household()
    await choose(person, person.agentId, spare[0] ?? '')
    await removeCard.verb(money.wallet(person), { card_id: spare[0] ?? '' })
    await expect(money.settle(await money.mandate(person))).rejects.toMatchObject({
      code: 'card_required',
      message: 'The card of this agent was removed. The person has to choose another card for it, or the default.',
    })
  })

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

  test('after its removal the agent pays with no card until the person chooses one for it', async () => {
    const { person, other, shared, spare } = await household(2)
    const [one = '', two = ''] = spare
    await choose(person, person.agentId, one)
    await removeCard.verb(money.wallet(person), { card_id: one })
    expect(await isRefused(person, person.agentId)).toBe(true)
    expect(await charged(person, other)).toBe(shared)
    await makeDefaultCard.verb(money.wallet(person), { card_id: two })
    expect(await isRefused(person, person.agentId)).toBe(true)
    await choose(person, person.agentId, shared)
    expect(await charged(person)).toBe(shared)
    await removeCard.verb(money.wallet(person), { card_id: shared })
    await choose(person, person.agentId, null)
    expect(await charged(person)).toBe(two)
  })

  test('no other card becomes the default when the default is removed, or is free again', async () => {
    const { person, other, shared, spare } = await household(2)
    const [own = '', free = ''] = spare
    await choose(person, person.agentId, own)
    await removeCard.verb(money.wallet(person), { card_id: shared })
    expect(await charged(person)).toBe(own)
    expect(await isRefused(person, other)).toBe(true)
    await choose(person, person.agentId, null)
    expect((await cardsOf(person)).map(({ id, is_default: isDefault }) => [id, isDefault])).toEqual([
      [own, false],
      [free, false],
    ])
    expect(await isRefused(person, person.agentId)).toBe(true)
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
    await choose(person, person.agentId, own)
    await removeCard.verb(money.wallet(person), { card_id: own })
    await choose(person, person.agentId, null)
    await choose(person, person.agentId, null)
    const entries = await money.platform.db.query<{ payload: unknown }>(
      sql`SELECT payload::jsonb AS payload FROM audit_entries WHERE principal_id = ${person.principalId} AND event = 'oid4ac.card.changed' ORDER BY seq`,
    )
    const about = { what: 'card', means: 'magic_link', card_mandate_id: own, agent_client_id: person.agentId }
    expect(entries.map(({ payload }) => payload)).toMatchObject([
      { ...about, from: 'saved', to: 'agent' },
      { ...about, from: 'agent', to: 'saved' },
      { ...about, from: 'saved', to: 'agent' },
      { ...about, from: 'agent', to: 'removed' },
      { ...about, from: 'removed', to: 'released' },
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
  act: fc.constantFrom('bind', 'release', 'default', 'remove', 'pay'),
  agent: fc.integer({ min: 0, max: 1 }),
  card: fc.integer({ min: 0, max: 2 }),
})

/** The expected state: the saved cards, each agent's own card, also a removed one, and the default. */
interface Model {
  readonly saved: Set<string>
  readonly own: Map<string, string>
  standard: string | null
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

const acts: Readonly<Record<'bind' | 'release' | 'default' | 'remove' | 'pay', Act>> = {
  pay: async (person, { saved, own, standard }, { clientId }) => {
    const chosen = own.get(clientId) ?? standard
    const cardId = chosen !== null && saved.has(chosen) ? chosen : null
    const agent = { principalId: person.principalId, clientId }
    const isOwnRemoved = own.has(clientId) && cardId === null
    expect(await findPayingCard(money.platform.db, agent)).toEqual({ cardId, isOwnRemoved })
    if (cardId === null) expect(await isRefused(person, clientId)).toBe(true)
    else expect(await charged(person, clientId)).toBe(cardId)
  },
  release: async (person, { own }, { clientId }) => {
    await choose(person, clientId, null)
    own.delete(clientId)
  },
  bind: async (person, { saved, own, standard }, { clientId, cardId }) => {
    const isTaken = [...own].some(([holder, card]) => card === cardId && holder !== clientId)
    const isFree = saved.has(cardId) && cardId !== standard && !isTaken
    expect(await succeeds(choose(person, clientId, cardId))).toBe(isFree)
    if (isFree) own.set(clientId, cardId)
  },
  default: async (person, model, { cardId }) => {
    const isFree = model.saved.has(cardId) && ![...model.own.values()].includes(cardId)
    const attempt = makeDefaultCard.verb(money.wallet(person), { card_id: cardId })
    expect(await succeeds(Promise.resolve(attempt))).toBe(isFree)
    if (isFree) model.standard = cardId
  },
  remove: async (person, model, { cardId }) => {
    const attempt = removeCard.verb(money.wallet(person), { card_id: cardId })
    expect(await succeeds(Promise.resolve(attempt))).toBe(model.saved.delete(cardId))
    if (model.standard === cardId) model.standard = null
  },
}

test(
  'after any choices and removals, each agent pays with the card chosen for it or the default, or with none, and pages say so',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const { person, other, shared, spare } = await household(2)
        const [cards, agents] = [
          [shared, ...spare],
          [person.agentId, other],
        ]
        const model: Model = { saved: new Set(cards), own: new Map(), standard: shared }
        for (const { act, agent, card } of steps) {
          await acts[act](person, model, { clientId: agents[agent] ?? '', cardId: cards[card] ?? '' })
        }
      }),
      { numRuns: 8 },
    )
  },
  PATIENCE_MS,
)
