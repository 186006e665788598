/** Limits in several currencies, over HTTP, from the request to the settlement. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, must, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const EUROS = { daily_cap_minor: 2_000, currency: 'EUR' }
const DOLLARS = {
  USD: { daily_cap_minor: null, weekly_cap_minor: 3_000, monthly_cap_minor: null, single_txn_cap_minor: 1_500 },
}

async function household() {
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits', limits: EUROS })
  const agent = await Agent.register(app, principalId)
  const person = await Person.signIn(app, principalId)
  await app.platform.db.query(
    sql`UPDATE wallet_limits SET other_currencies = ${JSON.stringify(DOLLARS)}::jsonb WHERE principal_id = ${principalId}`,
  )
  return { agent, person, principalId }
}

const othersOf = async (principalId: string) => {
  const [row] = await app.platform.db.query<{ other_currencies: unknown }>(
    sql`SELECT other_currencies FROM wallet_limits WHERE principal_id = ${principalId}`,
  )
  return row?.other_currencies
}

describe('GET and POST /wallet/limits of a person with limits in several currencies', () => {
  test('speak of the main currency alone, and lose nothing of the others', async () => {
    const { person, principalId } = await household()
    const read = must(await person.call('GET', '/wallet/limits'), 200)
    expect(read).toMatchObject(EUROS)
    expect(read).not.toHaveProperty('other_currencies')
    const body = { daily_cap_minor: 1_000, currency: 'EUR' }
    const [first, second] = [
      must(await person.call('POST', '/wallet/limits', body), 200),
      must(await person.call('POST', '/wallet/limits', body), 200),
    ]
    expect({ ...second, updated_at: first['updated_at'] }).toEqual(first)
    expect(first).not.toHaveProperty('other_currencies')
    expect(await othersOf(principalId)).toEqual(DOLLARS)
  })

  test('replace the main currency by another one, whose own limits they replace too', async () => {
    const { person, principalId } = await household()
    const pounds = must(await person.call('POST', '/wallet/limits', { daily_cap_minor: 1, currency: 'GBP' }), 200)
    expect(pounds).toMatchObject({ daily_cap_minor: 1, currency: 'GBP' })
    expect(await othersOf(principalId)).toEqual(DOLLARS)
    must(await person.call('POST', '/wallet/limits', { daily_cap_minor: 1, currency: 'USD' }), 200)
    expect(await othersOf(principalId)).toBeNull()
  })

  test('do not take other currencies in the body', async () => {
    const { person, principalId } = await household()
    const refused = await person.call('POST', '/wallet/limits', { ...EUROS, other_currencies: {} })
    expect(refused.status).toBe(422)
    expect(await othersOf(principalId)).toEqual(DOLLARS)
  })
})

describe('a purchase', () => {
  test('above a limit of its currency is one question, in that currency, and paid once when approved', async () => {
    const { agent, person } = await household()
    const { form, verifier } = await agent.purchase({ amount_minor: 3_100, currency: 'USD' })
    const { request_uri: uri } = must(await agent.push(form), 201)
    const [consent] = await person.pending()
    expect(consent).toMatchObject({
      currency: 'USD',
      exceeds: [
        { kind: 'single_txn_cap', scope: 'wallet', current_minor: 1_500, requested_minor: 3_100 },
        { kind: 'weekly_cap', scope: 'wallet', current_minor: 3_000, requested_minor: 3_100 },
      ],
    })
    must(await person.decide(consent?.['authorization_id'], 'approve'), 200)
    const { result } = await agent.authorize(uri)
    const tokens = must(await agent.redeem(String(result['code']), verifier), 200)
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, 'first')).status).toBe(200)
    must(await agent.push((await agent.purchase({ amount_minor: 1, currency: 'USD' })).form), 201)
    expect(await person.pending()).toMatchObject([{ exceeds: [{ kind: 'weekly_cap', requested_minor: 3_101 }] }])
  })

  test('within the limits of each currency passes without a question', async () => {
    const { agent, person } = await household()
    for (const currency of ['EUR', 'USD']) {
      const bought = await agent.buy({ amount_minor: 1_500, currency })
      expect((await agent.settle(bought.access_token, bought.mandate_jwt, currency)).status).toBe(200)
    }
    expect(await person.pending()).toEqual([])
  })

  test('in a currency without limits is declined, naming those that have some', async () => {
    const { agent, person } = await household()
    const { form } = await agent.purchase({ amount_minor: 1, currency: 'GBP' })
    const { request_uri: uri } = must(await agent.push(form), 201)
    expect((await agent.authorize(uri)).result).toMatchObject({
      error: 'access_denied',
      error_description: 'The limits of this wallet are in EUR and USD.',
    })
    expect(await person.pending()).toEqual([])
  })
})
