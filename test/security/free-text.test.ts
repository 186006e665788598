/** Decisions D25 and G46: what a text that people get to see may hold. The rule itself is tested as a table beside it. */
import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { readyAgent, withApp } from '../oauth/setup'
import { type Agent, exchange, newKey, newPrincipal, newSetupToken, operate, REDIRECT_URI } from '../support/actors'
import type { App } from '../support/app'

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

const HIDDEN = [
  'Tallow\u202eskooB',
  'a\u200bb',
  'two\nlines',
  'a\u2028b',
  'bell\u0007',
  '\u200djoined',
  'tag\u{e0041}',
  'Shop helpe\u{e0100}r',
  '\u2800',
  'pile\u0301\u0302\u0303\u0304\u0305',
  'x\u20dd',
  'private\ue000',
  'none\uffff',
] as const
const CARDS = [
  '4242424242424242',
  'my card 4242 4242 4242 4242',
  '3782-822463-10005',
  '４２４２４２４２４２４２４２４２',
] as const
const BAD = [...HIDDEN.map((value) => ['D25', value] as const), ...CARDS.map((value) => ['G46', value] as const)]

const words = (decision: 'D25' | 'G46') => (decision === 'D25' ? 'plain text' : 'card number')

describe('a purchase', () => {
  const pushWith = async (item: Record<string, unknown>, more: { offer_id?: string } = {}) => {
    const { form } = await agent.purchase({ line_items: [{ sku: 'book', qty: 1, ...item }], ...more })
    return agent.push(form)
  }

  test.each(BAD)(
    '%s a title, sku or offer_id with %j is refused, and the refusal says why',
    async (decision, value) => {
      const refused = [
        ['line_items.0.title', await pushWith({ title: value })],
        ['line_items.0.sku', await pushWith({ sku: value })],
        ['offer_id', await pushWith({}, { offer_id: value })],
      ] as const
      for (const [member, { status, json }] of refused) {
        expect([member, status, json]).toMatchObject([member, 400, { error: 'invalid_authorization_details' }])
        expect(json).toHaveProperty('error_description', expect.stringContaining(`${member} in authorization_details`))
        expect(json).toHaveProperty('error_description', expect.stringContaining(words(decision)))
      }
    },
  )

  test('D25 letters of any script, emoji and their joiners are taken', async () => {
    const pushed = await pushWith(
      { title: 'Zoë 👩‍🚀 ❤️‍🔥 1️⃣ می‌خواهم क्‍ष 葛󠄀 လျှော့ဈေး', sku: 'é-1' },
      { offer_id: 'Ω offer' },
    )
    expect(pushed.status, pushed.text).toBe(201)
  })

  test('G46 the number of an article is a sku', async () => {
    // An ISBN that passes the Luhn check too.
    expect((await pushWith({ sku: '9780141430072' })).status).toBe(201)
  })
})

describe('a registration', () => {
  const registerWith = async (setupToken: string, more: Record<string, string>) => {
    const key = await newKey()
    const body = { redirect_uris: [REDIRECT_URI], jwks: { keys: [key.jwk] }, software_statement: setupToken, ...more }
    return exchange(`${app.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  test.each(BAD)(
    '%s a client_name or purpose with %j is refused, and the refusal says why',
    async (decision, value) => {
      const { principalId } = await newPrincipal(app)
      const setupToken = await newSetupToken(app, principalId)
      for (const member of ['client_name', 'purpose']) {
        const { status, json } = await registerWith(setupToken, { [member]: value })
        expect([status, json]).toMatchObject([400, { error: 'invalid_client_metadata' }])
        expect(json['error_description']).toContain(member)
        expect(json['error_description']).toContain(words(decision))
      }
      const [row] = await app.platform.db.query(sql`SELECT 1 FROM clients WHERE name = ${value} OR purpose = ${value}`)
      expect(row).toBeUndefined()
    },
  )
})

describe('what a wallet shows', () => {
  const post = async (path: string, body: object) =>
    exchange(app.baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${app.operatorToken}` },
      body: JSON.stringify(body),
    })
  const offerFor = async (purpose: string) => {
    const { principalId } = await newPrincipal(app)
    const subject = { principal_id: principalId, purpose }
    return post('/oid4vci/credential-offer', { credential_configuration_id: 'service_mandate', subject })
  }
  const requestFor = (transaction: object) => {
    const meta = { vct_values: ['https://credentials.example/identity/1'] }
    const credentials = [{ id: 'pid', format: 'dc+sd-jwt', meta }]
    return post('/eudiw/request', { dcql_query: { credentials }, transaction_data: transaction })
  }
  const PAYMENT = { type: 'urn:eudi:sca:payment:1', transaction_id: 't', amount_minor: 1, currency: 'EUR' }
  const payee = (name: string, id: string) => ({ ...PAYMENT, payee: { name, id } })
  const CARD = '4242424242424242'

  test.each(BAD)('%s the purpose of an offer and a payee with %j are refused', async (decision, value) => {
    const refused = [
      await offerFor(value),
      await requestFor(payee(value, 'IE29')),
      await requestFor({ merchant: value }),
    ]
    for (const { status, text } of refused) {
      expect([status, text]).toEqual([422, expect.stringContaining(words(decision))])
    }
  })

  test.each(HIDDEN)('D25 no name or number of a payment holds %j', async (value) => {
    const refused = [
      payee('Tallow Books', value),
      { ...payee('Tallow Books', 'IE29'), transaction_id: value },
      { mandate_ref: value },
      { offer_digest: value },
    ]
    for (const transaction of refused) {
      const { status, text } = await requestFor(transaction)
      expect([status, text]).toEqual([422, expect.stringContaining('plain text')])
    }
  })

  test('G46 the number of an account may look like a card’s', async () => {
    expect((await requestFor(payee('Tallow Books', CARD))).status).toBe(200)
    expect((await requestFor({ mandate_ref: CARD })).status).toBe(200)
    expect((await offerFor('Books for Zoë')).status).toBe(200)
  })
})

describe('what the operator writes', () => {
  test.each(BAD)('%s a display name, a wallet or a merchant called %j is refused', async (decision, value) => {
    const { clientId } = await agentTenant()
    const key = await newKey()
    const refused = [
      await operate(app, 'POST', '/principals', { wallet_client_id: clientId, display_name: value }),
      await operate(app, 'POST', '/wallet-clients', { name: value, jwks: { keys: [key.jwk] } }),
      await operate(app, 'POST', '/merchants', { ...MERCHANT, business_name: value }),
    ]
    for (const { status, text } of refused) {
      expect([status, text]).toEqual([422, expect.stringContaining(words(decision))])
    }
  })

  test('D25 a plain merchant name is taken', async () => {
    const created = await operate(app, 'POST', '/merchants', MERCHANT)
    expect(created.status, created.text).toBe(201)
  })
})

const MERCHANT = {
  merchant_audience: 'https://plain-names.example',
  business_name: 'Zoë & Söhne',
  country: 'DE',
  accepts_currency: ['EUR'],
  accepts_rail: ['card'],
}

async function agentTenant() {
  const [row] = await app.platform.db.query<{ tenant_id: string }>(
    sql`SELECT tenant_id FROM clients WHERE id = ${agent.clientId}`,
  )
  return { clientId: row?.tenant_id ?? '' }
}
