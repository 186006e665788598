/** Limits per week and month and the time zone that they turn in, over HTTP, from the request to the settlement. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, must, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { setAuthentication } from '../support/wallet-token'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const LIMITS = {
  weekly_cap_minor: 10_000,
  monthly_cap_minor: 30_000,
  currency: 'EUR',
  time_zone: 'Europe/Berlin',
}

async function household() {
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  return { agent: await Agent.register(app, principalId), person: await Person.signIn(app, principalId) }
}

const save = (person: Person, body: object) => person.call('POST', '/wallet/limits', body)
const read = async (person: Person) => must(await person.call('GET', '/wallet/limits'), 200)

describe('GET and POST /wallet/limits', () => {
  test('limits per week and month and the time zone are saved and read, and UTC is the zone to begin with', async () => {
    const { person } = await household()
    expect(must(await save(person, { daily_cap_minor: 1, currency: 'EUR' }), 200)).toMatchObject({
      weekly_cap_minor: null,
      monthly_cap_minor: null,
      time_zone: 'UTC',
    })
    expect(must(await save(person, LIMITS), 200)).toMatchObject({ ...LIMITS, daily_cap_minor: null })
    expect(await read(person)).toMatchObject(LIMITS)
  })

  test('a client that knows neither weeks nor months leaves these limits as they are', async () => {
    const { person } = await household()
    must(await save(person, LIMITS), 200)
    must(await save(person, { daily_cap_minor: 5_000, single_txn_cap_minor: 2_000, currency: 'EUR' }), 200)
    expect(await read(person)).toMatchObject({ ...LIMITS, daily_cap_minor: 5_000 })
  })

  test.each([
    [{ weekly_cap_minor: -1, currency: 'EUR' }],
    [{ weekly_cap_minor: 1.5, currency: 'EUR' }],
    [{ monthly_cap_minor: -1 }],
    [{ time_zone: 'Mars/Olympus_Mons' }],
    [{ time_zone: '+01:00' }],
    [{ time_zone: '' }],
    [{ time_zone: `Europe/${'x'.repeat(60)}` }],
    [{ time_zone: 'Europe/Berlin\u0000' }],
    [{ time_zone: ['UTC'] }],
    [{ currency: 'USD' }],
  ])('the limits %j are 422 and change nothing', async (body) => {
    const { person } = await household()
    must(await save(person, LIMITS), 200)
    const before = await read(person)
    expect((await save(person, body)).status).toBe(422)
    expect(await read(person)).toEqual(before)
  })
})

describe('a token that the person did not confirm', () => {
  test.each<[string, object]>([
    ['a higher limit per week', { ...LIMITS, weekly_cap_minor: 10_001 }],
    ['no limit per week', { ...LIMITS, weekly_cap_minor: null }],
    ['a higher limit per month', { ...LIMITS, monthly_cap_minor: 30_001 }],
    ['no limit per month', { ...LIMITS, monthly_cap_minor: null }],
    ['another time zone', { ...LIMITS, time_zone: 'Pacific/Kiritimati' }],
    ['a lower limit in another time zone', { ...LIMITS, weekly_cap_minor: 1, time_zone: 'UTC' }],
  ])('does not set %s', async (_what, body) => {
    const { person } = await household()
    must(await save(person, LIMITS), 200)
    await setAuthentication(app, person.token, 'rule')
    const refused = await save(person, body)
    expect([refused.status, refused.json]).toMatchObject([401, { error: 'insufficient_user_authentication' }])
    expect(await read(person)).toMatchObject(LIMITS)
    await setAuthentication(app, person.token, 'phr')
    expect(must(await save(person, body), 200)).toMatchObject(body)
  })

  test('lowers limits per week and month, and sets first ones with their time zone', async () => {
    const { person } = await household()
    await setAuthentication(app, person.token, 'rule')
    must(await save(person, LIMITS), 200)
    const lower = { ...LIMITS, weekly_cap_minor: 9_999, monthly_cap_minor: 0 }
    expect(must(await save(person, lower), 200)).toMatchObject(lower)
  })

  test("does not move the weeks of an agent's own limits by another time zone", async () => {
    const { agent, person } = await household()
    must(
      await person.call('POST', `/wallet/agents/${agent.clientId}/limits`, { weekly_cap_minor: 1, currency: 'EUR' }),
      200,
    )
    await setAuthentication(app, person.token, 'rule')
    expect((await save(person, { time_zone: 'Asia/Tokyo' })).status).toBe(401)
    await setAuthentication(app, person.token, 'phr')
    expect(must(await save(person, { time_zone: 'Asia/Tokyo' }), 200)).toMatchObject({ time_zone: 'Asia/Tokyo' })
  })
})

describe('a purchase above a limit per week', () => {
  test('waits for the person, who is told of week and month, and passes once when they approve', async () => {
    const { agent, person } = await household()
    must(await save(person, { ...LIMITS, weekly_cap_minor: 2_000, monthly_cap_minor: 2_500 }), 200)
    const { form, verifier } = await agent.purchase({ amount_minor: 3_000 })
    const { request_uri: uri } = must(await agent.push(form), 201)
    const [consent] = await person.pending()
    expect(consent?.['exceeds']).toEqual([
      { kind: 'weekly_cap', scope: 'wallet', current_minor: 2_000, requested_minor: 3_000 },
      { kind: 'monthly_cap', scope: 'wallet', current_minor: 2_500, requested_minor: 3_000 },
    ])
    must(await person.decide(consent?.['authorization_id'], 'approve'), 200)
    const { result } = await agent.authorize(uri)
    const tokens = must(await agent.redeem(String(result['code']), verifier), 200)
    expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, 'first')).status).toBe(200)
    const again = await agent.push((await agent.purchase({ amount_minor: 1 })).form)
    expect([again.status, (await person.pending()).length]).toEqual([201, 1])
  })

  test('is refused at settlement when another one was faster, with the limit and a request', async () => {
    const { agent, person } = await household()
    must(await save(person, { ...LIMITS, weekly_cap_minor: 3_000 }), 200)
    const bought = [await agent.buy({ amount_minor: 2_000 }), await agent.buy({ amount_minor: 2_000 })]
    const answers = await Promise.all(
      bought.map((each, n) => agent.settle(each.access_token, each.mandate_jwt, `race-${n}`)),
    )
    const refused = answers.find(({ status }) => status !== 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([refused?.status, refused?.json]).toMatchObject([
      403,
      {
        error: 'limit_exceeded',
        limit: 'weekly_cap',
        error_description: "The payment is above the principal's weekly limit.",
      },
    ])
  })

  test('in another currency than that of the limit is declined', async () => {
    const { agent, person } = await household()
    must(await save(person, { ...LIMITS, currency: 'USD' }), 200)
    const { form } = await agent.purchase({ amount_minor: 1 })
    const { request_uri: uri } = must(await agent.push(form), 201)
    expect((await agent.authorize(uri)).result).toMatchObject({ error: 'access_denied' })
  })
})
