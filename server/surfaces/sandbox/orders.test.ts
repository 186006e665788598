import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { dpopProof, newKey } from '@/test/support/actors'
import { sql } from '../../base/core/sql'
import { type ReceiptClaims, signReceipt } from '../../base/protocol/receipt'
import {
  fetchNonce,
  type HeldMandate,
  issueTestMandate,
  type MandateWish,
  preparePayment,
  present,
  type Sandbox,
  startSandbox,
} from './test-support'

interface Order {
  order_id: string
  status: string
  receipt: Record<string, unknown>
  settlement_request: Record<string, unknown>
  error?: string
}

const SHOP = '/sandbox/merchants/tallow-books'
const lineItems = [{ sku: 'left-hand-of-darkness', qty: 1 }]
const offerId = 'tallow-books.left-hand-of-darkness'

let sandbox: Sandbox
let offerDigest: string
beforeAll(async () => {
  sandbox = await startSandbox()
  offerDigest = await digestOf('left-hand-of-darkness')
})
afterAll(() => sandbox.close())

let key = 0
beforeEach(() => {
  key += 1
})

async function digestOf(sku: string): Promise<string> {
  const path = `${SHOP}/.well-known/oid4ac-catalog`
  const { items } = (await sandbox.get<{ items: { sku: string; offer_digest: string }[] }>(path)).json
  return items.find((item) => item.sku === sku)?.offer_digest ?? ''
}

const issue = (wish: MandateWish = {}) => issueTestMandate(sandbox, { lineItems, offerDigest, ...wish })

async function pay(
  mandate: HeldMandate,
  more: { body?: object; nonce?: string; headers?: Record<string, string> } = {},
) {
  const nonce = more.nonce ?? (await fetchNonce(sandbox, SHOP))
  const { presentation, headers } = await preparePayment(sandbox, mandate, { nonce })
  const body = { presentation, line_items: lineItems, idempotency_key: `key-${key}`, ...more.body }
  return sandbox.post<Order>(`${SHOP}/payments`, body, { ...headers, ...more.headers })
}

test('an order is placed, and repeated under its key or with its mandate', async () => {
  const mandate = await issue({ offerId })
  const placed = await pay(mandate, { body: { offer_id: offerId, offer_digest: offerDigest } })
  expect(placed.status).toBe(201)
  expect(placed.json).toEqual({
    order_id: expect.stringMatching(/^TB-\d{4}$/),
    status: 'awaiting_settlement',
    receipt: {
      order_id: placed.json.order_id,
      merchant: sandbox.baseUrl + SHOP,
      merchant_name: 'Tallow Books',
      status: 'awaiting_settlement',
      mandate_id: mandate.id,
      amount_minor: 1200,
      currency: 'EUR',
      line_items: [
        {
          sku: 'left-hand-of-darkness',
          title: 'The Left Hand of Darkness',
          qty: 1,
          unit_price_minor: 1200,
          currency: 'EUR',
        },
      ],
      created_at: expect.any(String),
    },
    settlement_request: { connected_account_id: 'acct_sandbox_tallow-books', application_fee_minor: 24 },
  })
  const body = { offer_id: offerId, offer_digest: offerDigest }
  const again = await pay(mandate, { body })
  expect([again.status, again.json]).toEqual([200, placed.json])
  const otherKey = await pay(mandate, { body: { ...body, idempotency_key: 'another' } })
  expect([otherKey.status, otherKey.json]).toEqual([200, placed.json])

  const changed = await pay(mandate, { body: { ...body, line_items: [{ ...lineItems[0], unit_price_minor: 1200 }] } })
  expect([changed.status, changed.json.error]).toEqual([409, 'idempotency_conflict'])
  const reused = await pay(mandate, { body: { idempotency_key: 'third' } })
  expect([reused.status, reused.json.error]).toEqual([409, 'mandate_consumed'])
})

test('orders of many at once are numbered one after the other', async () => {
  const mandates = await Promise.all(Array.from({ length: 8 }, () => issue()))
  const placed = await Promise.all(mandates.map((mandate, at) => pay(mandate, { body: { idempotency_key: `n${at}` } })))
  expect(placed.map((answer) => answer.status)).toEqual(Array(8).fill(201))
  const numbers = placed.map(({ json }) => Number(json.order_id.slice(3))).toSorted((one, other) => one - other)
  expect(numbers).toEqual(Array.from({ length: 8 }, (_, at) => (numbers[0] ?? 0) + at))
})

test('one key makes one order, however many requests come at once', async () => {
  const mandate = await issue()
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay(mandate)))
  expect(new Set(answers.map(({ json }) => json.order_id)).size).toBe(1)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
})

test('one nonce is accepted once from twenty presentations at the same time', async () => {
  const mandate = await issue()
  const nonce = await fetchNonce(sandbox, SHOP)
  const answers = await Promise.all(Array.from({ length: 20 }, () => pay(mandate, { nonce })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status !== 201)
  for (const { status, json, headers } of refused) {
    expect([status, json.error]).toEqual([401, 'use_dpop_nonce'])
    expect(headers.get('dpop-nonce')).toMatch(/^[\w-]{32}$/)
  }
})

test('a proof without a nonce of the merchant is challenged, and the nonce of the challenge is accepted', async () => {
  const mandate = await issue()
  const url = `${sandbox.baseUrl}${SHOP}/payments`
  const bare = await dpopProof(sandbox, mandate.key, { method: 'POST', url })
  const challenged = await pay(mandate, { headers: { dpop: bare } })
  expect([challenged.status, challenged.json.error]).toEqual([401, 'use_dpop_nonce'])
  expect(challenged.headers.get('www-authenticate')).toMatch(/^DPoP .*error="use_dpop_nonce"/)
  expect(challenged.headers.get('cache-control')).toBe('no-store')

  const foreign = await pay(mandate, { nonce: await fetchNonce(sandbox, '/sandbox/merchants/kumo-supplies') })
  expect(foreign.json.error).toBe('use_dpop_nonce')
  expect((await pay(mandate, { nonce: await fetchNonce(sandbox) })).json.error).toBe('use_dpop_nonce')

  const nonce = challenged.headers.get('dpop-nonce') ?? ''
  expect((await pay(mandate, { nonce })).status).toBe(201)
})

test('a nonce runs out after two minutes and is swept', async () => {
  const mandate = await issue()
  const nonce = await fetchNonce(sandbox, SHOP)
  sandbox.clock.advance(121)
  expect((await pay(mandate, { nonce })).json.error).toBe('use_dpop_nonce')
  const { sweepSandboxNonces } = await import('./index')
  const { db } = sandbox.platform
  const expired = () => db.prisma.sandboxMerchantNonce.count({ where: { expires_at: { lte: sandbox.clock.now() } } })
  expect(await expired()).toBeGreaterThan(0)
  await sweepSandboxNonces(db, sandbox.clock.now())
  expect(await expired()).toBe(0)
})

test('nonces are kept as hashes only', async () => {
  const nonce = await fetchNonce(sandbox, SHOP)
  const rows = await sandbox.platform.db.query<{ nonce_hash: string }>(
    sql`SELECT nonce_hash FROM sandbox_merchant_nonces`,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map((row) => row.nonce_hash)).not.toContain(nonce)
})

test('an order takes a proof by the key of the mandate', async () => {
  const mandate = await issue()
  const url = `${sandbox.baseUrl}${SHOP}/payments`
  const nonce = await fetchNonce(sandbox, SHOP)
  const missing = await sandbox.post(`${SHOP}/payments`, {
    presentation: await present(sandbox, mandate, { nonce }),
    line_items: lineItems,
    idempotency_key: 'k',
  })
  expect([missing.status, missing.json['error']]).toEqual([401, 'invalid_token'])
  expect(missing.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"')

  const stranger = await dpopProof(sandbox, await newKey(), { method: 'POST', url, nonce })
  const stolen = await pay(mandate, { nonce, headers: { dpop: stranger } })
  expect([stolen.status, stolen.json.error]).toEqual([401, 'invalid_token'])

  const otherUrl = await dpopProof(sandbox, mandate.key, { method: 'POST', url: `${url}/x`, nonce })
  expect((await pay(mandate, { nonce, headers: { dpop: otherUrl } })).status).toBe(401)

  const otherNonce = await fetchNonce(sandbox, SHOP)
  const split = await pay(mandate, {
    nonce,
    body: { presentation: await present(sandbox, mandate, { nonce: otherNonce }) },
  })
  expect([split.status, split.json.error]).toEqual([422, 'mandate_kb_nonce_mismatch'])
  // None of the refusals has used the nonce up.
  expect((await pay(mandate, { nonce })).status).toBe(201)
})

const nothing = [{ sku: 'nothing', qty: 1 }]
const soldOut = [{ sku: 'roadside-picnic', qty: 1 }]
const ownPrice = lineItems.map((line) => ({ ...line, unit_price_minor: 1 }))

test.each<[string, MandateWish, object, number, string]>([
  ['no offer digest at all', { offerDigest: undefined }, {}, 422, 'offer_digest_mismatch'],
  ['no digest for a named offer', { offerDigest: undefined }, { offer_id: offerId }, 422, 'offer_digest_mismatch'],
  ['another named offer', {}, { offer_id: 'tallow-books.kindred' }, 422, 'offer_digest_mismatch'],
  ['an unknown named offer', {}, { offer_id: 'nothing' }, 422, 'offer_digest_mismatch'],
  ['another digest in the body', {}, { offer_digest: 'x'.repeat(43) }, 422, 'offer_digest_mismatch'],
  ['another amount', { amountMinor: 1100 }, {}, 422, 'mandate_invalid'],
  ['another currency', { currency: 'GBP' }, {}, 422, 'mandate_invalid'],
  [
    'more than was approved',
    { amountMinor: 2400 },
    { line_items: [{ ...lineItems[0], qty: 2 }] },
    422,
    'mandate_invalid',
  ],
  ['F39 another article than was approved', {}, { line_items: [{ sku: 'kindred', qty: 1 }] }, 422, 'mandate_invalid'],
  ['F39 an unknown article', {}, { line_items: [{ sku: 'nothing', qty: 1 }] }, 422, 'mandate_invalid'],
  ['another price', {}, { line_items: [{ ...lineItems[0], unit_price_minor: 1 }] }, 422, 'invalid_request'],
  ['an item that the catalog does not have', { lineItems: nothing }, { line_items: nothing }, 422, 'invalid_request'],
  ['an item out of stock', { lineItems: soldOut }, { line_items: soldOut }, 422, 'invalid_request'],
  ['a price of its own', { lineItems: ownPrice }, { line_items: ownPrice }, 422, 'invalid_request'],
])('%s is refused', async (_name, wish, body, status, code) => {
  const answer = await pay(await issue(wish), { body })
  expect([answer.status, answer.json.error]).toEqual([status, code])
})

test('a mandate is refused for each of its faults', async () => {
  const revoked = await issue()
  await sandbox.platform.db.query(sql`UPDATE mandates SET revoked_at = now() WHERE id = ${revoked.id}`)
  expect((await pay(revoked)).json.error).toBe('mandate_status_revoked')

  const elsewhere = await issue({ merchant: `${sandbox.baseUrl}/sandbox/merchants/kumo-supplies` })
  const url = `${sandbox.baseUrl}${SHOP}/payments`
  const nonce = await fetchNonce(sandbox, SHOP)
  const dpop = await dpopProof(sandbox, elsewhere.key, { method: 'POST', url, nonce })
  expect((await pay(elsewhere, { nonce, headers: { dpop } })).json.error).toBe('mandate_audience_mismatch')

  const expired = await issue()
  sandbox.clock.advance(301)
  expect((await pay(expired)).json.error).toBe('mandate_expired')

  const malformed = await pay(await issue(), { body: { presentation: 'x', line_items: [] } })
  expect([malformed.status, Object.keys(malformed.json)]).toEqual([422, ['detail']])
})

function receipt(mandate: HeldMandate, changes: Partial<ReceiptClaims> = {}): Promise<string> {
  const claims: ReceiptClaims = {
    iss: sandbox.baseUrl,
    aud: sandbox.baseUrl + SHOP,
    sub: sandbox.person.clientId,
    iat: Math.floor(sandbox.clock.now().getTime() / 1000),
    jti: 'settlement-1',
    mandate_id: mandate.id,
    payment_intent_id: 'pi_1',
    amount_minor: 1200,
    currency: 'EUR',
    status: 'succeeded',
    application_fee_minor: 24,
    connected_account_id: 'acct_sandbox_tallow-books',
    ...changes,
  }
  return signReceipt(claims, sandbox.platform.keys.current('receipt'))
}

test('a receipt pays the order it is for, and no other does', async () => {
  const mandate = await issue()
  const { order_id: orderId } = (await pay(mandate)).json
  const report = (jws: string, id = orderId) =>
    sandbox.post<Order>(`${SHOP}/payments/${id}/settlement`, { receipt_jws: jws })

  const good = await receipt(mandate)
  const [header, payload = '', signature] = good.split('.')
  const forged = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const cheap = Buffer.from(JSON.stringify({ ...forged, amount_minor: 1 })).toString('base64url')
  const wrong = [
    [header, cheap, signature].join('.'),
    `${good.slice(0, -4)}AAAA`,
    await receipt(mandate, { mandate_id: 'another' }),
    await receipt(mandate, { amount_minor: 1199 }),
    await receipt(mandate, { currency: 'USD' }),
    await receipt(mandate, { aud: `${sandbox.baseUrl}/sandbox/merchants/kumo-supplies` }),
    await receipt(mandate, { iss: 'https://elsewhere.example' }),
    mandate.jwt.split('~')[0] ?? '',
    'x.y.z',
  ]
  for (const jws of wrong) {
    const refused = await report(jws)
    expect([refused.status, refused.json.error]).toEqual([422, 'invalid_request'])
  }
  expect((await report(good, 'TB-9999')).status).toBe(404)

  const paid = await report(good)
  expect(paid.status).toBe(200)
  expect(paid.json).toMatchObject({
    order_id: orderId,
    status: 'paid',
    receipt: { status: 'paid', amount_minor: 1200, receipt_jws: good, paid_at: expect.any(String) },
  })
  sandbox.clock.advance(5)
  const again = await report(await receipt(mandate))
  expect([again.status, again.json]).toEqual([200, paid.json])
  expect((await report(wrong[0] ?? '')).status).toBe(422)
  expect((await pay(mandate)).json).toMatchObject({ order_id: orderId, status: 'paid' })
})
