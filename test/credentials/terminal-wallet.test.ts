/** Decisions C4, C5, C10 and D7 to D11 from a wallet's side: `npm run wallet`, the wallet at the terminal, against the real server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { walletCommand } from '@/scripts/wallet/command'
import { must } from '../support/actors'
import { type App, startApp } from '../support/app'
import { AGES, newOffer } from './issuance-wallet'
import { ask, readResult } from './request-world'

let app: App
let home: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'countersign-wallet-'))
  return () => rm(home, { recursive: true })
})

const wallet = (...args: string[]) =>
  walletCommand([...args, '--home', home], { BASE_URL: app.baseUrl, OPERATOR_TOKEN: app.operatorToken })

const PID = 'urn:eudi:pid:1'
const queryOf = (vct: string, ...claims: string[][]) => ({
  credentials: [
    { id: 'one', format: 'dc+sd-jwt', meta: { vct_values: [vct] }, claims: claims.map((names) => ({ path: names })) },
  ],
})

const newRequest = async (body: object) => must(await ask(app, body), 200)

describe('the wallet at the terminal', () => {
  test('C4, C10 is empty at first, and keeps what it fetches, once', async () => {
    expect(await wallet('list')).toEqual({ code: 0, text: 'This wallet is empty.' })
    const { deep_link: link } = await newOffer(app)
    const fetched = await wallet('accept', link)
    expect(fetched).toMatchObject({
      code: 0,
      text: expect.stringContaining('"age_equal_or_over":{"18":true,"21":false}'),
    })
    const { text } = await wallet('list')
    expect(text).toContain(`${app.baseUrl}/vct/age-verified-buyer/1 of ${app.baseUrl}`)
    expect(await wallet('accept', link)).toMatchObject({ code: 1, text: expect.stringContaining('invalid_grant') })
  })

  test('C4, C5, C10 fetches an offer by its address, with the digits that it needs', async () => {
    const { credential_offer_uri: uri, tx_code: txCode = '' } = await newOffer(app, { ...AGES, tx_code: true })
    const link = `openid-credential-offer://?credential_offer_uri=${encodeURIComponent(uri)}`
    expect(await wallet('accept', link)).toMatchObject({ code: 2 })
    expect(await wallet('accept', link, '--tx-code', txCode)).toMatchObject({ code: 0 })
  })

  test('D1, D9, D10 shows of a test PID what is asked for, and nothing else', async () => {
    expect(await wallet('pid', '--region', 'TEST')).toMatchObject({
      code: 0,
      text: expect.stringContaining('Lovelace'),
    })
    const query = queryOf(PID, ['age_equal_or_over', '18'], ['nationalities'])
    const request = await newRequest({ dcql_query: query, region: 'TEST' })
    expect(await wallet('present', request.deep_link)).toMatchObject({
      code: 0,
      text: expect.stringContaining('age_equal_or_over.18, nationalities'),
    })
    const { json } = await readResult(app, request)
    const { iss, iat, exp, vct, ...claims } = json.result?.claims ?? {}
    expect([json.status, iss, vct]).toEqual(['verified', 'https://pid-issuer.example', PID])
    expect([typeof iat, typeof exp]).toEqual(['number', 'number'])
    expect(claims).toEqual({ age_equal_or_over: { 18: true }, nationalities: ['IE'] })
    expect(await wallet('present', request.deep_link)).toMatchObject({ code: 1 })
  })

  test.each<[string, object]>([
    ['purchase', { amount_minor: 1_200, currency: 'EUR', merchant: 'https://tallow.example' }],
    [
      'payment of the EU type',
      {
        type: 'urn:eudi:sca:payment:1',
        transaction_id: 't-1',
        payee: { name: 'Tallow Books', id: 'tallow' },
        amount_minor: 1_200,
        currency: 'EUR',
      },
    ],
  ])('signs what a %s is about, and keeps other issuers of the region', async (_name, data) => {
    await wallet('pid', '--region', 'TEST')
    await wallet('accept', (await newOffer(app)).deep_link)
    const query = queryOf(`${app.baseUrl}/vct/age-verified-buyer/1`, ['age_equal_or_over', '18'])
    const request = await newRequest({ dcql_query: query, region: 'TEST', transaction_data: data })
    expect(await wallet('present', request.deep_link)).toMatchObject({ code: 0 })
    const { json } = await readResult(app, request)
    expect(json).toMatchObject({ status: 'verified', result: { transaction_data_hashes: [expect.any(String)] } })
  })

  test('D10 signs what a purchase is about with one of two credentials', async () => {
    await wallet('pid', '--region', 'TEST')
    const [one] = queryOf(PID, ['given_name']).credentials
    const query = { credentials: [one, { ...one, id: 'two' }] }
    const data = { amount_minor: 1_200, currency: 'EUR' }
    const request = await newRequest({ dcql_query: query, region: 'TEST', transaction_data: data })
    expect(await wallet('present', request.deep_link)).toMatchObject({ code: 0 })
    const { json } = await readResult(app, request)
    expect(json.result?.presentations.map((part) => 'transaction_data_hashes' in part)).toEqual([true, false])
  })

  test('D10 declines when told so, and says what it lacks', async () => {
    await wallet('pid', '--region', 'TEST')
    const declined = await newRequest({ dcql_query: queryOf(PID, ['given_name']), region: 'TEST' })
    expect(await wallet('present', declined.deep_link, '--decline')).toMatchObject({ code: 0 })
    expect((await readResult(app, declined)).json).toMatchObject({ status: 'rejected', error: 'access_denied' })
    const other = await newRequest({ dcql_query: queryOf('urn:other:1', ['given_name']), region: 'TEST' })
    expect(await wallet('present', other.deep_link)).toMatchObject({
      code: 1,
      text: expect.stringContaining('urn:other:1'),
    })
  })

  test.each([[], ['fly'], ['accept'], ['present', 'https://shop.example'], ['list', 'more'], ['accept', 'a', 'b']])(
    'says how it is used: %j',
    async (...args) => {
      expect((await wallet(...args)).code).toBe(2)
    },
  )
})
