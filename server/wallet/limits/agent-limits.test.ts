import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MoneyFixture, openMoneyFixture, type Person } from '@/test/support/money-fixture'
import { sql } from '../../base/core/sql'
import { readAgentLimits, saveAgentLimits, saveLimits } from '.'
import { saveAgentLimitsEndpoint, saveLimitsBody } from './contract'

let money: MoneyFixture
let person: Person
beforeAll(async () => {
  money = await openMoneyFixture()
  person = await money.person({ card: null })
})
afterAll(() => money.close())

const read = (clientId: string, caller = person) => readAgentLimits.verb(money.wallet(caller), { client_id: clientId })
/** Saves an agent's limits and returns the parsed response. */
const save = async (clientId: string, body: Record<string, unknown>, caller = person) => {
  const wanted = { client_id: clientId, ...saveLimitsBody.parse(body) }
  return saveAgentLimitsEndpoint.output.parse(await saveAgentLimits.verb(money.wallet(caller), wanted))
}

const nothing = {
  daily_cap_minor: null,
  weekly_cap_minor: null,
  monthly_cap_minor: null,
  single_txn_cap_minor: null,
  currency: null,
  velocity_count: null,
  velocity_window_seconds: null,
}

describe('the limits of one agent', () => {
  test('the limits of an agent are null until they are saved, also when the person has limits', async () => {
    const caller = await money.person({ card: null })
    await saveLimits.verb(money.wallet(caller), { daily_cap_minor: 5_000, currency: 'EUR' })
    expect(await read(caller.agentId, caller)).toBeNull()
  })

  test('the limits of an agent are replaced as a whole, and the same payload again only moves updated_at', async () => {
    const body = { single_txn_cap_minor: 500, currency: 'EUR', velocity_count: 3, velocity_window_seconds: 60 }
    const saved = { ...nothing, ...body }
    expect(await save(person.agentId, body)).toEqual({ ...saved, updated_at: money.clock.now().toISOString() })
    money.clock.advance(1)
    expect(await save(person.agentId, body)).toEqual({ ...saved, updated_at: money.clock.now().toISOString() })
    expect(await save(person.agentId, { daily_cap_minor: 10, currency: 'EUR' })).toMatchObject({
      daily_cap_minor: 10,
      single_txn_cap_minor: null,
      velocity_count: null,
    })
    expect(await read(person.agentId)).toMatchObject({ daily_cap_minor: 10, single_txn_cap_minor: null })
    expect(await money.count('agent_limits', sql`client_id = ${person.agentId}`)).toBe(1)
  })

  test('limits of an agent that were saved without values limit nothing and are not null', async () => {
    const agentId = await money.agent(person.principalId)
    await save(agentId, {})
    expect(await read(agentId)).toEqual({ ...nothing, updated_at: money.clock.now().toISOString() })
  })

  test('the limits of an agent hold for that agent alone', async () => {
    const [one, other] = [await money.agent(person.principalId), await money.agent(person.principalId)]
    await save(one, { daily_cap_minor: 77, currency: 'EUR' })
    expect(await read(one)).toMatchObject({ daily_cap_minor: 77 })
    expect(await read(other)).toBeNull()
  })

  test.each([
    [{ daily_cap_minor: -1, currency: 'EUR' }, 'daily_cap_minor', 'greater_than_equal'],
    [{ daily_cap_minor: 2 ** 52, currency: 'EUR' }, 'daily_cap_minor', 'less_than_equal'],
    [{ velocity_count: -1 }, 'velocity_count', 'greater_than_equal'],
  ])("the limits %j are refused as for the person's own", async (body, field, type) => {
    await expect(save(person.agentId, body)).rejects.toMatchObject({ issues: [{ loc: ['body', field], type }] })
  })

  test("another person's agent, a wallet client and an unknown id look alike, and nothing is written", async () => {
    const stranger = await money.person({ card: null })
    for (const clientId of [stranger.agentId, money.tenantId, 'unknown', '']) {
      const refusal = { code: 'not_found', description: 'There is no such agent.' }
      await expect(read(clientId)).rejects.toMatchObject(refusal)
      await expect(save(clientId, { daily_cap_minor: 1, currency: 'EUR' })).rejects.toMatchObject(refusal)
      expect(await money.count('agent_limits', sql`client_id = ${clientId}`)).toBe(0)
    }
  })
})
