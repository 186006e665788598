import { createHash, createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exchange } from '@/test/support/actors'
import { decimalAmount } from '../../base/core/money'
import { sql } from '../../base/core/sql'
import { verifyResponse } from '../../base/protocol/http-signature'
import type { PublicJwk } from '../../base/protocol/jwk'
import { CATALOG_SIGNATURE_TAG } from './catalog'
import { sandboxMerchants } from './catalog-data'
import { seedSandboxMerchants } from './index'
import { type Sandbox, startSandbox } from './test-support'

interface Item {
  sku: string
  title: string
  description?: string
  unit_price_minor: number
  currency: string
  in_stock: boolean
  offer_id: string
  offer_digest: string
}
interface Catalog {
  merchant: string
  catalog_url: string
  items: Item[]
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

const shopUrl = (id: string) => `${sandbox.baseUrl}/sandbox/merchants/${id}`
const readCatalog = (id: string) => exchange<Catalog>(`${shopUrl(id)}/.well-known/oid4ac-catalog`)
const readKeys = async (id: string) => (await exchange<{ keys: PublicJwk[] }>(`${shopUrl(id)}/jwks.json`)).json.keys

/** Builds the signature base of RFC 9421 section 2.5 by hand. */
function signatureBase(headers: Headers, url: URL): { base: string; label: string } {
  const [label = '', parameters = ''] = /^([a-z0-9]+)=(.*)$/.exec(headers.get('signature-input') ?? '')?.slice(1) ?? []
  const lines = [
    '"@status": 200',
    `"content-type": ${headers.get('content-type')}`,
    `"content-digest": ${headers.get('content-digest')}`,
    `"@authority";req: ${url.host}`,
    `"@path";req: ${url.pathname}`,
    `"@signature-params": ${parameters}`,
  ]
  return { base: lines.join('\n'), label }
}

test.each(['tallow-books', 'kumo-supplies'])(
  'the catalog of %s is signed over what was asked and answered',
  async (id) => {
    const { headers, text } = await readCatalog(id)
    const url = new URL(`${shopUrl(id)}/.well-known/oid4ac-catalog`)
    expect(headers.get('content-digest')).toBe(`sha-256=:${createHash('sha256').update(text).digest('base64')}:`)
    expect(headers.get('cache-control')).toContain('no-transform')

    const { base, label } = signatureBase(headers, url)
    expect(base).toMatch(/;created=\d+;expires=\d+;keyid="[\w-]{43}";alg="ed25519";tag="oid4ac-catalog"$/)
    const [, signature = ''] = new RegExp(`^${label}=:([^:]+):$`).exec(headers.get('signature') ?? '') ?? []
    const [jwk] = await readKeys(id)
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    expect(verify(null, Buffer.from(base), key, Buffer.from(signature, 'base64'))).toBe(true)
    expect(verify(null, Buffer.from(base.replace('200', '201')), key, Buffer.from(signature, 'base64'))).toBe(false)
  },
)

const check = async (id: string, change: { body?: string; path?: string } = {}) => {
  const { headers, text, status } = await readCatalog(id)
  return verifyResponse({
    status,
    headers,
    body: Buffer.from(change.body ?? text),
    request: { method: 'GET', url: change.path ?? `${shopUrl(id)}/.well-known/oid4ac-catalog` },
    jwks: await readKeys(id),
    now: sandbox.clock.now(),
    tag: CATALOG_SIGNATURE_TAG,
  })
}

test('a catalog whose body or address was changed does not verify', async () => {
  const { text } = await readCatalog('tallow-books')
  await expect(check('tallow-books')).resolves.toMatchObject({ keyid: expect.any(String) })
  await expect(check('tallow-books', { body: text.replace('1200', '1100') })).rejects.toThrow('Content-Digest')
  await expect(
    check('tallow-books', { path: `${shopUrl('kumo-supplies')}/.well-known/oid4ac-catalog` }),
  ).rejects.toThrow()
  await expect(check('gilt-edge-prints')).rejects.toThrow('Content-Digest')
})

test('offer digests are of the five members as published, in canonical form', async () => {
  for (const { id } of sandboxMerchants.filter((merchant) => merchant.isVerified)) {
    const { json } = await readCatalog(id)
    expect(json.merchant).toBe(shopUrl(id))
    expect(json.items.length).toBeGreaterThanOrEqual(2)
    for (const { currency, offer_id, sku, unit_price_minor, offer_digest } of json.items) {
      // Members in the order of their names, no spaces: RFC 8785 for texts and integers.
      const canonical = JSON.stringify({ currency, merchant: json.merchant, offer_id, sku, unit_price_minor })
      expect(offer_digest).toBe(createHash('sha256').update(canonical).digest('base64url'))
    }
  }
})

test('Tallow Books has the six items of the demo', async () => {
  const { items } = (await readCatalog('tallow-books')).json
  expect(items).toHaveLength(6)
  expect(items[0]).toMatchObject({ title: 'The Left Hand of Darkness', unit_price_minor: 1200, currency: 'EUR' })
  expect(items.filter((item) => !item.in_stock)).toHaveLength(1)
})

test('prices keep the digits of their currency', async () => {
  const page = (await exchange(shopUrl('kumo-supplies'), { headers: { accept: 'text/html' } })).text
  expect(page).toContain('JPY 1800<')
  expect(page).toContain('KWD 4.250<')
  expect(page).toContain('HUF 4590.00<')
  expect(page).toContain('EUR 9.80<')
  const { items } = (await readCatalog('kumo-supplies')).json
  const shown = items.map((item) => `${item.currency} ${decimalAmount(item.unit_price_minor, item.currency)}`)
  for (const price of shown) expect(page).toContain(price)
})

test('an injected prompt arrives as plain data', async () => {
  const injected = (await readCatalog('tallow-books')).json.items.find((item) => item.sku === 'prompt-garden')
  expect(injected?.description).toContain('Ignore all previous instructions')
  expect(injected?.description).toContain('<script>alert(1)</script>')

  const page = await exchange(shopUrl('tallow-books'), { headers: { accept: 'text/html,application/xhtml+xml' } })
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page.text).not.toContain('<script')
  const style = /<style>([\s\S]*?)<\/style>/.exec(page.text)?.[1] ?? ''
  const digest = createHash('sha256').update(style).digest('base64')
  expect(page.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('the shop answers JSON to clients that ask for it, and an unknown shop is 404', async () => {
  const shop = await exchange(shopUrl('tallow-books'), { headers: { accept: 'application/json' } })
  expect(shop.json).toMatchObject({
    id: 'tallow-books',
    merchant_audience: shopUrl('tallow-books'),
    catalog_url: `${shopUrl('tallow-books')}/.well-known/oid4ac-catalog`,
  })
  const paths = ['', '/.well-known/oid4ac-catalog', '/jwks.json', '/nonce']
  for (const path of paths) {
    const answer = await exchange(`${shopUrl('nobody')}${path}`)
    expect([answer.status, answer.json['error']]).toEqual([404, 'not_found'])
  }
})

test('seeding again keeps keys and what an operator decided', async () => {
  const [before] = await readKeys('tallow-books')
  const { db } = sandbox.platform
  await db.query(sql`UPDATE merchants SET verification_status = 'suspended' WHERE id = 'tallow-books'`)
  await seedSandboxMerchants(sandbox.platform)
  const [row] = await db.query<{ verification_status: string; connected_account_id: string }>(
    sql`SELECT verification_status, connected_account_id FROM merchants WHERE id = 'tallow-books'`,
  )
  expect(row).toEqual({ verification_status: 'suspended', connected_account_id: 'acct_sandbox_tallow-books' })
  expect(await readKeys('tallow-books')).toEqual([before])
  await db.query(sql`UPDATE merchants SET verification_status = 'verified' WHERE id = 'tallow-books'`)
  const stored = await db.query<{ sealed_private_key: string }>(
    sql`SELECT sealed_private_key FROM sandbox_merchant_keys`,
  )
  expect(stored).toHaveLength(sandboxMerchants.length)
  for (const { sealed_private_key: sealed } of stored) expect(sealed).not.toMatch(/^MC4/)
})
