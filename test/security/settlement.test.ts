/** Decisions C19, C21, F44 and G51: whom money goes to, what a receipt says, and key bindings that are sent to settlement. */
import { createHash, randomUUID } from 'node:crypto'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { testCardNames, testCards } from '@/server/base/platform/processor/sandbox-cards'
import { defaultFeeBps } from '@/server/wallet/merchants'
import { Agent, exchange, must, newKey, newPrincipal, operate, type TokenAnswer } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
let agent: Agent
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  agent = await Agent.register(app, principalId)
})
afterAll(() => app.close())

interface Merchant {
  readonly id: string
  readonly merchant_audience: string
  readonly max_application_fee_bps: number
}

async function newMerchant(members: Record<string, unknown> = {}, target = app): Promise<Merchant> {
  const answer = await operate<Merchant>(target, 'POST', '/merchants', {
    merchant_audience: `https://${randomUUID()}.example`,
    business_name: 'Shop',
    country: 'IE',
    accepts_currency: ['EUR'],
    verification_status: 'verified',
    connected_account_id: 'acct_shop',
    ...members,
  })
  return must(answer, 201)
}

const settle = (bought: TokenAnswer, more: Record<string, unknown> = {}) =>
  agent.settle(bought.access_token, bought.mandate_jwt, randomUUID(), more)
const outcome = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json['error']]

describe('C21 where the money of a settlement goes', () => {
  test('C21 the registered account is paid when none is named, and another is refused', async () => {
    const { merchant_audience: merchant } = await newMerchant()
    const bought = await agent.buy({ merchant, amount_minor: 1_000 })
    expect(outcome(await settle(bought, { connected_account_id: 'acct_thief' }))).toEqual([403, 'forbidden'])
    const settled = await settle(bought, { application_fee_minor: 7 })
    expect(settled.json).toMatchObject({ connected_account_id: 'acct_shop', application_fee_minor: 7 })
    expect(decodeJwt(String(settled.json['receipt_jws']))).toMatchObject({
      connected_account_id: 'acct_shop',
      application_fee_minor: 7,
    })
    const { rows } = await charges(String(settled.json['payment_intent_id']))
    expect(rows).toEqual([{ destination: 'acct_shop', fee: 7 }])
  })

  test('C21 the fee is at most what the merchant allows, and the operator sets it', async () => {
    const merchant = await newMerchant({ max_application_fee_bps: 250 })
    expect(merchant.max_application_fee_bps).toBe(250)
    const bought = await agent.buy({ merchant: merchant.merchant_audience, amount_minor: 999 })
    for (const fee of [25, 1_000]) {
      expect([fee, ...outcome(await settle(bought, { application_fee_minor: fee }))]).toEqual([fee, 403, 'forbidden'])
    }
    const path = `/merchants/${merchant.id}`
    expect(must(await operate(app, 'PATCH', path, { max_application_fee_bps: 0 }), 200)).toMatchObject({
      max_application_fee_bps: 0,
    })
    expect(outcome(await settle(bought, { application_fee_minor: 1 }))).toEqual([403, 'forbidden'])
    must(await operate(app, 'PATCH', path, { max_application_fee_bps: 250 }), 200)
    expect((await settle(bought, { application_fee_minor: 24 })).status).toBe(200)
    for (const odd of [-1, 10_001, 1.5, '10', null]) {
      const answer = await operate(app, 'PATCH', path, { max_application_fee_bps: odd })
      expect([odd, answer.status]).toEqual([odd, 422])
    }
  })

  test.each([
    ['a merchant of the sandbox', () => newMerchant().then((merchant) => merchant.merchant_audience)],
    ['an unlisted merchant', () => Promise.resolve(`https://${randomUUID()}.example`)],
    ['a seeded merchant', () => Promise.resolve(`${app.baseUrl}/sandbox/merchants/tallow-books`)],
  ])('C21 %s allows a tenth of the amount', async (_name, merchantOf) => {
    const bought = await agent.buy({ merchant: await merchantOf(), amount_minor: 1_000 })
    expect(outcome(await settle(bought, { application_fee_minor: 101 }))).toEqual([403, 'forbidden'])
    expect((await settle(bought, { application_fee_minor: 100 })).status).toBe(200)
  })

  test('C21 a merchant without an account allows no more than one that nobody set a fee for', async () => {
    const { merchant_audience: merchant } = await newMerchant({
      connected_account_id: null,
      max_application_fee_bps: 5_000,
    })
    const bought = await agent.buy({ merchant, amount_minor: 1_000 })
    expect(outcome(await settle(bought, { application_fee_minor: 101 }))).toEqual([403, 'forbidden'])
    expect((await settle(bought, { application_fee_minor: 100 })).status).toBe(200)
  })
})

/** What the processor was told about a payment. */
async function charges(paymentIntentId: string) {
  const rows = await app.platform.db.query<{ destination: string | null; fee: number | null }>(
    sql`SELECT connected_account_id AS destination, application_fee_minor AS fee FROM sandbox_processor_intents
         WHERE id = ${paymentIntentId}`,
  )
  return { rows }
}

test('C21 outside the sandbox a merchant allows no fee unless the operator says so', () => {
  expect([defaultFeeBps({ sandbox: false }), defaultFeeBps({ sandbox: true })]).toEqual([0, 1_000])
})

describe('F44 receipts and test cards', () => {
  test('F44 a receipt has exactly the documented claims', async () => {
    const bought = await agent.buy({ amount_minor: 500 })
    const { json } = await settle(bought)
    expect(decodeJwt(String(json['receipt_jws']))).toEqual({
      iss: app.baseUrl,
      aud: bought.merchant,
      sub: agent.clientId,
      jti: json['settlement_id'],
      iat: expect.any(Number),
      mandate_id: json['mandate_id'],
      payment_intent_id: json['payment_intent_id'],
      amount_minor: 500,
      currency: 'EUR',
      status: 'succeeded',
      application_fee_minor: 0,
      connected_account_id: 'acct_sandbox_tallow-books',
    })
  })

  test('F44 GET /sandbox/cards lists every test card with what it does', async () => {
    const answer = await exchange(`${app.baseUrl}/sandbox/cards`)
    const cards = testCardNames.map((card) => {
      const { number, brand, description } = testCards[card]
      return { card, number, brand, description }
    })
    expect([answer.status, answer.json]).toEqual([200, { cards }])
  })
})

describe('G51 a key binding that is sent to settlement', () => {
  const sdHash = (mandate: string) => createHash('sha256').update(mandate).digest('base64url')

  async function bound(mandate: string, claims: Record<string, unknown>, key = agent.dpopKey): Promise<string> {
    const payload = { aud: app.baseUrl, nonce: 'n', sd_hash: sdHash(mandate), ...claims }
    const iat = Math.floor(app.clock.now().getTime() / 1000)
    const jwt = new SignJWT(payload).setProtectedHeader({ alg: key.alg, typ: 'kb+jwt' }).setIssuedAt(iat)
    return mandate + (await jwt.sign(key.privateKey))
  }

  test('G51 one for the issuer or for the merchant is taken, and none is fine', async () => {
    for (const audienceOf of [() => app.baseUrl, (merchant: string) => `${merchant}/`, null]) {
      const bought = await agent.buy()
      const mandate =
        audienceOf === null ? bought.mandate_jwt : await bound(bought.mandate_jwt, { aud: audienceOf(bought.merchant) })
      const answer = await agent.settle(bought.access_token, mandate, randomUUID())
      expect(answer.status, answer.text).toBe(200)
    }
  })

  test('G51 one that does not verify is 401 invalid_token', async () => {
    const bought = await agent.buy()
    const { mandate_jwt: mandate } = bought
    const odd = [
      await bound(mandate, { aud: 'https://other.example' }),
      await bound(mandate, { aud: [app.baseUrl] }),
      await bound(mandate, { sd_hash: sdHash(`${mandate}x`) }),
      await bound(mandate, { sd_hash: undefined }),
      await bound(mandate, {}, await newKey()),
      `${mandate}e30.e30.e30`,
      `${mandate}nonsense`,
    ]
    for (const presented of odd) {
      expect(outcome(await agent.settle(bought.access_token, presented, randomUUID()))).toEqual([401, 'invalid_token'])
    }
    expect((await settle(bought)).status).toBe(200)
  })
})

describe('C19 merchants that the directory does not list', () => {
  let strict: App
  let buyer: Agent
  beforeAll(async () => {
    strict = await startApp({ env: { REQUESTS_PER_MINUTE: '0', UNLISTED_MERCHANTS: 'refuse' } })
    const { principalId } = await newPrincipal(strict, { approval_rule: 'above_limits' })
    buyer = await Agent.register(strict, principalId)
  })
  afterAll(() => strict.close())

  const statusOf = async (merchant: string) => {
    const { form } = await buyer.purchase({ merchant })
    const { status, json } = await buyer.push(form)
    return status === 201 ? status : [status, (json as Record<string, unknown>)['error']]
  }

  test('C19 UNLISTED_MERCHANTS=refuse takes active merchants of the directory alone', async () => {
    const listed = await newMerchant({}, strict)
    expect(await statusOf(`${listed.merchant_audience}/`)).toBe(201)
    const pending = await newMerchant({ verification_status: 'pending' }, strict)
    for (const merchant of ['https://unlisted.example', pending.merchant_audience, `${listed.merchant_audience}/a`]) {
      expect([merchant, await statusOf(merchant)]).toEqual([merchant, [400, 'invalid_target']])
    }
  })

  test('C19 a mandate of a merchant that is suspended cannot be settled until it is active again', async () => {
    const merchant = await newMerchant({}, strict)
    const bought = await buyer.buy({ merchant: merchant.merchant_audience })
    const pay = () => buyer.settle(bought.access_token, bought.mandate_jwt, randomUUID())
    must(await operate(strict, 'PATCH', `/merchants/${merchant.id}`, { verification_status: 'suspended' }), 200)
    expect(outcome(await pay())).toEqual([403, 'forbidden'])
    expect(await statusOf(merchant.merchant_audience)).toEqual([400, 'invalid_target'])
    must(await operate(strict, 'PATCH', `/merchants/${merchant.id}`, { verification_status: 'verified' }), 200)
    expect((await pay()).status).toBe(200)
  })

  test('C19 the sandbox takes any merchant by default', async () => {
    expect((await agent.buy({ merchant: 'https://unlisted.example' })).mandate_jwt).toBeTruthy()
  })
})
