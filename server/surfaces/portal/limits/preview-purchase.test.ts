import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../../base/core/sql'
import { saveAgentLimits, saveLimits } from '../../../wallet/limits'
import { freezeSpending } from '../../agents'
import { previewPurchaseProcedure } from './contract'
import { previewPurchase } from './preview-purchase'

let money: MoneyFixture
beforeAll(async () => {
  money = await openMoneyFixture()
})
afterAll(() => money.close())

const preview = (person: Person, ask: object = {}) =>
  previewPurchase(
    money.wallet(person),
    previewPurchaseProcedure.input.parse({ amount_minor: 1_000, currency: 'EUR', ...ask }),
  )
const limit = (person: Person, limits: Parameters<typeof saveLimits.verb>[1]) =>
  saveLimits.verb(money.wallet(person), limits)
const change = (person: Person, what: string) =>
  money.platform.db.query(sql`UPDATE principals SET ${sql.raw(what)} WHERE id = ${person.principalId}`)
const rule = (person: Person, verdict: 'allow' | 'deny', clientId: string | null) =>
  money.platform.db.query(
    sql`INSERT INTO principal_merchant_rules (id, principal_id, merchant_audience, client_id, verdict, updated_at)
     VALUES (${money.platform.random.uuid()}, ${person.principalId}, ${MERCHANT}, ${clientId}, ${verdict}, ${money.clock.now()})`,
  )
const remember = (person: Person) =>
  money.platform.db.query(
    sql`INSERT INTO remembered_approvals (principal_id, client_id, subject, created_at, up_to_minor, currency, merchant_name, card_id)
     SELECT ${person.principalId}, ${person.agentId}, ${`merchant:${MERCHANT}`}, ${money.clock.now()}, 2000, 'EUR', 'Tallow Books',
            (SELECT id FROM chargeable_cards WHERE principal_id = ${person.principalId})`,
  )

describe('by limits', () => {
  test('a preview names the limit that the purchase would exceed, its owner, and what it would have to be', async () => {
    const person = await money.person()
    await limit(person, { daily_cap_minor: 1_500, single_txn_cap_minor: 1_200, currency: 'EUR' })
    expect(await preview(person, { amount_minor: 1_201 })).toEqual({
      outcome: 'asked',
      reason: {
        code: 'limit',
        scope: 'wallet',
        kind: 'single_txn_cap',
        current: 1_200,
        requested: 1_201,
        currency: 'EUR',
      },
    })
    expect(await preview(person, { currency: 'JPY' })).toEqual({
      outcome: 'refused',
      reason: { code: 'currency', scope: 'wallet', currency: 'EUR' },
    })
  })

  test("an agent's own limits count when it is picked, and only then", async () => {
    const person = await money.person()
    await saveAgentLimits.verb(money.wallet(person), {
      client_id: person.agentId,
      velocity_count: 0,
      velocity_window_seconds: 60,
    })
    expect(await preview(person)).toMatchObject({ outcome: 'allowed' })
    expect(await preview(person, { client_id: person.agentId })).toMatchObject({
      outcome: 'asked',
      reason: { code: 'limit', scope: 'agent', kind: 'velocity', current: 0, requested: 1 },
    })
  })

  test('a preview says when spending is frozen', async () => {
    const person = await money.person()
    await freezeSpending.verb(money.wallet(person))
    expect(await preview(person)).toEqual({ outcome: 'refused', reason: { code: 'frozen' } })
  })
})

describe('by rules', () => {
  test('a remembered merchant needs no approval, a new one does', async () => {
    const person = await money.person()
    const there = { client_id: person.agentId, merchant_audience: MERCHANT }
    expect(await preview(person)).toEqual({ outcome: 'allowed', reason: { code: 'within_limits_if_known' } })
    expect(await preview(person, there)).toEqual({ outcome: 'asked', reason: { code: 'new_merchant' } })
    await remember(person)
    expect(await preview(person, there)).toEqual({ outcome: 'allowed', reason: { code: 'remembered' } })
    await change(person, `approval_rule = 'every_purchase'`)
    expect(await preview(person, there)).toEqual({ outcome: 'asked', reason: { code: 'every_purchase' } })
    await change(person, `approval_rule = 'above_limits'`)
    expect(await preview(person, there)).toEqual({ outcome: 'allowed', reason: { code: 'within_limits' } })
  })

  test('a blocked merchant is refused, for the agent that the rule is about', async () => {
    const person = await money.person()
    const other = await money.agent(person.principalId)
    await rule(person, 'deny', person.agentId)
    const refused = { outcome: 'refused', reason: { code: 'merchant_not_allowed' } }
    expect(await preview(person, { merchant_audience: MERCHANT, client_id: person.agentId })).toEqual(refused)
    expect(await preview(person, { merchant_audience: MERCHANT, client_id: other })).toMatchObject({ outcome: 'asked' })
    await change(person, 'only_listed_merchants = true')
    expect(await preview(person, { merchant_audience: MERCHANT, client_id: other })).toEqual(refused)
    expect(await preview(person)).toMatchObject({ outcome: 'allowed' })
  })

  test.each<[string, string, (person: Person) => Promise<unknown>]>([
    ['restricted', 'refused', (person) => change(person, 'processing_restricted = true')],
    [
      'agent_revoked',
      'refused',
      ({ agentId }) =>
        money.platform.db.query(sql`UPDATE clients SET revoked_at = ${money.clock.now()} WHERE id = ${agentId}`),
    ],
    [
      'agent_paused',
      'refused',
      ({ agentId }) =>
        money.platform.db.query(sql`UPDATE clients SET paused_at = ${money.clock.now()} WHERE id = ${agentId}`),
    ],
    [
      'no_card',
      'refused',
      ({ principalId }) => money.platform.db.query(sql`DELETE FROM card_mandates WHERE principal_id = ${principalId}`),
    ],
  ])('%s', async (code, outcome, prepare) => {
    const person = await money.person()
    await prepare(person)
    const ask = { client_id: person.agentId, merchant_audience: MERCHANT }
    expect(await preview(person, ask)).toEqual({ outcome, reason: { code } })
  })

  test('a purchase that needs an approval is refused while approvals are switched off', async () => {
    const person = await money.person()
    await change(person, `approval_rule = 'every_purchase'`)
    const call = money.wallet(person, {
      ...money.platform,
      switches: { ...money.platform.switches, isOn: (name) => Promise.resolve(name !== 'consent_scan') },
    })
    const ask = { amount_minor: 1, currency: 'EUR' }
    expect(await previewPurchase(call, ask)).toEqual({ outcome: 'refused', reason: { code: 'approvals_off' } })
  })

  test("another person's agent is 404", async () => {
    const [person, other] = [await money.person(), await money.person({ card: null })]
    for (const clientId of [other.agentId, 'unknown', money.tenantId]) {
      await expect(preview(person, { client_id: clientId })).rejects.toMatchObject({
        code: 'not_found',
        description: 'There is no such agent.',
      })
    }
  })
})
