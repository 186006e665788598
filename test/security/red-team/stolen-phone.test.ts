/** A thief has the phone that gets the messages, and presses their buttons. */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readMessages } from '@/server/shared/notifications'
import { exchange, must } from '../../support/actors'
import { useChannels } from '../../support/channels-in-use'
import { timedSignature } from '../../support/timed-signature'
import { type Household, LIMITS, openScene } from './scene'

const scene = openScene()
let phones = 0

async function withPhone(home: Household): Promise<string> {
  const phone = `+3538510000${String((phones += 1)).padStart(2, '0')}`
  await useChannels(scene.app.platform, home.principalId, { rcs_enabled: true, rcs_phone_e164: phone })
  return phone
}

/** What the messages to the phone let its holder answer with. */
async function buttonsOn(phone: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const messages = await readMessages(scene.app.platform, 1_000)
  return messages.flatMap(({ to, data }) => (to === phone && data !== null ? [data] : []))
}

async function press(buttons: Readonly<Record<string, unknown>>, action: 'approve' | 'decline') {
  const body = JSON.stringify({ ...buttons, action })
  const signing = { secret: scene.app.platform.config.secrets.rcsCallback, now: scene.app.clock.now() }
  const headers = { 'content-type': 'application/json', 'rcs-signature': timedSignature(body, signing) }
  return exchange(`${scene.app.baseUrl}/oauth/rcs/limit-bump/callback`, { method: 'POST', headers, body })
}

describe('a thief with the phone', () => {
  test('approves no purchase: its message can only be looked at', async () => {
    const home = await scene.household('every_purchase')
    const phone = await withPhone(home)
    for (const amount of [500, 400_000]) {
      must(await home.agent.push((await home.agent.purchase({ amount_minor: amount })).form), 201)
    }
    expect(await buttonsOn(phone)).toEqual([])
    expect(await home.person.pending()).toHaveLength(2)
    expect((await scene.books(home)).charged).toBe(0)
  })

  test('lifts one limit for one payment that was agreed before, once, and the audit chain tells', async () => {
    const home = await scene.household()
    const phone = await withPhone(home)
    const [one, other] = [
      await home.agent.buy({ amount_minor: 1_500 }),
      await home.agent.buy({
        amount_minor: 1_500,
        line_items: [{ sku: 'gift-card', qty: 1, unit_price_minor: 1_500 }],
      }),
    ]
    must(await home.person.call('POST', '/wallet/limits', { ...LIMITS, single_txn_cap_minor: 1_000 }), 200)
    const settle = (bought: typeof one) => home.agent.settle(bought.access_token, bought.mandate_jwt, randomUUID())
    expect((await settle(one)).json['error']).toBe('limit_exceeded')
    const [buttons = {}] = await buttonsOn(phone)
    expect((await press(buttons, 'approve')).json).toEqual({ status: 'approved' })
    expect((await press(buttons, 'approve')).status).toBe(404)
    expect((await settle(other)).json['error']).toBe('limit_exceeded')
    expect((await settle(one)).status).toBe(200)
    const books = await scene.books(home)
    expect(books.charged).toBe(1_500)
    expect(books.audit).toContain('oid4ac.limits.changed')
  })
})
