import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { statusOfCode } from '@/server/base/core/errors'
import { verifyResponse } from '@/server/base/protocol/http-signature'
import type { PublicJwk } from '@/server/base/protocol/jwk'
import { operations } from '@/server/operations'
import { tools } from '@/tool-server/src/tools'
import {
  Agent,
  dpopProof,
  exchange,
  must,
  newKey,
  newPrincipal,
  newSetupToken,
  type Purchase,
  REDIRECT_URI,
} from '../support/actors'
import { type App, startApp } from '../support/app'
import { examplesOf, expectationsOf, shownLine } from '../support/doc-examples'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/merchants.md'), 'utf8')
const examples = examplesOf(page)

interface Item {
  readonly sku: string
  readonly unit_price_minor: number
  readonly currency: string
  readonly offer_id: string
  readonly offer_digest: string
}

let app: App
let shop: string
let program: ChildProcess
let printed: string
let agent: Agent
let lamp: Item
beforeAll(async () => {
  app = await startApp({ seed: false })
  shop = `http://127.0.0.1:${await freePort()}`
  const env = { ...process.env, BASE_URL: app.baseUrl, SHOP_URL: shop }
  program = spawn(process.execPath, ['--input-type=module'], { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] })
  program.stdin?.end(examples.join('\n'))
  printed = await firstLineOf(program)
  const { principalId } = await newPrincipal(app, { card: 'success', approval_rule: 'above_limits' })
  agent = await Agent.register(app, principalId)
  const { items } = must(await exchange<{ items: Item[] }>(`${shop}/.well-known/oid4ac-catalog`), 200)
  lamp = items[0] as Item
}, 60_000)
afterAll(async () => {
  program.kill()
  await once(program, 'exit')
  await app.close()
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the program has no output')
  const [line] = (await once(createInterface({ input: stdout }), 'line')) as [string]
  return line
}

/** Buys one lamp, or what `options` say. */
const buy = (options: Partial<Purchase> = {}) =>
  agent.buy({
    merchant: shop,
    amount_minor: lamp.unit_price_minor,
    line_items: [{ sku: lamp.sku, qty: 1, unit_price_minor: lamp.unit_price_minor }],
    offer_id: lamp.offer_id,
    offer_digest: lamp.offer_digest,
    ...options,
  })

const fetchNonce = async () => must(await exchange<{ nonce: string }>(`${shop}/nonce`), 200).nonce

/** How an order departs from what an honest agent sends. */
interface Departure {
  readonly nonce?: string
  readonly audience?: string
  readonly signer?: Agent['dpopKey']
  readonly proofKey?: Agent['dpopKey']
  readonly hides?: string
  readonly adds?: string
  readonly lineItems?: readonly object[]
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const nameIn = (disclosure: string): unknown => JSON.parse(Buffer.from(disclosure, 'base64url').toString())[1]

async function present(mandate: string, nonce: string, { audience = shop, signer, hides, adds }: Departure) {
  const [jwt, ...disclosures] = mandate.split('~').slice(0, -1)
  const shown = disclosures.filter((one) => ![hides, 'principal', 'instrument'].includes(String(nameIn(one))))
  const bound = [jwt, ...shown, ...(adds === undefined ? [] : [adds]), ''].join('~')
  const binding = await new SignJWT({ nonce, sd_hash: sha256(bound) })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'kb+jwt' })
    .setIssuedAt()
    .setAudience(audience)
    .sign((signer ?? agent.dpopKey).privateKey)
  return bound + binding
}

async function order(mandate: string, departure: Departure = {}) {
  const nonce = departure.nonce ?? (await fetchNonce())
  const url = `${shop}/payments`
  const dpop = await dpopProof(app, departure.proofKey ?? agent.dpopKey, { method: 'POST', url, nonce })
  const line_items = departure.lineItems ?? [{ sku: lamp.sku, qty: 1 }]
  const body = { presentation: await present(mandate, nonce, departure), line_items, idempotency_key: 'once' }
  const headers = { 'content-type': 'application/json', dpop }
  return exchange<Record<string, string>>(url, { method: 'POST', headers, body: JSON.stringify(body) })
}

const refusalOf = async (answer: ReturnType<typeof order>) => {
  const { status, json } = await answer
  return [status, json['error']]
}

const report = (orderId: string | undefined, receipt_jws: string) =>
  exchange<Record<string, string>>(`${shop}/payments/${orderId}/settlement`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ receipt_jws }),
  })

const settle = async (bought: Awaited<ReturnType<typeof buy>>, key: string) =>
  must(await agent.settle<{ receipt_jws: string }>(bought.access_token, bought.mandate_jwt, key), 200).receipt_jws

test('the examples for merchants are one program that prints what the page says', () => {
  expect(page.match(/^```js$/gm)).toHaveLength(examples.length)
  expect([printed]).toEqual(examples.flatMap(expectationsOf).map(shownLine))
})

test('the shop of the page takes an order, and counts it as paid once it has the receipt', async () => {
  const bought = await buy()
  const placed = await order(bought.mandate_jwt)
  expect([placed.status, placed.json['status']]).toEqual([201, 'awaiting_settlement'])
  const repeated = await order(bought.mandate_jwt)
  expect([repeated.status, repeated.json['order_id']]).toEqual([200, placed.json['order_id']])

  const elsewhere = await settle(await buy(), 'another order')
  expect((await report(placed.json['order_id'], elsewhere)).status).toBe(422)
  const paid = await report(placed.json['order_id'], await settle(bought, 'this order'))
  expect([paid.status, paid.json['status']]).toEqual([200, 'paid'])
  expect((await report('unknown', elsewhere)).status).toBe(404)
})

test('the signature of the catalog is accepted by readers of catalogs', async () => {
  const url = `${shop}/.well-known/oid4ac-catalog`
  const response = await fetch(url)
  const { keys } = must(await exchange<{ keys: PublicJwk[] }>(`${shop}/jwks.json`), 200)
  await verifyResponse({
    status: response.status,
    headers: response.headers,
    body: Buffer.from(await response.arrayBuffer()),
    request: { method: 'GET', url },
    jwks: keys,
    now: new Date(),
    tag: 'oid4ac-catalog',
  })
})

test('the tool server pays at the shop with the arguments of the page', async () => {
  const home = await mkdtemp(path.join(os.tmpdir(), 'countersign-home-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const settings = { home: path.join(home, 'state'), asUrl: app.baseUrl, discoveryUrl: undefined, readOnly: false }
  const call = (name: string, args: unknown) =>
    tools.find(({ listing }) => listing.name === name)?.call(args, { settings, signal: new AbortController().signal })
  const setup_token = await newSetupToken(app, agent.principalId)
  await call('agent_register', { setup_token, as_url: app.baseUrl, redirect_uris: [REDIRECT_URI] })
  const [, shown = ''] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? []
  const purchase = JSON.parse(
    shown.replaceAll('http://127.0.0.1:4010', shop).replace('…', lamp.offer_digest),
  ) as unknown
  expect(await call('agent_payment_initiate', purchase)).toMatchObject({
    structuredContent: { status: 'paid', receipt: { merchant: shop, status: 'paid' } },
  })
})

describe('the verifier of the page', () => {
  test('a mandate for another amount, other goods or another offer is refused', async () => {
    const dearer = await buy({ amount_minor: lamp.unit_price_minor + 1 })
    expect(await refusalOf(order(dearer.mandate_jwt))).toEqual([422, 'mandate_invalid'])
    const pounds = await buy({ currency: 'GBP' })
    expect(await refusalOf(order(pounds.mandate_jwt))).toEqual([422, 'mandate_invalid'])
    const one = await buy()
    const two = [{ sku: lamp.sku, qty: 2 }]
    expect(await refusalOf(order(one.mandate_jwt, { lineItems: two }))).toEqual([422, 'mandate_invalid'])
    const cheap = [{ sku: lamp.sku, qty: 1, unit_price_minor: 1 }]
    expect(await refusalOf(order(one.mandate_jwt, { lineItems: cheap }))).toEqual([422, 'invalid_request'])
    expect(await refusalOf(order(one.mandate_jwt, { hides: 'line_items' }))).toEqual([422, 'mandate_invalid'])
    const older = await buy({ offer_digest: sha256('the offer of last week') })
    expect(await refusalOf(order(older.mandate_jwt))).toEqual([422, 'offer_digest_mismatch'])
  })

  test('a mandate for another merchant is refused', async () => {
    const elsewhere = await buy({ merchant: 'https://other.example' })
    expect(await refusalOf(order(elsewhere.mandate_jwt))).toEqual([422, 'mandate_audience_mismatch'])
    const { mandate_jwt } = await buy()
    const stolen = order(mandate_jwt, { audience: 'https://other.example' })
    expect(await refusalOf(stolen)).toEqual([422, 'mandate_audience_mismatch'])
  })

  test('the merchant may be spelled with a slash at the end', async () => {
    const { mandate_jwt } = await buy({ merchant: `${shop}/` })
    expect((await order(mandate_jwt, { audience: `${shop}/` })).status).toBe(201)
  })

  test('a presentation with another key, or with a disclosure of its own, is refused', async () => {
    const { mandate_jwt } = await buy()
    const stranger = await newKey()
    expect(await refusalOf(order(mandate_jwt, { signer: stranger }))).toEqual([422, 'mandate_invalid'])
    expect(await refusalOf(order(mandate_jwt, { proofKey: stranger }))).toEqual([401, 'invalid_token'])
    const adds = Buffer.from(JSON.stringify(['salt', 'amount_minor', 1])).toString('base64url')
    expect(await refusalOf(order(mandate_jwt, { adds }))).toEqual([422, 'mandate_invalid'])
    const [jwt = '', ...rest] = mandate_jwt.split('~')
    const forged = [`${jwt.slice(0, -4)}AAAA`, ...rest].join('~')
    expect(await refusalOf(order(forged))).toEqual([422, 'mandate_invalid'])
  })

  test('a nonce is accepted once, and another one comes with the refusal', async () => {
    const { mandate_jwt } = await buy()
    const nonce = await fetchNonce()
    expect((await order(mandate_jwt, { nonce })).status).toBe(201)
    const replayed = await order(mandate_jwt, { nonce })
    expect([replayed.status, replayed.json['error']]).toEqual([401, 'use_dpop_nonce'])
    expect(replayed.headers.get('www-authenticate')).toBe('DPoP error="use_dpop_nonce"')
    expect((await order(mandate_jwt, { nonce: replayed.headers.get('dpop-nonce') ?? '' })).status).toBe(200)
  })

  test('a revoked mandate and an expired one are refused', async () => {
    const revoked = await buy()
    must(await agent.mint('/oauth/revoke', { token: revoked.refresh_token }), 200)
    expect(await refusalOf(order(revoked.mandate_jwt))).toEqual([422, 'mandate_status_revoked'])
    app.clock.advance({ seconds: -400 })
    agent.forgetNonce()
    const { mandate_jwt } = await buy()
    app.clock.advance({ seconds: 400 })
    agent.forgetNonce()
    expect(await refusalOf(order(mandate_jwt))).toEqual([422, 'mandate_expired'])
  })
})

test('every address of the sandbox that a merchant may use is named', () => {
  const ours = /^\/(?:merchant_test|sandbox\/merchants)\//
  const served = operations.map(({ endpoint }) => endpoint.path).filter((one) => ours.test(one))
  const own = served.map((one) => one.replace('/sandbox/merchants/{merchant_id}', '{shop}'))
  expect(own.length).toBeGreaterThan(7)
  const missing = own.filter(
    (one) => !page.includes(one) && !page.includes(one.replace('{shop}', '/sandbox/merchants/{merchant_id}')),
  )
  expect(missing).toEqual([])
})

test('the codes of refusals are codes of the server', () => {
  const codes = [...examples.join('\n').matchAll(/Refusal\(\d+, '(\w+)'\)/g)].map(([, code = '']) => code)
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !Object.hasOwn(statusOfCode, code))).toEqual([])
})
