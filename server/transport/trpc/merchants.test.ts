import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesTopic } from '@/server/base/core/announce-change'
import { type Browser, dataOf, insertConsent, refusalOf } from '@/test/support/browser'
import { MERCHANT, type Person } from '@/test/support/money-fixture'
import { openPortalFixture, type PortalFixture } from '@/test/support/portal-fixture'
import { sql } from '../../base/core/sql'
import { type DirectoryView, type MerchantsView, readMerchantsPage } from '../../surfaces/portal'

let fixture: PortalFixture
let ada: Person
let eve: Person
let page: Browser
beforeAll(async () => {
  fixture = await openPortalFixture()
  ;({ ada, eve } = fixture)
  page = await fixture.openPage()
})
afterAll(() => fixture.close())

const read = async () => dataOf<MerchantsView>(await page.query('merchants.read'))
const OTHER = 'https://other.example'

test('the page of merchants shows the rules, whom they can be for, and what the list would leave out', async () => {
  const agent = { client_id: ada.agentId, label: 'Claude on my laptop', revoked: false }
  const empty = { only_listed: false, rules: [], agents: [agent], registered: [], unlisted: [], remembered: [] }
  expect(await read()).toMatchObject({ ...empty, unlisted_merchants: 'allow', approval_rule: 'new_merchants' })

  const id = await insertConsent(fixture.platform, ada)
  await page.approve(id)
  const unlisted = [{ merchant_audience: MERCHANT, merchant_name: 'Tallow Books', agent_client_id: ada.agentId }]
  expect(await read()).toMatchObject({ unlisted })
  await page.mutate('merchants.saveRule', { merchant_audience: OTHER, verdict: 'allow' })
  expect(dataOf(await page.mutate('merchants.saveGate', { only_listed: true }))).toEqual({ only_listed: true })
  expect(await read()).toMatchObject({
    only_listed: true,
    rules: [{ merchant_audience: OTHER, agent_client_id: null, verdict: 'allow' }],
    unlisted,
  })

  // Any rule for the agent at the merchant, allow or deny, removes the merchant from `unlisted`.
  for (const verdict of ['allow', 'deny']) {
    await page.mutate('merchants.saveRule', {
      merchant_audience: `${MERCHANT}/`,
      agent_client_id: ada.agentId,
      verdict,
    })
    const { rules, unlisted: left } = await read()
    expect(rules.find(({ merchant_audience: ruled }) => ruled === MERCHANT)).toMatchObject({
      merchant_name: 'Tallow Books',
      agent_client_id: ada.agentId,
      verdict,
    })
    expect(left).toEqual([])
  }
  await page.mutate('merchants.saveRule', { merchant_audience: MERCHANT, agent_client_id: ada.agentId, verdict: null })
  expect(await read()).toMatchObject({ unlisted })
})

test('the page says where an agent pays without asking, what suspends it, and what shops outside the directory may', async () => {
  const paid = async () => (await read()).remembered.map(({ suspended_by: by, ...one }) => [one.merchant_audience, by])
  const ruled = (verdict: 'deny' | null) => page.mutate('merchants.saveRule', { merchant_audience: MERCHANT, verdict })
  await page.mutate('merchants.saveGate', { only_listed: false })
  expect(await paid()).toEqual([[MERCHANT, null]])
  expect((await read()).remembered).toMatchObject([
    { agent_client_id: ada.agentId, merchant_name: 'Tallow Books', currency: 'EUR', created_at: expect.any(String) },
  ])
  await ruled('deny')
  expect(await paid()).toEqual([[MERCHANT, 'rule']])
  await ruled(null)

  const { db } = fixture.platform
  const rename = (name: string) =>
    db.query(sql`UPDATE merchants SET business_name = ${name} WHERE merchant_audience = ${MERCHANT}`)
  await rename('Tallow & Sons')
  expect(await paid()).toEqual([[MERCHANT, 'changed']])
  await rename('Tallow Books')

  const counted = (await read()).verified_count
  const suspend = (status: string) =>
    db.query(sql`UPDATE merchants SET verification_status = ${status} WHERE merchant_audience = ${MERCHANT}`)
  await suspend('suspended')
  expect(await paid()).toEqual([[MERCHANT, null]])
  expect((await read()).verified_count).toBe(counted - 1)
  const strict = { ...fixture.platform, config: { ...fixture.platform.config, unlistedMerchants: 'refuse' as const } }
  const { unlisted_merchants: outside, remembered } = await readMerchantsPage({
    ...fixture.wallet(ada),
    platform: strict,
  })
  expect([outside, remembered[0]?.suspended_by]).toEqual(['refuse', 'unlisted'])
  await suspend('verified')

  const forgotten = { client_id: ada.agentId, merchant_audience: MERCHANT }
  expect((await page.mutate('agents.forgetMerchant', forgotten)).status).toBe(200)
  expect(await paid()).toEqual([])
})

test("a rule for another person's agent or for no merchant is refused in the words of HTTP", async () => {
  const foreign = { merchant_audience: OTHER, agent_client_id: eve.agentId, verdict: 'deny' }
  expect(refusalOf(await page.mutate('merchants.saveRule', foreign))).toMatchObject({
    error: 'not_found',
    message: 'There is no such agent.',
  })
  const nonsense = await page.mutate('merchants.saveRule', { merchant_audience: 'tallow', verdict: 'deny' })
  expect(nonsense.status).toBe(400)
  expect(refusalOf(nonsense)).toMatchObject({ detail: [{ loc: ['body', 'merchant_audience'] }] })
})

test('pages that are open elsewhere hear of a rule and of the list', async () => {
  let heard = 0
  const stop = fixture.platform.cache.subscribe(changesTopic(ada.principalId), () => {
    heard += 1
  })
  await page.mutate('merchants.saveRule', { merchant_audience: OTHER, verdict: 'deny' })
  await page.mutate('merchants.saveGate', { only_listed: false })
  stop()
  expect(heard).toBe(2)
})

test('the directory is searched by name and address, and holds verified merchants only', async () => {
  const search = async (words: string) =>
    dataOf<DirectoryView>(await page.query('merchants.search', { words })).merchants.map(
      ({ merchant_audience: audience, merchant_name: name }) => [name, audience],
    )
  const tallow = ['Tallow Books', MERCHANT]
  expect(await search('tallow')).toContainEqual(tallow)
  expect(await search(` ${new URL(MERCHANT).host.toUpperCase()} `)).toContainEqual(tallow)
  expect(await search('')).toEqual([])
  expect(await search('%')).toEqual([])
  await fixture.platform.db.query(
    sql`UPDATE merchants SET verification_status = 'suspended' WHERE merchant_audience = ${MERCHANT}`,
  )
  expect(await search('tallow')).not.toContainEqual(tallow)
  expect((await page.query('merchants.search', { words: 'a'.repeat(201) })).status).toBe(400)
})

test('the directory shows the first twenty, those that begin with the words before the others', async () => {
  await fixture.platform.db.query(
    sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail, verification_status, created_at)
     SELECT 'zebra-' || n, 'https://zebra-' || n || '.example', CASE n WHEN 7 THEN 'Zebra' ELSE 'A zebra ' || n END, 'IE',
            '[]', '[]', 'verified', ${fixture.clock.now()} FROM generate_series(1, 21) n`,
  )
  const { merchants, more } = dataOf<DirectoryView>(await page.query('merchants.search', { words: 'zebra' }))
  expect([merchants.length, more, merchants[0]?.merchant_name]).toEqual([20, true, 'Zebra'])
})
