import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../base/core/sql'
import { countryCodes } from './countries'
import { type Sandbox, startSandbox } from './test-support'

interface Page {
  merchants: { id: string; verification_status: string }[]
  page: number
  page_size: number
  total: number
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
  const { db, clock } = sandbox.platform
  const insert = (id: string, name: string, status: string) =>
    db.query(
      sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                              verification_status, verified_at, created_at)
       VALUES (${id}, 'https://' || ${id} || '.example', ${name}, 'GB', '["GBP"]', '["card","bank_transfer"]', ${status}, NULL, ${clock.now()})`,
    )
  await insert('aster-tea', 'Aster 100% Tea', 'verified')
  await insert('closed-shop', 'Closed Shop', 'suspended')
})
afterAll(() => sandbox.close())

const list = async (query = '') => (await sandbox.get<Page>(`/discovery/merchants${query}`)).json
const idsOf = async (query: string) => (await list(query)).merchants.map((merchant) => merchant.id)

test('the directory lists verified merchants alone, by name', async () => {
  const page = await list()
  expect(page.merchants.map((merchant) => merchant.id)).toEqual([
    'aster-tea',
    'copper-still',
    'kumo-supplies',
    'tallow-books',
  ])
  expect(page).toMatchObject({ page: 1, page_size: 20, total: 4 })
  expect(page.merchants[3]).toEqual({
    id: 'tallow-books',
    merchant_audience: `${sandbox.baseUrl}/sandbox/merchants/tallow-books`,
    business_name: 'Tallow Books',
    country: 'IE',
    accepts_currency: ['EUR'],
    accepts_rail: ['card'],
    verification_status: 'verified',
    verified_at: expect.stringMatching(/^\d{4}-.*Z$/),
  })
})

test.each([
  ['?country=JP', ['kumo-supplies']],
  ['?country=CH', []],
  ['?currency=EUR', ['copper-still', 'kumo-supplies', 'tallow-books']],
  ['?currency=KWD&country=JP', ['kumo-supplies']],
  ['?rail=card', ['aster-tea', 'copper-still', 'kumo-supplies', 'tallow-books']],
  ['?rail=bank_transfer', ['aster-tea']],
  ['?rail=pigeon', []],
  ['?q=BOOK', ['tallow-books']],
  ['?q=100%25%20t', ['aster-tea']],
  ['?q=%25', ['aster-tea']],
  ['?country=&currency=&page_size=&q=tea', ['aster-tea']],
  ['?q=closed', []],
  ['?q=gilt', []],
  ["?q='%20OR%201=1--", []],
])('%s finds %j', async (query, ids) => {
  expect(await idsOf(query)).toEqual(ids)
})

test('the directory is served in pages', async () => {
  expect(await list('?page_size=2')).toMatchObject({ page_size: 2, total: 4 })
  expect(await idsOf('?page_size=2&page=2')).toEqual(['kumo-supplies', 'tallow-books'])
  expect(await list('?page=9')).toMatchObject({ merchants: [], page: 9, total: 4 })
  expect(await list('?page_size=100')).toMatchObject({ page_size: 100 })
  expect(await list('?page_size=5000')).toMatchObject({ page_size: 100 })
})

test.each([
  'country=ZZ',
  'country=ie',
  'country=IRL',
  'currency=ZZZ',
  'currency=eur',
  'page=0',
  'page=-1',
  'page=1.5',
  'page=one',
  'page_size=0',
  `q=${'x'.repeat(201)}`,
])('the filter %s is invalid', async (query) => {
  const answer = await sandbox.get(`/discovery/merchants?${query}`)
  expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_filter'])
})

test('country codes are those of ISO 3166-1', () => {
  expect(countryCodes.size).toBe(249)
  for (const code of countryCodes) expect(code).toMatch(/^[A-Z]{2}$/)
})

test('a preview carries the signature of the catalog itself', async () => {
  const preview = (await sandbox.get('/discovery/merchants/tallow-books/catalog-preview')).json
  const catalog = await sandbox.get('/sandbox/merchants/tallow-books/.well-known/oid4ac-catalog')
  expect(Object.keys(preview)).toEqual([
    '@context',
    '@type',
    'merchant',
    'catalog_url',
    'signature',
    'signature_input',
    'content_digest',
    'items',
  ])
  expect(preview['content_digest']).toBe(catalog.headers.get('content-digest'))
  expect(preview['signature']).toMatch(/^\w+=:[A-Za-z0-9+/]{86}==:$/)
  expect(preview['signature_input']).toContain('keyid=')
  expect(preview['items']).toEqual(catalog.json['items'])
})

test.each(['nobody', 'gilt-edge-prints', 'aster-tea', 'closed-shop'])('no preview of %s', async (id) => {
  const answer = await sandbox.get(`/discovery/merchants/${id}/catalog-preview`)
  expect([answer.status, answer.json['error']]).toEqual([404, 'not_found'])
})

test('the directory follows what the operator decides', async () => {
  const { db } = sandbox.platform
  await db.query(sql`UPDATE merchants SET verification_status = 'suspended' WHERE id = 'kumo-supplies'`)
  expect(await idsOf('?country=JP')).toEqual([])
  expect((await sandbox.get('/discovery/merchants/kumo-supplies/catalog-preview')).status).toBe(404)
  await db.query(sql`UPDATE merchants SET verification_status = 'verified' WHERE id = 'kumo-supplies'`)
})
