/** A model that was talked into it: by a page, a message or a shop. It holds the agent's keys and does what it was told. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exchange, must, Person } from '../../support/actors'
import { bookOrder, startBuyer } from '../../tool-server/buyer'
import { json, listen } from '../../tool-server/listener'
import { removeHomes } from '../../tool-server/tool-host'
import { afterPayment, openScene, presentMandate } from './scene'

const scene = openScene()

describe('a misled model', () => {
  test('cannot split a purchase into parts that each stay below the limits', async () => {
    const home = await scene.household()
    const before = await scene.books(home)
    const paid = []
    for (let turn = 0; turn < 8; turn += 1) {
      const bought = await home.agent.buy({ amount_minor: 1_000 }).catch(() => null)
      if (bought !== null) paid.push(await home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID()))
    }
    expect(paid.filter(({ status }) => status === 200)).toHaveLength(5)
    const after = await scene.books(home)
    expect([after.charged, after.audit]).toEqual([
      5_000,
      [...before.audit, ...paid.map(() => 'oid4ac.payment.succeeded')],
    ])
    expect(after.messages.filter((subject) => subject.startsWith('You paid 10.00 EUR to '))).toHaveLength(5)
    expect(after.messages).toContain('You have used 100% of your daily limit')
  })

  test('cannot hide what is bought: items that come to more than the amount, or fewer than one of an item', async () => {
    const home = await scene.household('every_purchase')
    const before = await scene.books(home)
    const lists = [
      [{ sku: 'book', qty: 1_000, unit_price_minor: 1_200 }],
      [{ sku: 'book', qty: -1, unit_price_minor: -1_200 }],
    ]
    for (const items of lists) {
      const { form } = await home.agent.purchase({ amount_minor: 1_200, line_items: items })
      const pushed = await home.agent.push(form)
      expect([pushed.status, pushed.json]).toMatchObject([400, { error: 'invalid_authorization_details' }])
    }
    expect([await scene.books(home), await home.person.pending()]).toEqual([before, []])
  })

  test('cannot wear the person down: three requests wait at most, and each is told apart', async () => {
    const home = await scene.household('every_purchase')
    const before = await scene.books(home)
    const pushed = []
    for (let turn = 0; turn < 6; turn += 1) {
      pushed.push(await home.agent.push((await home.agent.purchase({ amount_minor: 1_000 + turn })).form))
    }
    expect(pushed.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429, 429])
    const { messages, ...rest } = await scene.books(home)
    expect([rest, messages.length]).toEqual([{ charged: 0, audit: before.audit }, 3])
  })

  test('cannot send the money to a shop that looks like the one that is known', async () => {
    const home = await scene.household('new_merchants')
    const buy = async (merchant: string) => {
      const pushed = must(await home.agent.push((await home.agent.purchase({ merchant, amount_minor: 900 })).form), 201)
      const waiting = await home.person.pending()
      return { pushed, waiting: waiting.filter((one) => one['merchant_audience'] === merchant) }
    }
    const before = await scene.books(home)
    const known = await buy('https://kumo.example')
    await home.person.decide(known.waiting[0]?.['authorization_id'], 'approve')
    for (const merchant of [
      'https://kumo.example.evil.example',
      'https://xn--kum-gna.example',
      'https://kumo.example/pay',
    ]) {
      const { waiting } = await buy(merchant)
      expect([merchant, waiting]).toMatchObject([merchant, [{ first_purchase_at_merchant: true }]])
      await home.person.decide(waiting[0]?.['authorization_id'], 'decline')
    }
    expect((await buy('https://kumo.example')).waiting).toEqual([])
    const { charged, messages, audit } = await scene.books(home)
    const declined = Array.from({ length: 3 }, () => 'oid4ac.consent.declined')
    expect([charged, audit]).toEqual([0, [...before.audit, 'oid4ac.consent.approved', ...declined]])
    expect(messages.length - before.messages.length, 'each request that waited').toBe(4)
  })

  describe('cannot be sent to a verifier of a stranger, who relays', () => {
    /** Hands out the honest shop's nonce as its own, and redeems what it gets there, as an order of its own. */
    async function openStranger(shop: string) {
      const redeemed: number[] = []
      const stranger = await listen(async (request, response, body) => {
        if (request.method === 'GET') {
          const { text } = await exchange(`${shop}/nonce`)
          response.writeHead(200, { 'content-type': 'application/json' }).end(text)
          return
        }
        const headers = { 'content-type': 'application/json' }
        const answer = await exchange(`${shop}/verify-mandate`, { method: 'POST', headers, body })
        redeemed.push(answer.status)
        json(response, { error: 'server_error' }, 503)
      })
      return { stranger, redeemed }
    }

    test('an agent that does as it is told pays for the order of the stranger', async () => {
      const home = await scene.household()
      const { merchant_url: shop, line_items, offer_id, offer_digest } = bookOrder(scene.app)
      const { stranger, redeemed } = await openStranger(shop)
      const bought = await home.agent.buy({ merchant: shop, amount_minor: 1_200, line_items, offer_id, offer_digest })
      const { nonce } = (await exchange<{ nonce: string }>(`${stranger.url}/nonce`)).json
      const presentation = await presentMandate(home.agent, bought.mandate_jwt, { audience: shop, nonce })
      const before = await scene.books(home)
      await exchange(`${stranger.url}/verify`, {
        method: 'POST',
        body: JSON.stringify({ presentation, line_items, offer_id, offer_digest, idempotency_key: 'of-the-stranger' }),
      })
      expect([redeemed, await scene.books(home)]).toEqual([[200], afterPayment(before, 1_200)])
      await stranger.close()
    })

    test('A1, C23 the tools that buy send it nothing, whichever way the stranger is named', async () => {
      const { host, principalId } = await startBuyer(scene.app)
      const order = bookOrder(scene.app)
      const { stranger, redeemed } = await openStranger(order.merchant_url)
      const below = stranger.url.replace('//', '//user@')
      const { merchant_url: store_url, redirect_uri } = order
      const cheapest = { store_url, redirect_uri, max_amount_minor: 2_000 }
      const refusals = [
        await host.call('agent_payment_initiate', { ...order, merchant_verify_url: `${stranger.url}/verify` }),
        await host.call('agent_payment_initiate', { ...order, merchant_base_api: stranger.url }),
        await host.call('agent_buy_cheapest_from_store', {
          ...cheapest,
          merchant_verify_url: `${stranger.url}/verify`,
        }),
      ]
      for (const { isError, texts } of refusals) {
        expect([isError, texts[0]]).toEqual([
          true,
          expect.stringMatching(/ failed: refused address \(another host than the merchant\)$/),
        ])
      }
      const disguised = await host.call('agent_payment_initiate', { ...order, merchant_verify_url: `${below}/verify` })
      expect(disguised.isError).toBe(true)
      const person = await Person.signIn(scene.app, principalId)
      expect([stranger.asked, redeemed, await person.pending()]).toEqual([[], [], []])
      await Promise.all([stranger.close(), host.close()])
      await removeHomes()
    })
  })
})
