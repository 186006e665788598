/** Decisions D7 and D9 for the payment type of EU digital identity wallets (EUDI TS12): what is asked, and how it is answered. */
import { describe, expect, test } from 'vitest'
import * as w from './request-world'
import { fetchRequest, respond } from './wallet'

let world: w.World
w.withWorld((opened) => {
  world = opened
})

type Body = Readonly<Record<string, unknown>>

const TYPE = 'urn:eudi:sca:payment:1'
const PAYMENT = {
  type: TYPE,
  transaction_id: '8f0b2c0e-1c1e-4b54-9d43-6a4d52b5f3aa',
  payee: { name: 'Tallow Books', id: 'IE29AIBK93115212345678' },
  amount_minor: 1_200,
  currency: 'EUR',
}
/** How a wallet says that it authenticated its holder. */
const STRONG = { jti: 'code-1', amr: [{ knowledge: 'pin_6_or_more_digits' }, { possession: 'key_in_remote_wscd' }] }

const asked = async (data: Body = PAYMENT) => {
  const request = await w.newRequest(world.app, { transaction_data: data })
  const { claims } = await fetchRequest(request.deep_link)
  const [entry = ''] = claims.transaction_data ?? []
  return { request, claims, entry: Buffer.from(entry, 'base64url').toString() }
}
const answerWith = async (payload: Body) => {
  const { request, claims } = await asked()
  const taken = await respond(claims, { vp_token: { pid: [await w.present(world, claims, { payload })] } })
  return { taken, result: (await w.readResult(world.app, request)).json }
}

describe('a payment for EU digital identity wallets', () => {
  test('D9 is asked with the payload of TS12, about every credential of the query', async () => {
    expect(JSON.parse((await asked()).entry)).toEqual({
      type: TYPE,
      credential_ids: ['pid'],
      transaction_data_hashes_alg: ['sha-256'],
      payload: {
        transaction_id: PAYMENT.transaction_id,
        payee: PAYMENT.payee,
        currency: 'EUR',
        amount: 12,
      },
    })
  })

  test.each([
    [1, 'EUR', '0.01'],
    [1_210, 'EUR', '12.1'],
    [4_250, 'KWD', '4.25'],
    [1_500, 'JPY', '1500'],
    [12_345, 'CLF', '1.2345'],
    [29, 'HUF', '0.29'],
    [999_999_999_999, 'EUR', '9999999999.99'],
    [1_000_000_000_000, 'CLF', '100000000'],
  ])('D9 words %i minor units of %s as the number %s', async (amountMinor, currency, amount) => {
    const { entry } = await asked({ ...PAYMENT, amount_minor: amountMinor, currency })
    expect(/"amount":([^,}]+)/.exec(entry)?.[1]).toBe(amount)
  })

  const data = ['body', 'transaction_data']
  test.each<[string, Body, unknown[]]>([
    ['an unknown type', { ...PAYMENT, type: 'urn:eudi:sca:login:1' }, [...data, 'type']],
    ['a type that is no text', { ...PAYMENT, type: 1 }, [...data, 'type']],
    ['an unknown member', { ...PAYMENT, merchant: 'https://shop.example' }, [...data, 'merchant']],
    ['members of TS12 without its type', { ...PAYMENT, type: undefined }, [...data, 'transaction_id']],
    ['no transaction_id', { ...PAYMENT, transaction_id: undefined }, [...data, 'transaction_id']],
    ['a transaction_id of 37 characters', { ...PAYMENT, transaction_id: 'x'.repeat(37) }, [...data, 'transaction_id']],
    ['an empty transaction_id', { ...PAYMENT, transaction_id: '' }, [...data, 'transaction_id']],
    ['no payee', { ...PAYMENT, payee: undefined }, [...data, 'payee']],
    ['a payee without id', { ...PAYMENT, payee: { name: 'x' } }, [...data, 'payee', 'id']],
    ['an unknown member of the payee', { ...PAYMENT, payee: { ...PAYMENT.payee, x: 1 } }, [...data, 'payee', 'x']],
    ['no amount', { ...PAYMENT, amount_minor: undefined }, [...data, 'amount_minor']],
    ['an amount of nothing', { ...PAYMENT, amount_minor: 0 }, [...data, 'amount_minor']],
    ['a broken amount', { ...PAYMENT, amount_minor: 0.5 }, [...data, 'amount_minor']],
    ['an amount that no payment has', { ...PAYMENT, amount_minor: 1_000_000_000_001 }, [...data, 'amount_minor']],
    ['no currency', { ...PAYMENT, currency: undefined }, [...data, 'currency']],
    ['an unknown currency', { ...PAYMENT, currency: 'EUX' }, [...data, 'currency']],
  ])('D7 %s is 422', async (_name, body, loc) => {
    const { status, json } = await w.ask(world.app, { dcql_query: w.query(), transaction_data: body })
    expect([status, json.detail?.[0]?.loc]).toEqual([422, loc])
  })

  test('D7 beside a credential that the holder need not sign for is 422', async () => {
    const [pid] = w.query()['credentials'] as object[]
    const query = { credentials: [{ ...pid, require_cryptographic_holder_binding: false }] }
    const { status, json } = await w.ask(world.app, { dcql_query: query, transaction_data: PAYMENT })
    expect([status, json.detail?.[0]?.loc.at(-1)]).toEqual([422, 'require_cryptographic_holder_binding'])
  })

  test('D9 our own type may be named, and is what it is without a name', async () => {
    const own = { type: 'urn:oid4ac:payment:1', amount_minor: 5, currency: 'EUR' }
    const { entry } = await asked(own)
    expect(JSON.parse(entry)).toMatchObject(own)
    expect((await asked({ amount_minor: 5, currency: 'EUR' })).entry).toBe(entry)
  })
})

describe('the answer to a payment for EU digital identity wallets', () => {
  test.each<[string, Body]>([
    ['two factors', STRONG],
    ['three factors', { ...STRONG, amr: [...STRONG.amr, { inherence: 'fingerprint_device' }] }],
    ['the response_mode of the request', { ...STRONG, response_mode: 'direct_post.jwt' }],
  ])('D10 verifies with %s, and carries the hash', async (_name, payload) => {
    const { taken, result } = await answerWith(payload)
    expect([taken.status, result.status]).toEqual([200, 'verified'])
    expect(result.result?.['transaction_data_hashes']).toHaveLength(1)
  })

  test.each<[string, Body]>([
    ['no jti', { amr: STRONG.amr }],
    ['an empty jti', { ...STRONG, jti: '' }],
    ['a jti that is no text', { ...STRONG, jti: 7 }],
    ['no amr', { jti: 'code-1' }],
    ['an amr that is a text', { ...STRONG, amr: 'knowledge possession' }],
    ['one factor', { ...STRONG, amr: [{ possession: 'key_in_remote_wscd' }] }],
    ['the same factor twice', { ...STRONG, amr: [{ knowledge: 'pattern' }, { knowledge: 'other' }] }],
    ['a factor of another category', { ...STRONG, amr: [{ knowledge: 'other' }, { location: 'home' }] }],
    ['two factors in one object', { ...STRONG, amr: [{ knowledge: 'other', possession: 'other' }] }],
    ['factors without a method', { ...STRONG, amr: [{ knowledge: '' }, { possession: null }] }],
    ['factors that are texts', { ...STRONG, amr: ['pin', 'hwk'] }],
    ['another response_mode', { ...STRONG, response_mode: 'fragment' }],
  ])('D10 with %s is vp_token_invalid, and ends the request', async (_name, payload) => {
    const { taken, result } = await answerWith(payload)
    expect([taken.status, taken.json['error']]).toEqual([400, 'vp_token_invalid'])
    expect(result).toMatchObject({ status: 'rejected', error: 'vp_token_invalid' })
  })

  test('D10 an answer about our own type needs none of this', async () => {
    const request = await w.newRequest(world.app, { transaction_data: { amount_minor: 5, currency: 'EUR' } })
    expect((await w.answer(world, request)).status).toBe(200)
  })
})
