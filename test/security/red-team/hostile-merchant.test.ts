/** A shop that is in the directory and wants more than it was promised, or what was promised to another. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exchange, must, operate, type TokenAnswer } from '../../support/actors'
import { afterPayment, type Household, openScene, presentMandate } from './scene'

const BOOK = [{ sku: 'book', qty: 1, unit_price_minor: 1_200 }]

const scene = openScene()

describe('a hostile merchant', () => {
  async function newShop(account: string) {
    const audience = `https://${randomUUID()}.example`
    const body = { merchant_audience: audience, business_name: 'Shop', country: 'IE', accepts_currency: ['EUR'] }
    const more = { verification_status: 'verified', connected_account_id: account }
    must(await operate(scene.app, 'POST', '/merchants', { ...body, ...more }), 201)
    return audience
  }

  /** What the agent shows the shop: the mandate with a key binding for this shop and nonce. */
  async function present(home: Household, { mandate_jwt: mandate }: TokenAnswer, audience: string): Promise<string> {
    const { json } = await exchange<{ nonce: string }>(`${scene.app.baseUrl}/merchant_test/nonce`)
    return presentMandate(home.agent, mandate, { audience, nonce: json.nonce })
  }

  const charge = (presentation: string, more: Record<string, unknown> = {}) =>
    exchange(`${scene.app.baseUrl}/merchant_test/charge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ presentation, line_items: BOOK, idempotency_key: randomUUID(), ...more }),
    })

  test('charges a presentation once, whatever it tries with it afterwards', async () => {
    const home = await scene.household()
    const shop = await newShop('acct_one')
    const bought = await home.agent.buy({ merchant: shop, amount_minor: 1_200, line_items: BOOK })
    const presentation = await present(home, bought, shop)
    const before = await scene.books(home)
    const first = await charge(presentation)
    expect(first.status, first.text).toBe(200)
    const again = await Promise.all([charge(presentation), charge(presentation), charge(presentation)])
    expect(
      again.every(({ status }) => status !== 200),
      again.map(({ text }) => text).join(),
    ).toBe(true)
    expect(await scene.books(home)).toEqual(afterPayment(before, 1_200))
  })

  test('cannot have the money of a mandate for another shop, nor send it to another account', async () => {
    const home = await scene.household()
    const [honest, hostile] = [await newShop('acct_honest'), await newShop('acct_hostile')]
    const bought = await home.agent.buy({ merchant: honest, amount_minor: 1_200, line_items: BOOK })
    const before = await scene.books(home)
    const relayed = await charge(await present(home, bought, hostile))
    expect([relayed.status, relayed.json['error']]).toEqual([422, 'mandate_audience_mismatch'])
    const diverted = await home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID(), {
      connected_account_id: 'acct_hostile',
    })
    expect([diverted.status, diverted.json['error']]).toEqual([403, 'forbidden'])
    expect(await scene.books(home)).toEqual(before)
  })

  test('cannot change what was agreed: price, quantity, article, or one more item', async () => {
    const home = await scene.household()
    const shop = await newShop('acct_two')
    const bought = await home.agent.buy({ merchant: shop, amount_minor: 1_200, line_items: BOOK })
    const altered = [
      [{ sku: 'book', qty: 1, unit_price_minor: 1_201 }],
      [{ sku: 'book', qty: 2, unit_price_minor: 600 }],
      [{ sku: 'gift-card', qty: 1, unit_price_minor: 1_200 }],
      [...BOOK, { sku: 'bag', qty: 1, unit_price_minor: 0 }],
    ]
    const before = await scene.books(home)
    for (const items of altered) {
      const answer = await charge(await present(home, bought, shop), { line_items: items })
      expect([answer.status, answer.json['error']]).toEqual([422, 'mandate_invalid'])
    }
    expect(await scene.books(home)).toEqual(before)
  })

  test('cannot come back under another spelling of a blocked address', async () => {
    const home = await scene.household()
    const shop = await newShop('acct_three')
    const rule = { merchant_audience: shop, agent_client_id: null, verdict: 'deny' }
    must(await home.person.call('POST', '/wallet/merchant-rules', rule), 200)
    const host = shop.slice('https://'.length)
    const spellings = [
      shop,
      `${shop}/`,
      `${shop}:443`,
      `https://${host.toUpperCase()}`,
      `${shop}.`,
      `${shop}/pay/../checkout`,
    ]
    const before = await scene.books(home)
    for (const merchant of spellings) {
      const pushed = await home.agent.push((await home.agent.purchase({ merchant, amount_minor: 100 })).form)
      const answer = pushed.status === 201 ? (await home.agent.authorize(pushed.json.request_uri)).result : pushed.json
      expect([merchant, answer]).toMatchObject([
        merchant,
        { error: expect.stringMatching(/access_denied|invalid_target/) },
      ])
    }
    expect(await scene.books(home)).toEqual(before)
  })

  test('gets nothing when the person has revoked the agent between mandate and charge', async () => {
    const home = await scene.household()
    const shop = await newShop('acct_four')
    const bought = await home.agent.buy({ merchant: shop, amount_minor: 1_200, line_items: BOOK })
    const presentation = await present(home, bought, shop)
    must(await home.person.call('POST', `/wallet/agents/${home.agent.clientId}/revoke`), 200)
    const before = await scene.books(home)
    const late = await charge(presentation)
    expect([late.status, late.json['error']]).toEqual([422, 'mandate_status_revoked'])
    expect(await scene.books(home)).toEqual(before)
  })
})
