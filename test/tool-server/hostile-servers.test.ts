/** Authorization servers, directories and stores that answer with anything but what they should. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { REDIRECT_URI } from '../support/actors'
import { type Helper, startHelper } from './helper'
import {
  begin,
  countCharges,
  expectPaidOnce,
  type HostileWorld,
  HURRIED,
  hostFor,
  INJECTION,
  MISSHAPEN_NAMES,
  makeHonest,
  openHostileWorld,
  orderOf,
  PAY,
  UNUSABLE_NAMES,
  unusable,
  WORDS,
  wordy,
} from './hostile'
import { type Answering, json } from './listener'
import type { Relay } from './relay'
import { openStore, type Store } from './signed-store'
import { newHome, ToolHost, type ToolResult } from './tool-host'

const FAILED = `${PAY} failed: `
const unsigned = 'rejected upstream catalog (missing signed field signature)'

let world: HostileWorld
beforeAll(async () => {
  world = await openHostileWorld()
})
beforeEach(() => begin(world))
afterAll(() => world.close())

const order = () => orderOf(world, 'merchant_base_api')
const pay = () => world.host.call(PAY, order())

/** The authorization server answers so at paths that match. */
function spoilServer(path: RegExp, answer: Answering): void {
  world.relay.spoil = ({ url = '' }) => (path.test(url) ? answer : null)
}

/** The authorization server gets what is sent to this path, and does it; its answer is lost. */
function loseAnswer(path: string): Relay['spoil'] {
  return ({ url }) =>
    url === path
      ? async (request, response, body) => {
          await world.relay.ask(request, body)
          response.destroy()
        }
      : null
}

function expectFailure({ isError, texts }: ToolResult, first: string): void {
  expect([isError, texts[0]]).toEqual([true, first])
  expect(texts.join('\n')).not.toMatch(WORDS)
}

describe('an authorization server that is paid through', () => {
  const places = [
    ['/.well-known/oauth-authorization-server', 'PAR'],
    ['/oauth/par', 'PAR'],
    ['/oauth/authorize', 'authorize'],
    ['/oauth/token', 'token'],
    ['/oauth/jwks.json', 'token'],
    ['/settlement/settle', 'settle'],
  ] as const
  const cases = places.flatMap(([path, step]) => UNUSABLE_NAMES.map((name) => ({ path, step, name })))

  test.each(cases)('B9, B25 $path with $name is no usable answer of the step $step', async ({ path, step, name }) => {
    spoilServer(new RegExp(`^${path}(?:$|\\?)`), unusable(name))
    const isElsewhere = step === 'authorize' && name === 'a redirect'
    const reason = isElsewhere ? 'the answer has another redirect URI' : 'fetch failed'
    expectFailure(await hostFor(world, name).call(PAY, order()), `${FAILED}${step} failed: ${reason}`)
    await expectPaidOnce(world, order())
  })

  test.each(UNUSABLE_NAMES)(
    'B25 a decision that is read as %s is none: not paid, and asked for again',
    async (name) => {
      spoilServer(/^\/oauth\/par\/.+\/status$/, unusable(name))
      const args = { ...order(), consent_poll_timeout_seconds: 1 }
      const { isError, data, texts } = await hostFor(world, name).call(PAY, args)
      expect([isError, data['status']]).toEqual([false, 'step_up_required'])
      expect(texts.join('\n')).not.toMatch(WORDS)
      expect(await countCharges(world)).toBe(0)
      await expectPaidOnce(world, order())
    },
  )

  test.each([500, 502, 503])(
    'a purchase that needs no person is paid while decisions are answered with %i',
    async (status) => {
      spoilServer(/^\/oauth\/par\/.+\/status$/, wordy(status))
      expect((await pay()).data).toMatchObject({ status: 'paid' })
      expect(await countCharges(world)).toBe(1)
    },
  )

  test.each([
    ['/oauth/par', 'PAR', 400, 'invalid_request'],
    ['/oauth/token', 'token', 400, 'invalid_target'],
    ['/settlement/settle', 'settle', 403, 'limit_exceeded'],
  ])('B9, B12 a refusal at %s is reported with step, status and code', async (path, step, status, code) => {
    world.relay.spoil = ({ url }) =>
      url === path ? (_request, response) => json(response, { error: code }, status) : null
    expectFailure(await pay(), `${FAILED}${step} failed: ${status} ${code}`)
  })

  test.each([
    ['403', wordy(403, INJECTION)],
    ['403 Forbidden', wordy(403, 'Forbidden')],
    ['404', (_request, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>No.</p>')],
    ['408', (_request, response) => response.writeHead(408).end()],
  ] as [string, Answering][])(
    'a settlement whose answer is lost is not given up when a proxy then refuses with %s: the outcome stays unknown',
    async (detail, answer) => {
      world.relay.spoil = loseAnswer('/settlement/settle')
      expectFailure(await pay(), `${FAILED}settle failed: fetch failed`)
      spoilServer(/^\/settlement\/settle$/, answer)
      for (const _again of [1, 2]) {
        const refused = await pay()
        expectFailure(refused, `${FAILED}settle failed: ${detail}`)
        expect(refused.texts[1]).toMatch(/not known yet.+never charges twice.+payment history/)
      }
      expect(await countCharges(world)).toBe(1)
      await expectPaidOnce(world, order())
    },
  )

  test('B9 a refusal with a long text is reported in one printable line without anything like a token', async () => {
    const speech = `No.\r\n\u001B[2J\u202E${'t'.repeat(60)} ${'words '.repeat(200)}`
    spoilServer(/^\/oauth\/par$/, (_request, response) =>
      json(response, { error: `${INJECTION}\n`, error_description: speech }, 400),
    )
    const answer = await pay()
    expectFailure(answer, `${FAILED}PAR failed: 400`)
    expect(answer.texts[1]).toMatch(/^No\. +\[2J +\[…\] words [\x20-\x7E]*$/)
    expect(answer.texts[1]?.length).toBeLessThanOrEqual(300)
  })

  test('that redirects elsewhere with a code is not followed', async () => {
    const location = `https://evil.example/?code=stolen&iss=${encodeURIComponent(world.app.baseUrl)}`
    spoilServer(/^\/oauth\/authorize/, (_request, response) => response.writeHead(302, { location }).end())
    expectFailure(await pay(), `${FAILED}authorize failed: the answer has another redirect URI`)
    await expectPaidOnce(world, order())
  })
})

describe('an authorization server that agents register at', () => {
  let fresh: ToolHost
  beforeAll(async () => {
    fresh = await ToolHost.start(await newHome(), { limits: HURRIED })
  })
  afterAll(() => fresh.close())

  const metadata = () => ({ setup_token: 'made-up', as_url: world.app.baseUrl, redirect_uris: [REDIRECT_URI] })
  const registrations = [
    ['agent_register', {}],
    ['agent_wallet_register', { client_name: 'Helper', purpose: 'Helps' }],
  ] as const

  test.each(UNUSABLE_NAMES)('F1, F6, B25 with %s registers nobody', async (name) => {
    spoilServer(/^\/oauth\/register$/, unusable(name))
    for (const [tool, more] of registrations) {
      expectFailure(await fresh.call(tool, { ...metadata(), ...more }), `${tool} failed: fetch failed`)
    }
  })

  test('F1, F6 with a refusal whose code is a sentence registers nobody', async () => {
    spoilServer(/^\/oauth\/register$/, (_request, response) => json(response, { error: INJECTION }, 400))
    for (const [tool, more] of registrations) {
      expectFailure(await fresh.call(tool, { ...metadata(), ...more }), `${tool} failed: 400`)
    }
  })
})

describe('an authorization server with the data of a person', () => {
  let helper: Helper
  beforeAll(async () => {
    makeHonest(world)
    helper = await startHelper(world.app, 'every_purchase', { limits: HURRIED })
  })
  afterAll(() => helper.host.close())

  const way = () => ({ as_url: world.app.baseUrl, resource: world.app.baseUrl, redirect_uri: REDIRECT_URI })
  const session = { principal_token: 'session:default' }
  const tools: readonly [string, RegExp, () => object][] = [
    ['agent_wallet_list_agents', /^\/wallet\/agents$/, way],
    ['agent_wallet_revoke_agent', /^\/wallet\/agents\/.+\/revoke$/, () => ({ ...way(), agent_client_id: 'nobody' })],
    ['agent_audit_chain_query', /^\/wallet\/audit-chain/, () => session],
    ['agent_payment_history', /^\/wallet\/payment-history/, () => session],
    ['agent_dsar_initiate', /^\/privacy\/dsar\/access$/, () => ({ ...session, right: 'access' })],
    ['agent_dsar_initiate', /^\/privacy\/dsar\/portability$/, () => ({ ...session, right: 'portability' })],
  ]
  // A request for data is sent three times while there is no answer, so that one that never ends is shown once below.
  const cases = tools.flatMap(([tool, path, args]) =>
    UNUSABLE_NAMES.filter((name) => tool !== 'agent_dsar_initiate' || name !== 'a byte at a time').map((name) => ({
      tool,
      path,
      args,
      name,
    })),
  )

  test.each(cases)('B25 that answers $tool at $path with $name', async ({ tool, path, args, name }) => {
    spoilServer(path, unusable(name))
    expectFailure(await helper.host.call(tool, args()), `${tool} failed: fetch failed`)
  })

  test('B25, B32 that answers a request for data with a byte at a time, three times', async () => {
    spoilServer(/^\/privacy\/dsar\/access$/, unusable('a byte at a time'))
    const answer = await helper.host.call('agent_dsar_initiate', { ...session, right: 'access' })
    expectFailure(answer, 'agent_dsar_initiate failed: fetch failed')
  })

  test.each(tools)('B9 that refuses %s at %s with a sentence for a code', async (tool, path, args) => {
    spoilServer(path, (_request, response) => json(response, { error: INJECTION }, 418))
    expectFailure(await helper.host.call(tool, args()), `${tool} failed: 418`)
  })
})

describe('a directory', () => {
  const list = 'discovery_list_merchants'
  const browse = 'agent_browse_merchant'
  const both = [[list, {}] as const, [browse, { merchant_id: 'x' }] as const]

  test.each(UNUSABLE_NAMES)('B9, B25 with %s is a failed fetch', async (name) => {
    world.directory.answer = unusable(name)
    const isRead = MISSHAPEN_NAMES.includes(name)
    for (const [tool, args] of both) {
      const detail = isRead && tool === browse ? unsigned : 'fetch failed'
      expectFailure(await hostFor(world, name).call(tool, args), `${tool} failed: ${detail}`)
    }
  })

  test.each([
    [400, '400 invalid_filter'],
    [404, '404 not_found'],
    [429, '429 rate_limited'],
    [500, '500 server_error'],
    [502, '502 bad_gateway'],
    [418, '418'],
  ])('F4, F5 that refuses with %i and a speech says no word of it', async (status, detail) => {
    world.directory.answer = wordy(status)
    for (const [tool, args] of both) expectFailure(await world.host.call(tool, args), `${tool} failed: ${detail}`)
  })

  const preview = (items: readonly unknown[]) => ({
    '@context': 'https://schema.org',
    '@type': 'OfferCatalog',
    merchant: 'https://shop.example',
    catalog_url: 'https://shop.example/.well-known/oid4ac-catalog',
    signature: `sig1=:${Buffer.alloc(64).toString('base64')}:`,
    signature_input: 'sig1=("content-digest");keyid="k";alg="ed25519"',
    content_digest: `sha-256=:${Buffer.alloc(32).toString('base64')}:`,
    items,
  })

  test('B30 a preview has at most 50 items, however many are sent', async () => {
    world.directory.answer = (_request, response) =>
      json(response, preview(Array.from({ length: 60 }, (_, sku) => ({ sku }))))
    const { data } = await world.host.call(browse, { merchant_id: 'x' })
    expect(data['items']).toHaveLength(50)
  })

  test.each([
    ['more levels than JSON can be written with', '['.repeat(32_000) + ']'.repeat(32_000)],
    ['numbers that grow when they are written', `[${'1e20,'.repeat(12_900)}0]`],
  ])('B25 a preview with %s is a failed fetch', async (_what, words) => {
    const body = JSON.stringify(preview([{ sku: 'WORDS' }])).replace('"WORDS"', words)
    world.directory.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body)
    expectFailure(await world.host.call(browse, { merchant_id: 'x' }), `${browse} failed: fetch failed`)
  })

  test('B30 a preview of more than 64 KiB is a failed fetch', async () => {
    world.directory.answer = (_request, response) => json(response, preview([{ title: 'x'.repeat(65_536) }]))
    expect((await world.host.call(browse, { merchant_id: 'x' })).texts[0]).toBe(`${browse} failed: fetch failed`)
  })
})

describe('a store', () => {
  const BUY = 'agent_buy_cheapest_from_store'
  const CATALOG = '/.well-known/oid4ac-catalog'
  let store: Store
  beforeAll(async () => {
    store = await openStore()
  })
  beforeEach(() => {
    store.items = [{ sku: 'pen', title: INJECTION, unit_price_minor: 300, currency: 'EUR', in_stock: true }]
    store.spoil = {}
  })
  afterAll(() => store.close())

  const wish = () => ({
    store_url: store.url,
    merchant_verify_url: `${store.url}/verify`,
    max_amount_minor: 1_000,
    redirect_uri: REDIRECT_URI,
  })
  const buy = (name = '') => hostFor(world, name).call(BUY, wish())
  const asked = () => world.relay.asked.filter((line) => line === 'POST /oauth/par').length
  const isRead = (name: string) => MISSHAPEN_NAMES.includes(name)
  const keyless = 'rejected upstream catalog (no keys of the store)'
  const cases = UNUSABLE_NAMES.flatMap((name) => [
    { path: CATALOG, name, detail: isRead(name) ? unsigned : 'catalog 502' },
    { path: '/jwks.json', name, detail: isRead(name) ? keyless : 'catalog 502' },
  ])

  test.each(cases)('B25, B28 with $name at $path: $detail, and nobody is asked', async ({ path, name, detail }) => {
    const before = asked()
    store.spoil = { at: path, instead: unusable(name) }
    expectFailure(await buy(name), `${BUY} failed: ${detail}`)
    expect(asked()).toBe(before)
  })

  test.each([403, 422, 500])('B9, B28 that refuses with %i and a speech says no word of it', async (status) => {
    for (const path of [CATALOG, '/jwks.json']) {
      store.spoil = { at: path, instead: wordy(status) }
      const detail = path === CATALOG ? 'catalog 502' : keyless
      expectFailure(await buy(), `${BUY} failed: ${detail}`)
    }
  })

  test('B25, B28 with a good catalog of more than 64 KiB: catalog 502', async () => {
    store.items = [...store.items, { sku: 'x'.repeat(65_536) }]
    expectFailure(await buy(), `${BUY} failed: catalog 502`)
  })

  test.each(UNUSABLE_NAMES)('B25, B26 whose keys the federation answers with %s: catalog 502', async (name) => {
    spoilServer(/^\/federation\/merchant-keys/, unusable(name))
    expectFailure(await buy(name), `${BUY} failed: catalog 502`)
  })
})
