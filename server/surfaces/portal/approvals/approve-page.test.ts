import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shownOf, subjectOf } from '@/components/approvals/shown'
import { Browser, dataOf, EXCEEDS, insertBump, insertConsent, refusalOf } from '@/test/support/browser'
import { MERCHANT, type Person } from '@/test/support/money-fixture'
import { openPortalFixture, type PortalFixture } from '@/test/support/portal-fixture'
import { sql } from '../../../base/core/sql'
import { installPlatform } from '../../../base/platform/container'
import { PORTAL_TENANT_ID } from '../../../shared/principals'
import { approvalSubject, type DisplayedRequest, displayOf } from '../../../wallet/approvals/display'
import type { AgentView } from '../agents/view'
import type { ConsentView } from './view'

let fixture: PortalFixture
let ada: Person
let eve: Person
let page: Browser

beforeAll(async () => {
  fixture = await openPortalFixture()
  ;({ ada, eve } = fixture)
  page = await fixture.openPage()
})
beforeEach(() => fixture.clock.advance(1))
afterAll(() => fixture.close())

const TALLOW = { name: 'Tallow Books', origin: MERCHANT }

const read = async (id: string) => dataOf<ConsentView>(await page.query('approvals.one', { id }))

async function pay(person: Person, { merchant = MERCHANT, items }: { merchant?: string; items?: unknown[] } = {}) {
  const mandate = await fixture.mandate(person, { amountMinor: 1_000, merchant })
  await fixture.platform.db.query(
    sql`UPDATE token_families SET authorization_details = ${JSON.stringify(items === undefined ? [] : [{ line_items: items }])}::jsonb WHERE id = ${mandate.family_id}`,
  )
  await fixture.settle(mandate)
  fixture.clock.advance(1)
}

async function askFrom(audience: string): Promise<string> {
  const id = await insertConsent(fixture.platform, ada)
  await fixture.platform.db.query(
    sql`UPDATE consents SET merchant_audience = ${audience} WHERE authorization_id = ${id}`,
  )
  return id
}

describe('the purchase before', () => {
  test('the purchase before is the last one at the same merchant, by any agent, and null before the first', async () => {
    expect((await read(await insertConsent(fixture.platform, ada))).last_purchase).toBeNull()
    await pay(eve, { items: [{ sku: 'of-eve', qty: 1 }] })
    expect((await read(await insertConsent(fixture.platform, ada))).last_purchase).toBeNull()

    const other = { ...ada, agentId: await fixture.agent(ada.principalId) }
    const at = fixture.clock.now().toISOString()
    await pay(other, { items: [{ sku: 'book', qty: 2, unit_price_minor: 500 }] })
    await pay(ada, { merchant: 'https://elsewhere.example', items: [{ sku: 'x', qty: 1 }] })
    const id = await insertConsent(fixture.platform, ada)
    expect((await read(id)).last_purchase).toEqual({
      at,
      amount_minor: 1_000,
      currency: 'EUR',
      agent: { client_id: other.agentId, label: 'Claude on my laptop' },
      items: [{ sku: 'book', qty: 2, unit_price_minor: 500 }],
    })
    await pay(ada)
    expect((await read(id)).last_purchase).toMatchObject({ at })
    expect((await read(await insertConsent(fixture.platform, ada))).last_purchase).toMatchObject({ items: null })
  })
})

describe('a merchant whose address could be taken for another', () => {
  test.each([
    ['of a verified merchant', 'https://tallov.example', TALLOW],
    ['in letters of another alphabet', 'https://xn--tllow-4ve.example', TALLOW],
    ['of nobody', 'https://bookshop.example', null],
  ])('%s', async (_whose, audience, expected) => {
    expect((await read(await askFrom(audience))).resembles).toEqual(expected)
  })

  test('a merchant’s address is compared with shops that this person has paid, and not with those of others', async () => {
    await pay(ada, { merchant: 'https://candle.example' })
    await pay(eve, { merchant: 'https://lantern.example' })
    expect((await read(await askFrom('https://cand1e.example'))).resembles).toEqual({
      name: 'candle.example',
      origin: 'https://candle.example',
    })
    expect((await read(await askFrom('https://1antern.example'))).resembles).toBeNull()
  })

  test('a merchant’s address is compared on the page of a limit request, too', async () => {
    const id = await insertBump(fixture.platform, ada)
    const find = async () => {
      const { limit_bumps: bumps } = dataOf<{ limit_bumps: { id: string }[] }>(await page.query('limits.bumps'))
      return bumps.find((bump) => bump.id === id)
    }
    expect(await find()).toMatchObject({ merchant_name: 'Tallow Books', merchant_verified: true, resembles: null })
    await fixture.platform.db.query(
      sql`UPDATE limit_bumps SET merchant_audience = 'https://tallov.example' WHERE id = ${id}`,
    )
    expect(await find()).toMatchObject({ merchant_name: null, merchant_verified: false, resembles: TALLOW })
  })

  test('a merchant’s address is compared on the page of a payment that the bank asks about, too', async () => {
    const email = 'finn@demo.test'
    const finn = await fixture.person({ tenantId: PORTAL_TENANT_ID, email, card: 'authentication_required' })
    const browser = new Browser(fixture.platform)
    await browser.signInByMail(email)
    const asked = async (merchant: string) => {
      const mandate = await fixture.mandate(finn, { merchant })
      await expect(fixture.settle(mandate)).rejects.toMatchObject({ code: 'step_up_required' })
      const [row] = await fixture.platform.db.query<{ id: string }>(
        sql`SELECT id FROM settlements WHERE mandate_id = ${mandate.id}`,
      )
      return dataOf(await browser.query('payments.stepUp', { id: String(row?.id) }))
    }
    expect(await asked(MERCHANT)).toMatchObject({ merchant_verified: true, resembles: null })
    expect(await asked('https://tallov.example')).toMatchObject({ merchant_verified: false, resembles: TALLOW })
  })

  test('a verified merchant gets no warning about its address', async () => {
    await fixture.platform.db.query(
      sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                              verification_status, created_at)
       VALUES ('tallows', 'https://tallows.example', 'Tallows', 'AT', '["EUR"]', '["card"]', 'verified', ${fixture.clock.now()})`,
    )
    expect((await read(await askFrom('https://tallows.example'))).resembles).toBeNull()
    expect((await read(await insertConsent(fixture.platform, ada))).resembles).toBeNull()
  })
})

describe('what the page shows and what is signed', () => {
  test.each<[string, Record<string, unknown>[]]>([
    ['an item with everything', [{ sku: 'a', title: 'A "book" \\ <b>é\u2028', qty: 3, unit_price_minor: 400 }]],
    ['an item with a number alone', [{ sku: 'b', qty: 1 }]],
    [
      'items of a far alphabet',
      [
        { sku: '本', title: '左手 🖐🏽', qty: 1, unit_price_minor: 0 },
        { sku: 'b', qty: 9 },
      ],
    ],
  ])('are the same in browser and server: %s', async (_what, lineItems) => {
    const id = await insertConsent(fixture.platform, ada, { lineItems })
    const view = await read(id)
    const row = {
      merchant_audience: MERCHANT,
      amount_minor: 1_200,
      currency: 'EUR',
      exceeds: null,
      scope: [],
      line_items: lineItems,
    }
    const display = displayOf(row as unknown as DisplayedRequest)
    expect(shownOf(view, null)).toEqual(display)
    expect(await subjectOf(id, shownOf(view, null))).toEqual(approvalSubject(id, display))
    const chosen = displayOf({ ...row, ask_above_minor: 2_400 } as unknown as DisplayedRequest)
    expect(view.ask_above_minor).toBe(2_400)
    expect(await subjectOf(id, shownOf(view, 2_400))).toEqual(approvalSubject(id, chosen))
    expect((await page.approve(id)).status).toBe(200)
  })

  test('F37 name every limit that approving lifts, and nothing is approved that names fewer', async () => {
    const id = await insertConsent(fixture.platform, ada, {})
    await insertBump(fixture.platform, ada, id)
    const view = await read(id)
    const shown = shownOf(view, null)
    expect(shown).toMatchObject({ amount_minor: 1_200, exceeds: EXCEEDS })
    expect(await subjectOf(id, shown)).toMatchObject({ authorization_id: id, exceeds: EXCEEDS })
    for (const exceeds of [undefined, EXCEEDS.slice(0, 2), [...EXCEEDS].toReversed()]) {
      const { exceeds: _named, ...rest } = view
      const fewer = shownOf(exceeds === undefined ? rest : { ...rest, exceeds: [...exceeds] }, null)
      const refused = await page.mutate('approvals.decide', { authorization_id: id, decision: 'approve', shown: fewer })
      expect(refused.status).toBe(409)
    }
    expect((await page.approve(id)).status).toBe(200)
    expect(await fixture.count('limit_bumps', sql`consent_id = ${id} AND status = 'approved'`)).toBe(1)
    const [evidence] = await fixture.platform.db.query<{ display: unknown }>(
      sql`SELECT display FROM approval_evidence WHERE authorization_id = ${id}`,
    )
    expect(evidence?.display).toMatchObject({ exceeds: EXCEEDS })
  })

  test('the page shows the scope of a request for wallet access', async () => {
    const access = { scope: 'wallet:read audit:read' }
    const asked = { merchant_audience: null, amount_minor: null, currency: null, line_items: null, exceeds: null }
    const display = displayOf({ ...asked, scope: ['wallet:read', 'audit:read'] })
    expect(shownOf(access, null)).toEqual(display)
    expect(await subjectOf('a1', access)).toEqual(approvalSubject('a1', display))
  })
})

describe('an approval', () => {
  test('an approval counts as unused once a code and a mandate of the last moment are over, however long mandates live', async () => {
    const id = await insertConsent(fixture.platform, ada)
    const usableSeconds = async () => {
      const { usable_until: until, expires_at: expiresAt } = await read(id)
      return (Date.parse(until) - Date.parse(expiresAt)) / 1000
    }
    expect(await usableSeconds()).toBe(480)
    const { platform } = fixture
    installPlatform({ ...platform, config: { ...platform.config, mandateTtlSeconds: 3_600 } })
    expect(await usableSeconds()).toBe(3_780)
    installPlatform(platform)
  })
})

describe('the card', () => {
  test('an expired card is named, as it is charged all the same', async () => {
    const card = async () => (await read(await insertConsent(fixture.platform, ada))).default_card
    expect(await card()).toEqual({ brand: 'visa', last4: '4242', expired: false })
    await fixture.platform.db.query(
      sql`UPDATE card_mandates SET exp_month = 10, exp_year = 2026 WHERE principal_id = ${ada.principalId}`,
    )
    expect(await card()).toEqual({ brand: 'visa', last4: '4242', expired: true })
    await pay(ada)
  })
})

test('the agent that asks is shown with the time since when it is connected', async () => {
  const connectedAt = fixture.clock.now().toISOString()
  const late = { ...ada, agentId: await fixture.agent(ada.principalId) }
  fixture.clock.advance(60)
  const id = await insertConsent(fixture.platform, late)
  expect(await read(id)).toMatchObject({ agent: { client_id: late.agentId }, agent_connected_at: connectedAt })
})

describe('an agent that is paused', () => {
  test('a paused agent is shown as paused on its page and on its withdrawn request, until it is resumed', async () => {
    const id = await insertConsent(fixture.platform, ada, { lifetimeSeconds: 7_200 })
    expect(dataOf(await page.mutate('agents.pause', { client_id: ada.agentId }))).toMatchObject({ paused: true })
    const agent = async () => dataOf<AgentView>(await page.query('agents.one', { client_id: ada.agentId }))
    expect((await agent()).paused).toBe(true)
    expect((await agent()).recent_approvals).toContainEqual(expect.objectContaining({ status: 'withdrawn' }))
    expect(await read(id)).toMatchObject({ agent_paused: true, status: 'withdrawn', decided_via: 'paused' })
    expect((await page.mutate('agents.resume', { client_id: ada.agentId })).status).toBe(200)
    expect((await agent()).paused).toBe(false)
    expect(await read(id)).toMatchObject({ agent_paused: false, status: 'withdrawn' })
  })

  test.each(['agents.pause', 'agents.resume'])('%s finds only agents of the person', async (procedure) => {
    const [foreign, unknown] = [
      await page.mutate(procedure, { client_id: eve.agentId }),
      await page.mutate(procedure, { client_id: 'unknown' }),
    ]
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    expect({ ...refusalOf(foreign), request_id: null }).toEqual({ ...refusalOf(unknown), request_id: null })
    expect(await fixture.count('clients', sql`paused_at IS NOT NULL AND id = ${eve.agentId}`)).toBe(0)
  })
})
