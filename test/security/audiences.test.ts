/** Decision C18: what an audience is, which spellings name the same one, and how far rules about it reach. */
import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  clientAssertion,
  exchange,
  type Key,
  newPrincipal,
  newWalletClient,
  operate,
  Person,
} from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
let wallet: Readonly<{ clientId: string; key: Key }>
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  wallet = await newWalletClient(app)
})
afterAll(() => app.close())

async function newHousehold(target = app) {
  const options = target === app ? { wallet_client_id: wallet.clientId } : {}
  const { principalId } = await newPrincipal(target, { approval_rule: 'above_limits', ...options })
  return { person: await Person.signIn(target, principalId), agent: await Agent.register(target, principalId) }
}

const newHost = () => `shop-${randomUUID()}.example`
const rule = (person: Person, merchant: string, verdict: 'allow' | 'deny' | null) =>
  person.call('POST', '/wallet/merchant-rules', { merchant_audience: merchant, verdict })

/** `invalid_target` and the like at PAR, else what authorize says. */
async function tryToBuy(agent: Agent, merchant: string): Promise<unknown> {
  const { form } = await agent.purchase({ merchant })
  const pushed = await agent.push({ ...form, resource: [merchant, agent.target.baseUrl] })
  if (pushed.status !== 201) return [pushed.status, (pushed.json as Record<string, unknown>)['error']]
  const { result } = await agent.authorize(pushed.json.request_uri)
  return result['error'] ?? (result['code'] === undefined ? 'nothing' : 'code')
}

async function tenantSays(merchant: string, agent: Agent, action: 'allow' | 'deny') {
  return exchange(`${app.baseUrl}/wallet/policy/${encodeURIComponent(merchant)}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: wallet.clientId,
      client_assertion: await clientAssertion(app, wallet),
      agent_client_id: agent.clientId,
    }),
  })
}

const noAudience = [
  'http://shop.example',
  'https://me@shop.example',
  'https://shop.example?a=1',
  'https://shop.example//a',
  'https://shop.example/a%5Cb',
  'https://shop.example/a%20b',
  'https://shop.example/a%0Ab',
  'https://10.0.0.1',
  'https://167772161',
  'https://012.0.0.1',
  'https://169.254.169.254/latest',
  'https://[::ffff:10.0.0.1]',
  'https://[64:ff9b::a00:1]',
  'https://[fe80::1]',
  'https://1.0.0.127.in-addr.arpa',
  'https://sh\u200bop\u00ad.example',
  'https://ｓhop.example',
]

describe('C18 what is no audience', () => {
  test.each(noAudience)('C18 %s is invalid_target at PAR and 422 in rules', async (merchant) => {
    const { person, agent } = await newHousehold()
    expect(await tryToBuy(agent, merchant)).toEqual([400, 'invalid_target'])
    for (const verdict of ['allow', 'deny', null] as const) {
      expect((await rule(person, merchant, verdict)).status, String(verdict)).toBe(422)
    }
    for (const action of ['allow', 'deny'] as const) {
      expect((await tenantSays(merchant, agent, action)).status, action).toBe(422)
    }
    const created = await operate(app, 'POST', '/merchants', {
      merchant_audience: merchant,
      business_name: 'Shop',
      country: 'IE',
      accepts_currency: ['EUR'],
    })
    expect(created.status, created.text).toBe(422)
  })

  test('C18 a fragment is no audience', async () => {
    const { agent } = await newHousehold()
    expect(await tryToBuy(agent, 'https://shop.example#a')).toEqual([400, 'invalid_target'])
  })

  test('C18 a loopback host, .local and .internal are merchants in a sandbox on a loopback host alone', async () => {
    const { agent } = await newHousehold()
    const own = ['http://localhost:3000/shop', 'http://127.0.0.1:1', 'https://printer.local', 'https://shop.internal']
    for (const merchant of own) expect([merchant, await tryToBuy(agent, merchant)]).toEqual([merchant, 'code'])
  })
})

describe('C18 one audience, however it is spelled', () => {
  test('C18 a deny holds for every spelling, and the mandate carries the one that was sent', async () => {
    const { person, agent } = await newHousehold()
    const host = newHost()
    const spellings = [
      `https://${host}/`,
      `HTTPS://${host.toUpperCase()}`,
      `https://${host}:443`,
      `https://${host}.`,
      `https://${host}?`,
      `https://${host}/?`,
      `https://${host}/a/..`,
      `https://${host.replace('shop', '%73hop')}`,
    ]
    const sent = `https://${host}/`
    expect(decodeJwt((await agent.buy({ merchant: sent })).mandate_jwt.split('~', 1)[0] ?? '').aud).toBe(sent)
    for (const spelling of spellings) {
      const saved = await rule(person, spelling, 'deny')
      expect(saved.json).toMatchObject({ merchant_audience: `https://${host}` })
      for (const other of spellings) expect([other, await tryToBuy(agent, other)]).toEqual([other, 'access_denied'])
      await rule(person, spelling, null)
      expect(await tryToBuy(agent, spelling)).toBe('code')
    }
  })

  test('C18 a U-label and its A-label are one audience, and so are a path with a slash at its end and without', async () => {
    const { person, agent } = await newHousehold()
    await rule(person, 'https://bücher.example', 'deny')
    expect(await tryToBuy(agent, 'https://xn--bcher-kva.example')).toBe('access_denied')
    expect(await tryToBuy(agent, 'https://BÜCHER.example/')).toBe('access_denied')
    const shop = `https://${newHost()}/%7eshop`
    await rule(person, `${shop}/`, 'deny')
    expect(await tryToBuy(agent, shop.replace('%7e', '~'))).toBe('access_denied')
  })
})

describe('C18 how far a rule reaches', () => {
  test('C18 a deny of the person covers everything beneath its path and nothing beside it', async () => {
    const { person, agent } = await newHousehold()
    const shop = `https://${newHost()}`
    await rule(person, `${shop}/books`, 'deny')
    for (const beneath of [`${shop}/books`, `${shop}/books/old/`, `${shop}/a/../books/new`]) {
      expect([beneath, await tryToBuy(agent, beneath)]).toEqual([beneath, 'access_denied'])
    }
    for (const beside of [shop, `${shop}/bookshelf`, `${shop}:8443/books`]) {
      expect([beside, await tryToBuy(agent, beside)]).toEqual([beside, 'code'])
    }
    await rule(person, `${shop}/books/old`, 'allow')
    expect(await tryToBuy(agent, `${shop}/books/old`)).toBe('access_denied')
  })

  test('C18 a deny of the tenant covers everything beneath its path, for that agent', async () => {
    const [one, other] = [await newHousehold(), await newHousehold()]
    const shop = `https://${newHost()}`
    expect((await tenantSays(shop, one.agent, 'deny')).status).toBe(200)
    expect((await tenantSays(`${shop}/books`, one.agent, 'allow')).status).toBe(200)
    expect(await tryToBuy(one.agent, `${shop}/books`)).toBe('access_denied')
    expect(await tryToBuy(one.agent, `${shop}/other/place`)).toBe('access_denied')
    expect(await tryToBuy(other.agent, `${shop}/books`)).toBe('code')
  })

  test('C18 an allow covers exactly its address', async () => {
    const { person, agent } = await newHousehold()
    const shop = `https://${newHost()}`
    await rule(person, `${shop}/books`, 'allow')
    expect((await person.call('POST', '/wallet/merchant-rules/gate', { only_listed: true })).status).toBe(200)
    expect(await tryToBuy(agent, `${shop}/books/`)).toBe('code')
    expect(await tryToBuy(agent, `${shop}/books/old`)).toBe('access_denied')
    expect(await tryToBuy(agent, shop)).toBe('access_denied')
  })

  test('C18 a deny of an address above stops a mandate that is settled later', async () => {
    const { person, agent } = await newHousehold()
    const shop = `https://${newHost()}`
    const bought = await agent.buy({ merchant: `${shop}/books` })
    await rule(person, shop, 'deny')
    const settled = await agent.settle(bought.access_token, bought.mandate_jwt, randomUUID())
    expect([settled.status, settled.json['error']]).toEqual([403, 'forbidden'])
  })
})
