/** Merchants that answer with anything but what they should. */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  begin,
  changedSale,
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
import { json } from './listener'
import { newHome, ToolHost } from './tool-host'

const FAILED = `${PAY} failed: `
const NO_ANSWER = `${FAILED}verify-mandate failed: fetch failed`

let world: HostileWorld
beforeAll(async () => {
  world = await openHostileWorld()
})
beforeEach(() => begin(world))
afterAll(() => world.close())

const order = (route: 'merchant_base_api' | 'merchant_verify_url') => orderOf(world, route)
const pay = (args: object) => world.host.call(PAY, args)

describe('a merchant', () => {
  const some = ['HTML', 'nothing at all', 'a byte at a time']
  const places = [
    ['merchant_verify_url', '/verify', UNUSABLE_NAMES],
    ['merchant_base_api', '/api/payments', UNUSABLE_NAMES],
    ['merchant_verify_url', '/nonce', some],
    ['merchant_base_api', '/api/nonce', some],
  ] as const
  const cases = places.flatMap(([route, path, names]) => names.map((name) => ({ route, path, name })))

  test.each(cases)(
    'B9, B25 $path with $name is no usable answer, and nothing is charged twice',
    async ({ route, path, name }) => {
      world.spoilt = { path, answer: unusable(name) }
      const { isError, texts } = await hostFor(world, name).call(PAY, order(route))
      expect([isError, texts[0]]).toEqual([true, NO_ANSWER])
      expect(texts.join('\n')).not.toMatch(WORDS)
      await expectPaidOnce(world, order(route))
    },
  )

  test.each([
    ['merchant_verify_url', '/nonce', 404],
    ['merchant_verify_url', '/verify', 503],
    ['merchant_base_api', '/api/payments', 500],
  ] as const)('B9 %s %s that refuses with %i and a speech says no word of it', async (route, path, status) => {
    world.spoilt = { path, answer: wordy(status) }
    const { isError, texts } = await pay(order(route))
    expect([isError, texts[0]]).toEqual([true, `${FAILED}verify-mandate failed: ${status}`])
    expect(texts.join('\n')).not.toMatch(WORDS)
    await expectPaidOnce(world, order(route))
  })

  test('B25 /verify with a good answer of more than 64 KiB is no usable answer, and nothing is charged twice', async () => {
    world.spoilt = { path: '/verify', answer: changedSale(world, { padding: 'x'.repeat(65_536) }) }
    const { isError, texts } = await pay(order('merchant_verify_url'))
    expect([isError, texts[0]]).toEqual([true, NO_ANSWER])
    await expectPaidOnce(world, order('merchant_verify_url'))
  })

  test.each([...UNUSABLE_NAMES, 'a speech'])(
    'is told of the settlement and answers with %s: it is paid all the same, once',
    async (name) => {
      const answer = name === 'a speech' ? wordy(422) : unusable(name)
      world.spoilt = { path: '/api/payments/order-1/settlement', answer }
      const { isError, data, texts } = await hostFor(world, name).call(PAY, order('merchant_base_api'))
      expect([isError, data['status']]).toEqual([false, 'paid'])
      expect(data['receipt']).toEqual({})
      expect(texts.join('\n')).not.toMatch(WORDS)
      if (name !== 'other members') expect(texts[1]).toMatch(/^Paid, but the merchant /)
      expect(await countCharges(world)).toBe(1)
    },
  )

  describe('that cannot be told of the settlement', () => {
    const path = '/api/payments/order-1/settlement'
    const isUntold = /Paid, but the merchant could not be told yet\./
    const isAlreadyPaid = /^Already paid at \d\d:\d\d .+; nothing was charged again\./
    /** Another process of the same agent, for which the minute after `paid` is over at once. */
    let later: ToolHost
    beforeAll(async () => {
      later = await ToolHost.start(world.host.home, { limits: { ...HURRIED, DELIVERED_KEEP_MS: 0 } })
    })
    beforeEach(() => {
      world.spoilt = { path, answer: unusable('nothing at all') }
    })
    afterAll(() => later.close())

    const untold = async (host = world.host) => {
      const { data, texts } = await host.call(PAY, order('merchant_base_api'))
      expect([data['status'], texts[1]]).toEqual(['paid', expect.stringMatching(isUntold)])
      return texts[1]
    }

    test('A7 is told by an identical call within a minute, whose second text says that it was paid before', async () => {
      expect(await untold()).not.toMatch(isAlreadyPaid)
      expect(await untold()).toMatch(isAlreadyPaid)
      makeHonest(world)
      const { data, texts } = await pay(order('merchant_base_api'))
      expect([data['receipt'], texts[1]]).toEqual([{ thanks: INJECTION }, expect.stringMatching(isAlreadyPaid)])
      expect(await countCharges(world)).toBe(1)
    })

    test('A7 is told first once the minute is over, and then the same arguments buy again', async () => {
      await untold(later)
      const before = world.shop.asked.length
      const { isError, texts } = await later.call(PAY, order('merchant_base_api'))
      expect([isError, texts[0]]).toEqual([true, NO_ANSWER])
      expect(texts[1]).toMatch(/was paid at \d\d:\d\d .+could not be told.+Nothing was bought this time/)
      expect([await countCharges(world), new Set(world.shop.asked.slice(before))]).toEqual([
        1,
        new Set([`POST ${path}`]),
      ])
      makeHonest(world)
      const bought = await later.call(PAY, order('merchant_base_api'))
      expect([bought.data['status'], bought.texts.length, await countCharges(world)]).toEqual(['paid', 1, 2])
    })

    test('A7 and whose host never heard `paid` is no new purchase, however late the identical call comes', async () => {
      const cancelled = new AbortController()
      world.spoilt = { path, answer: () => cancelled.abort() }
      const call = later.call(PAY, order('merchant_base_api'), { signal: cancelled.signal }).catch(() => 'no answer')
      expect(await call).toBe('no answer')
      makeHonest(world)
      const { data, texts } = await later.call(PAY, order('merchant_base_api'))
      expect([data['status'], texts[1]]).toEqual(['paid', expect.stringMatching(isAlreadyPaid)])
      expect(await countCharges(world)).toBe(1)
    })
  })

  test.each([INJECTION, 'send_the_card_number', 7, { code: 'card_declined' }])(
    'B9, B13 that declines the card for the reason %j says no word of it',
    async (code) => {
      const answer = (_request: unknown, response: ServerResponse) =>
        json(response, { error: 'payment_declined', error_description: INJECTION, failure: { code } }, 402)
      world.spoilt = { path: '/verify', answer, isInstead: true }
      const { texts } = await pay(order('merchant_verify_url'))
      expect(texts).toEqual([`${FAILED}verify-mandate failed: 402 payment_declined`])
    },
  )

  test('its words stand in its receipt, and nowhere else', async () => {
    const { data, texts } = await pay(order('merchant_base_api'))
    expect([data['receipt'], texts.length]).toEqual([{ thanks: INJECTION }, 1])
  })

  test.each([
    ['another mandate', { mandate_id: 'mandate-of-somebody-else' }],
    ['ok as a text', { ok: 'true' }],
    ['ok false', { ok: false }],
    ['no receipt', { receipt_jws: undefined }],
  ])('that charges and then names %s is not believed, and charges once', async (_name, changed) => {
    world.spoilt = { path: '/verify', answer: changedSale(world, changed) }
    const { isError, texts } = await pay(order('merchant_verify_url'))
    expect([isError, texts[0]]).toEqual([true, NO_ANSWER])
    await expectPaidOnce(world, order('merchant_verify_url'))
  })
})

describe('receipts and mandates', () => {
  /** Changes a JSON answer of the authorization server at one path. */
  function change(path: string, changed: (answer: Record<string, string>) => object): void {
    world.relay.spoil = (request) =>
      request.url !== path
        ? null
        : async (_request, response, body) => {
            const { status, headers, body: text } = await world.relay.ask(request, body)
            const { 'content-length': _, ...rest } = headers
            const answer: Record<string, string> = JSON.parse(text)
            response.writeHead(status, rest).end(JSON.stringify(status === 200 ? changed(answer) : answer))
          }
  }

  let earlier: Record<string, string> = {}
  beforeAll(async () => {
    begin(world)
    change('/oauth/token', (answer) => {
      earlier = { ...earlier, mandate_jwt: answer['mandate_jwt'] ?? '' }
      return answer
    })
    const { data } = await pay(order('merchant_base_api'))
    earlier = { ...earlier, receipt_jws: String((data['settlement'] as Record<string, string>)['receipt_jws']) }
  })

  const forged = (jws: string) => `${jws.slice(0, -6)}AAAAAA`
  const unsigned = (jws: string) =>
    [Buffer.from('{"alg":"none","typ":"payment-receipt+jwt"}').toString('base64url'), jws.split('.')[1], ''].join('.')

  test.each([
    ['about another amount', () => earlier['receipt_jws'] ?? '', 'refused the receipt (it is about another payment)'],
    ['with a wrong signature', forged, 'refused the receipt (ERR_JWS_SIGNATURE_VERIFICATION_FAILED)'],
    ['without a signature', unsigned, 'refused receipt signed with a rejected algorithm (none)'],
    ['that is a speech', () => INJECTION, 'refused a malformed receipt'],
  ])('a settlement whose receipt is %s is not taken for paid, and is charged once', async (_name, alter, detail) => {
    change('/settlement/settle', (answer) => ({ ...answer, receipt_jws: alter(answer['receipt_jws'] ?? '') }))
    const { isError, texts } = await pay(order('merchant_base_api'))
    expect([isError, texts[0]]).toEqual([true, FAILED + detail])
    await expectPaidOnce(world, order('merchant_base_api'))
  })

  test.each([
    ['for another amount', () => earlier['mandate_jwt'] ?? '', 'refused the mandate (another amount)'],
    [
      'with a wrong signature',
      (mandate: string) => mandate.replace(/[^.~]{6}~/, 'AAAAAA~'),
      /refused the mandate \(ERR_JWS/,
    ],
    ['that is a speech', () => INJECTION, /refused (?:the|a malformed) mandate/],
    ['that is missing', () => undefined, 'declined: no mandate issued'],
  ])('B11 a mandate %s is never presented, and the same call gets another', async (_name, alter, detail) => {
    const asked = world.shop.asked.length
    change('/oauth/token', (answer) => ({ ...answer, mandate_jwt: alter(answer['mandate_jwt'] ?? '') }))
    const { isError, texts } = await pay(order('merchant_base_api'))
    const words = detail instanceof RegExp ? expect.stringMatching(detail) : FAILED + detail
    expect([isError, texts[0], world.shop.asked.length]).toEqual([true, words, asked])
    await expectPaidOnce(world, order('merchant_base_api'))
  })

  const claiming = (jws: string) => {
    const [, payload, signature] = jws.split('.')
    const header = { alg: 'EdDSA', typ: 'payment-receipt+jwt', kid: 'of-nobody' }
    return [Buffer.from(JSON.stringify(header)).toString('base64url'), payload, signature].join('.')
  }

  test.each([
    ['about another amount', (jws: string) => jws, 'refused the receipt (it is about another payment)'],
    ['with a wrong signature', forged, 'refused the receipt (ERR_JWS_SIGNATURE_VERIFICATION_FAILED)'],
    ['without a signature', unsigned, 'refused a receipt signed with a rejected algorithm (none)'],
    ['that names our issuer and an unknown key', claiming, 'refused the receipt (signed with an unknown key)'],
    ['that is a word', () => 'hello', 'refused a malformed receipt'],
    ['that is a speech', () => INJECTION, 'refused a malformed receipt'],
  ])("a merchant's receipt %s is not taken for paid, and the charge is not repeated", async (_name, alter, detail) => {
    const receipt = alter(earlier['receipt_jws'] ?? '')
    world.spoilt = { path: '/verify', answer: changedSale(world, { receipt_jws: receipt }) }
    const { isError, texts } = await pay(order('merchant_verify_url'))
    expect([isError, texts[0]]).toEqual([true, FAILED + detail])
    expect(texts.join('\n')).not.toMatch(WORDS)
    await expectPaidOnce(world, order('merchant_verify_url'))
  })

  const own = (claims: object) => {
    const parts = [{ alg: 'EdDSA', kid: 'till' }, claims].map((part) => JSON.stringify(part))
    return [...parts, 'signature'].map((part) => Buffer.from(part).toString('base64url')).join('.')
  }

  test("a merchant's own receipt is its word alone, and the second text says so", async () => {
    const receipt = own({ iss: world.shop.url, words: INJECTION })
    world.spoilt = { path: '/verify', answer: changedSale(world, { receipt_jws: receipt }) }
    const { data, texts } = await pay(order('merchant_verify_url'))
    expect(data).toMatchObject({ status: 'paid', receipt_jws: receipt })
    expect(texts[1]).toBe("The receipt is the merchant's own; the authorization server did not sign it.")
    expect(await countCharges(world)).toBe(1)
  })

  test('B25 an own receipt is not believed while the keys that the federation vouches for cannot be read', async () => {
    const answer = changedSale(world, { receipt_jws: own({}) })
    for (const name of UNUSABLE_NAMES) {
      begin(world)
      world.spoilt = { path: '/verify', answer }
      world.relay.spoil = ({ url = '' }) => (url.startsWith('/federation/merchant-keys') ? unusable(name) : null)
      const { isError, texts } = await hostFor(world, name).call(PAY, order('merchant_verify_url'))
      expect([name, isError, texts[0]]).toEqual([name, true, NO_ANSWER])
      await expectPaidOnce(world, order('merchant_verify_url'))
    }
  })
})

describe('B24 a verifier that agent_verify_mandate asks', () => {
  const VERIFY = 'agent_verify_mandate'
  const args = (more: object = {}) => ({
    merchant_verify_url: `${world.directory.url}/verify`,
    presentation: 'a~b~c',
    line_items: [{ sku: 'thing', qty: 1 }],
    ...more,
  })

  test('is sent the presentation and a key made of it, and its reply is passed on as it is', async () => {
    const bodies: string[] = []
    const reply = { ok: true, mandate_id: 'm-1', further: { words: INJECTION } }
    world.directory.answer = (_request, response, body) => {
      bodies.push(body)
      json(response, reply)
    }
    const first = await world.host.call(VERIFY, args())
    await world.host.call(VERIFY, args({ idempotency_key: 'mine', offer_id: 'offer' }))
    expect([first.data, first.texts.length]).toEqual([reply, 1])
    const common = { presentation: 'a~b~c', line_items: [{ sku: 'thing', qty: 1 }] }
    expect(bodies.map((body) => JSON.parse(body))).toEqual([
      { ...common, idempotency_key: createHash('sha256').update('a~b~c').digest('base64url') },
      { ...common, idempotency_key: 'mine', offer_id: 'offer' },
    ])
  })

  test.each([
    [200, { ok: 'true', mandate_id: 'm' }, '502 bad_gateway'],
    [200, { ok: true, mandate_id: 7 }, '502 bad_gateway'],
    [200, { ok: true }, '502 bad_gateway'],
    [200, [], '502 bad_gateway'],
    [200, INJECTION, '502 bad_gateway'],
    [422, { error: 'mandate_audience_mismatch' }, '422 mandate_audience_mismatch'],
    [422, { error: 'mandate_kb_nonce_mismatch' }, '422 mandate_kb_nonce_mismatch'],
    [422, { error: 'mandate_status_revoked' }, '422 mandate_status_revoked'],
    [422, { error: 'mandate_expired' }, '422 mandate_expired'],
    [422, { error: 'offer_digest_mismatch' }, '422 offer_digest_mismatch'],
    [422, { error: 'mandate_invalid' }, '422 mandate_invalid'],
    [422, { error: 'call_evil.example' }, '422'],
    [422, { error: 'forbidden' }, '422'],
    [502, { error: 'bad_gateway' }, '502 bad_gateway'],
    [500, { error: INJECTION }, '500'],
  ])('F3 and that answers %i %j', async (status, body, detail) => {
    world.directory.answer = (_request, response) => json(response, body, status)
    const { isError, texts } = await world.host.call(VERIFY, args())
    expect([isError, texts[0]]).toEqual([true, `${VERIFY} failed: verify-mandate failed: ${detail}`])
    expect(texts.join('\n')).not.toMatch(WORDS)
  })

  const readable = ['HTML', 'JSON that says it is text', 'JSON that ends early', ...MISSHAPEN_NAMES]
  test.each(UNUSABLE_NAMES)('B25 and that answers with %s', async (name) => {
    world.directory.answer = unusable(name)
    const { isError, texts } = await hostFor(world, name).call(VERIFY, args())
    const detail = readable.includes(name) ? '502 bad_gateway' : 'fetch failed'
    expect([isError, texts[0]]).toEqual([true, `${VERIFY} failed: verify-mandate failed: ${detail}`])
    expect(texts.join('\n')).not.toMatch(WORDS)
  })

  test('and that is on this machine is asked only beside a sandbox', async () => {
    const production = { COUNTERSIGN_AS_URL: 'https://as.example' }
    const away = await ToolHost.start(await newHome(), { env: production })
    const asked = world.directory.asked.length
    expect((await away.call(VERIFY, args())).texts[0]).toBe(`${VERIFY} failed: refused address (this machine)`)
    const plain = args({ merchant_verify_url: 'http://shop.example/verify' })
    expect((await world.host.call(VERIFY, plain)).texts[0]).toBe(
      `${VERIFY} failed: refused address (https is required)`,
    )
    expect(world.directory.asked).toHaveLength(asked)
    await away.close()
  })
})
