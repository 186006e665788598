import { decodeJwt } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exchange } from '@/test/support/actors'
import { operationsOf } from '../../base/contract/endpoint'
import { sql } from '../../base/core/sql'
import {
  fetchNonce,
  type HeldMandate,
  issueTestMandate,
  type MandateWish,
  present,
  type Sandbox,
  startSandbox,
} from './test-support'

const VERIFY = '/merchant_test/verify-mandate'
const FOREIGN = 'https://shop.example/agents'
const SHOP = '/sandbox/merchants/tallow-books'
const offerId = 'tallow-books.left-hand-of-darkness'
const book = [{ sku: 'left-hand-of-darkness', qty: 1 }]

let sandbox: Sandbox
let offerDigest: string
beforeAll(async () => {
  sandbox = await startSandbox()
  const { json } = await sandbox.get<{ items: { offer_digest: string }[] }>(`${SHOP}/.well-known/oid4ac-catalog`)
  offerDigest = json.items[0]?.offer_digest ?? ''
})
afterAll(() => sandbox.close())
beforeEach(() => {
  sandbox.processor.outcome = { status: 'succeeded' }
})

const issue = (wish: MandateWish = {}) => issueTestMandate(sandbox, { merchant: FOREIGN, ...wish })

interface Try {
  readonly path?: string
  readonly nonce?: string
  readonly aud?: string
  readonly body?: object
}

async function verify(mandate: HeldMandate, { path = VERIFY, nonce, aud, body }: Try = {}) {
  const fresh = nonce ?? (await fetchNonce(sandbox, path.slice(0, path.lastIndexOf('/'))))
  const presentation = await present(sandbox, mandate, { nonce: fresh, ...(aud !== undefined && { aud }) })
  return sandbox.post(path, { presentation, line_items: [{ sku: 'book', qty: 1 }], ...body })
}

const codeOf = async (attempt: ReturnType<typeof verify>) => {
  const { status, json } = await attempt
  return [status, json['error']]
}

test('a mandate of any merchant is verified and charged once', async () => {
  const mandate = await issue()
  const before = sandbox.processor.charges
  const first = await verify(mandate)
  expect(first.status).toBe(200)
  expect(first.json).toEqual({
    ok: true,
    mandate_id: mandate.id,
    amount_minor: 1200,
    currency: 'EUR',
    merchant_audience: FOREIGN,
    receipt_jws: expect.any(String),
    payment_provider_ref: expect.stringMatching(/^pi_/),
  })
  expect(decodeJwt(String(first.json['receipt_jws']))).toMatchObject({
    aud: FOREIGN,
    mandate_id: mandate.id,
    sub: sandbox.person.clientId,
    connected_account_id: null,
    application_fee_minor: 0,
  })
  const again = await verify(mandate)
  expect([again.status, again.json]).toEqual([200, first.json])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(sandbox.processor.charges).toBe(before + 1)
  expect(await codeOf(verify(mandate, { body: { idempotency_key: 'other' } }))).toEqual([409, 'mandate_consumed'])
})

test('one nonce is accepted once from twenty presentations at the same time', async () => {
  const mandate = await issue()
  const nonce = await fetchNonce(sandbox)
  const answers = await Promise.all(Array.from({ length: 20 }, () => verify(mandate, { nonce })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const refused = answers
    .filter(({ status }) => status !== 200)
    .map(({ status, json }) => [status, json['error']].join(' '))
  expect(refused).toEqual(Array(19).fill('422 mandate_kb_nonce_mismatch'))
})

test('the nonce must be one of this verifier or of the merchant itself', async () => {
  const mandate = await issue()
  expect(await codeOf(verify(mandate, { nonce: 'invented' }))).toEqual([422, 'mandate_kb_nonce_mismatch'])
  const foreign = await fetchNonce(sandbox, SHOP)
  expect(await codeOf(verify(mandate, { nonce: foreign }))).toEqual([422, 'mandate_kb_nonce_mismatch'])
  const other = await codeOf(verify(mandate, { body: { nonce: 'other' } }))
  expect(other).toEqual([422, 'mandate_kb_nonce_mismatch'])

  const ours = await issueTestMandate(sandbox, { lineItems: book })
  expect((await verify(ours, { nonce: foreign, body: { line_items: book, nonce: foreign } })).status).toBe(200)
})

test('refusals come in the order of the checks', async () => {
  const digest = { offer_digest: 'x'.repeat(43) }
  const revoked = await issue()
  await sandbox.platform.db.query(sql`UPDATE mandates SET revoked_at = now() WHERE id = ${revoked.id}`)
  expect(await codeOf(verify(revoked, { body: digest }))).toEqual([422, 'offer_digest_mismatch'])
  expect(await codeOf(verify(revoked))).toEqual([422, 'mandate_status_revoked'])

  const mandate = await issue()
  const wrongAudience = { aud: 'https://other.example', nonce: 'invented', body: digest }
  expect(await codeOf(verify(mandate, wrongAudience))).toEqual([422, 'mandate_audience_mismatch'])
  expect(await codeOf(verify(mandate, { nonce: 'invented', body: digest }))).toEqual([422, 'mandate_kb_nonce_mismatch'])

  sandbox.clock.advance(301)
  expect(await codeOf(verify(mandate, wrongAudience))).toEqual([422, 'mandate_expired'])
  expect(await codeOf(verify(mandate, { body: digest }))).toEqual([422, 'mandate_expired'])
})

test('a malformed presentation is mandate_invalid, and a failed validation is a list', async () => {
  const mandate = await issue()
  const presentation = await present(sandbox, mandate, { nonce: await fetchNonce(sandbox) })
  const [jwt = ''] = mandate.jwt.split('~')
  const nul = [{ alg: 'EdDSA' }, { aud: 'https://x.example/\u0000', nonce: '\u0000' }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  const broken = [
    'x',
    '~',
    'a.b.c~d.e.f',
    mandate.jwt,
    presentation.slice(0, -2),
    `${jwt.slice(0, -6)}AAAAAA${presentation.slice(jwt.length)}`,
    `${nul.join('.')}.AAAA~${nul.join('.')}.AAAA`,
  ]
  for (const text of broken) {
    const answer = await sandbox.post(VERIFY, { presentation: text, line_items: [{ sku: 'book', qty: 1 }] })
    expect([answer.status, answer.json['error']]).toEqual([422, 'mandate_invalid'])
  }
  for (const body of [{}, { presentation: 5, line_items: [] }, { presentation, line_items: [{ sku: 'x', qty: 0 }] }]) {
    const answer = await sandbox.post(VERIFY, body)
    expect([answer.status, Array.isArray(answer.json['detail'])]).toEqual([422, true])
  }
})

test('an offer that the purchase names must be the one of the mandate', async () => {
  const named = { line_items: book, offer_id: offerId }
  const merchant = `${sandbox.baseUrl}${SHOP}`
  const bare = await issueTestMandate(sandbox, { merchant, lineItems: book })
  expect(await codeOf(verify(bare, { body: named }))).toEqual([422, 'offer_digest_mismatch'])
  const bareElsewhere = await issue()
  expect(await codeOf(verify(bareElsewhere, { body: { offer_digest: offerDigest } }))).toEqual([
    422,
    'offer_digest_mismatch',
  ])
  const bound = await issueTestMandate(sandbox, { merchant, lineItems: book, offerDigest })
  expect(await codeOf(verify(bound, { body: { ...named, offer_digest: 'y'.repeat(43) } }))).toEqual([
    422,
    'offer_digest_mismatch',
  ])
  expect((await verify(bound, { body: { ...named, offer_digest: offerDigest } })).status).toBe(200)
})

test('line items of a sandbox merchant are compared with its catalog, others with the mandate', async () => {
  const ours = (wish: MandateWish) => issueTestMandate(sandbox, { lineItems: book, ...wish })
  const cheap = await ours({ amountMinor: 900 })
  expect(await codeOf(verify(cheap, { body: { line_items: book } }))).toEqual([422, 'mandate_invalid'])
  const soldOut = [{ sku: 'roadside-picnic', qty: 1 }]
  const picnic = await ours({ amountMinor: 650, lineItems: soldOut })
  expect(await codeOf(verify(picnic, { body: { line_items: soldOut } }))).toEqual([422, 'invalid_request'])
  const swapped = [{ sku: 'kindred', qty: 1 }]
  expect(await codeOf(verify(await ours({ amountMinor: 1350 }), { body: { line_items: swapped } }))).toEqual([
    422,
    'mandate_invalid',
  ])
  const unknown = [{ sku: 'anything', qty: 1, unit_price_minor: 1000, currency: 'EUR' }]
  const other = await ours({ amountMinor: 1000, lineItems: unknown })
  expect((await verify(other, { body: { line_items: unknown } })).status).toBe(200)

  const withPost = [...unknown, { sku: 'post', qty: 1 }]
  const ample = await issue({ amountMinor: 1100, lineItems: withPost })
  expect(await codeOf(verify(ample, { body: { line_items: unknown } }))).toEqual([422, 'mandate_invalid'])
  expect((await verify(ample, { body: { line_items: withPost } })).status).toBe(200)
  const short = await issue({ amountMinor: 900, lineItems: [{ sku: 'anything', qty: 1 }] })
  expect(await codeOf(verify(short, { body: { line_items: unknown } }))).toEqual([422, 'mandate_invalid'])
  const pounds = [{ sku: 'anything', qty: 1, currency: 'GBP' }]
  expect(await codeOf(verify(short, { body: { line_items: pounds } }))).toEqual([422, 'mandate_invalid'])
})

test('F39 the purchase is compared with the line items of the mandate: article, quantity and price', async () => {
  const priced = { sku: 'pen', qty: 2, unit_price_minor: 500, currency: 'EUR' }
  const approved = [priced, { sku: 'post', qty: 1, unit_price_minor: 200 }]
  const mandate = await issue({ amountMinor: 1200, lineItems: approved })
  const odd = [
    [priced],
    [{ ...priced, sku: 'ink' }, approved[1]],
    [{ ...priced, qty: 1, unit_price_minor: 1000 }, approved[1]],
    [
      { ...priced, unit_price_minor: 550 },
      { sku: 'post', qty: 1, unit_price_minor: 100 },
    ],
    [...approved, { sku: 'gift', qty: 1, unit_price_minor: 0 }],
    [{ ...priced, qty: 3, unit_price_minor: undefined }, approved[1]],
  ]
  for (const line_items of odd) {
    expect(await codeOf(verify(mandate, { body: { line_items } })), JSON.stringify(line_items)).toEqual([
      422,
      'mandate_invalid',
    ])
  }
  const regrouped = [approved[1], { ...priced, qty: 1 }, { sku: 'pen', qty: 1, unit_price_minor: 500 }]
  expect((await verify(mandate, { body: { line_items: regrouped } })).status).toBe(200)
})

test("a merchant's own verifier takes its mandates and nonces only, at its offers", async () => {
  const path = `${SHOP}/verify-mandate`
  const bound = await issueTestMandate(sandbox, { lineItems: book, offerDigest })
  const elsewhere = await issue()
  expect(await codeOf(verify(elsewhere, { path, aud: sandbox.baseUrl + SHOP }))).toEqual([
    422,
    'mandate_audience_mismatch',
  ])
  const testNonce = await fetchNonce(sandbox)
  expect(await codeOf(verify(bound, { path, nonce: testNonce, body: { line_items: book } }))).toEqual([
    422,
    'mandate_kb_nonce_mismatch',
  ])
  const bare = await issueTestMandate(sandbox, { lineItems: book })
  expect(await codeOf(verify(bare, { path, body: { line_items: book } }))).toEqual([422, 'offer_digest_mismatch'])
  const unknown = { line_items: [{ sku: 'anything', qty: 1 }] }
  expect(await codeOf(verify(bound, { path, body: unknown }))).toEqual([422, 'offer_digest_mismatch'])

  const charged = await verify(bound, { path, body: { line_items: book } })
  expect(charged.status).toBe(200)
  expect(decodeJwt(String(charged.json['receipt_jws']))).toMatchObject({
    connected_account_id: 'acct_sandbox_tallow-books',
    application_fee_minor: 24,
  })
  const nobody = await sandbox.post('/sandbox/merchants/nobody/verify-mandate', { presentation: 'x', line_items: book })
  expect(nobody.status).toBe(404)
})

test('charge answers with the settlement, and says when it is a replay', async () => {
  const mandate = await issue()
  const path = '/merchant_test/charge'
  const first = await verify(mandate, { path, body: { idempotency_key: 'charge-1' } })
  expect(first.status).toBe(200)
  expect(first.json).toMatchObject({
    settlement_id: expect.any(String),
    status: 'succeeded',
    mandate_id: mandate.id,
    amount_minor: 1200,
    settled_at: expect.any(String),
  })
  const again = await verify(mandate, { path, body: { idempotency_key: 'charge-1' } })
  expect([again.status, again.text]).toEqual([200, first.text])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('a decline is 402 with the answer of the settlement, and stays so under its key', async () => {
  sandbox.processor.outcome = { status: 'failed', code: 'insufficient_funds' }
  const mandate = await issue()
  const declined = await verify(mandate)
  expect(declined.status).toBe(402)
  expect(declined.json).toMatchObject({ error: 'payment_declined', failure: { code: 'insufficient_funds' } })
  sandbox.processor.outcome = { status: 'succeeded' }
  expect((await verify(mandate)).text).toBe(declined.text)
  expect((await verify(mandate, { body: { idempotency_key: 'second-try' } })).status).toBe(200)
})

test('an unknown outcome is 502, and the same key with a fresh nonce gets the answer later', async () => {
  sandbox.processor.outcome = { status: 'unknown' }
  const mandate = await issue()
  const unknown = await verify(mandate)
  expect([unknown.status, unknown.json['error']]).toEqual([502, 'bad_gateway'])
  expect(unknown.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await verify(mandate)).status).toBe(502)

  sandbox.processor.outcome = { status: 'succeeded' }
  const { resolveUnknown } = await import('../../money/settlement')
  sandbox.clock.advance(60)
  await resolveUnknown(sandbox.platform)
  const known = await verify(mandate)
  expect(known.json).toMatchObject({ ok: true, mandate_id: mandate.id })

  // The answer outlives the mandate and its revocation; a new key buys nothing.
  sandbox.clock.advance(301)
  expect((await verify(mandate)).json).toEqual(known.json)
  await sandbox.platform.db.query(sql`UPDATE mandates SET revoked_at = now() WHERE id = ${mandate.id}`)
  expect((await verify(mandate)).json).toEqual(known.json)
  expect(await codeOf(verify(mandate, { body: { idempotency_key: 'new' } }))).toEqual([422, 'mandate_expired'])
})

test('a revoked mandate still gets the answer of its charge', async () => {
  const mandate = await issue()
  const charged = await verify(mandate)
  await sandbox.platform.db.query(sql`UPDATE mandates SET revoked_at = now() WHERE id = ${mandate.id}`)
  expect((await verify(mandate)).json).toEqual(charged.json)
  expect(await codeOf(verify(mandate, { body: { idempotency_key: 'k' } }))).toEqual([422, 'mandate_status_revoked'])
})

test('no sandbox operation is served without the sandbox', async () => {
  const { answerRequest } = await import('../../transport/http/pipeline')
  const slice = await import('./index')
  const platform = { ...sandbox.platform, config: { ...sandbox.platform.config, sandbox: false } }
  for (const operation of operationsOf(slice)) {
    const { method, path } = operation.endpoint
    const unsent = { address: null, hasBody: false, body: async () => Buffer.alloc(0), isGone: () => false }
    const request = { method, path, query: '', header: () => null, ...unsent }
    const match = { operations: [operation], parameters: {} }
    expect((await answerRequest(match, request, platform)).status).toBe(404)
  }
  expect((await exchange(`${sandbox.baseUrl}${VERIFY}`)).status).toBe(405)
})
