/** A model that was talked into it: by a page, a message or a shop. It holds the agent's keys and does what it was told. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { must } from '../../support/actors'
import { openScene } from './scene'

const scene = openScene()

describe('a misled model', () => {
  test('cannot split a purchase into parts that each stay below the limits', async () => {
    const home = await scene.household()
    const paid = []
    for (let turn = 0; turn < 8; turn += 1) {
      const bought = await home.agent.buy({ amount_minor: 1_000 }).catch(() => null)
      if (bought !== null) paid.push(await home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID()))
    }
    expect(paid.filter(({ status }) => status === 200)).toHaveLength(5)
    expect((await scene.books(home)).charged).toBe(5_000)
  })

  test('cannot hide what is bought: items that do not add up, or none where there is a price', async () => {
    const home = await scene.household('every_purchase')
    const lists = [
      [{ sku: 'book', qty: 1, unit_price_minor: 1 }],
      [{ sku: 'book', qty: 1_000, unit_price_minor: 1_200 }],
      [{ sku: 'book', qty: -1, unit_price_minor: -1_200 }],
    ]
    for (const items of lists) {
      const { form } = await home.agent.purchase({ amount_minor: 1_200, line_items: items })
      const pushed = await home.agent.push(form)
      expect([pushed.status, pushed.json]).toMatchObject([400, { error: 'invalid_authorization_details' }])
    }
    const books = await scene.books(home)
    expect([books.charged, books.messages, await home.person.pending()]).toEqual([0, [], []])
  })

  test('cannot wear the person down: three requests wait at most, and each is told apart', async () => {
    const home = await scene.household('every_purchase')
    const pushed = []
    for (let turn = 0; turn < 6; turn += 1) {
      pushed.push(await home.agent.push((await home.agent.purchase({ amount_minor: 1_000 + turn })).form))
    }
    expect(pushed.map(({ status }) => status)).toEqual([201, 201, 201, 429, 429, 429])
    expect((await scene.books(home)).messages).toHaveLength(3)
  })

  test('cannot send the money to a shop that looks like the one that is known', async () => {
    const home = await scene.household('new_merchants')
    const buy = async (merchant: string) => {
      const pushed = must(await home.agent.push((await home.agent.purchase({ merchant, amount_minor: 900 })).form), 201)
      const waiting = await home.person.pending()
      return { pushed, waiting: waiting.filter((one) => one['merchant_audience'] === merchant) }
    }
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
  })
})
