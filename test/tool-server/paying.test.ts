import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { declineCardholderChallenge, listCardholderChallenges } from '@/server/money/settlement'
import { exchange, newPrincipal, newSetupToken, Person, type Target } from '../support/actors'
import { type App, startApp } from '../support/app'
import { withPortal } from '../support/wallet-token'
import { BOOK, bookOrder, KINDRED, startBuyer } from './buyer'
import { openRelay } from './relay'
import { newHome, removeHomes, ToolHost } from './tool-host'

let app: App
beforeAll(async () => {
  app = await startApp({ env: { REQUESTS_PER_MINUTE: '0' } })
})
afterAll(async () => {
  await app.close()
  await removeHomes()
})

interface History {
  readonly payments: readonly { readonly mandate_id: string; readonly amount_minor: number }[]
}

/** What the person has paid for. */
async function paymentsOf(principalId: string) {
  const person = await Person.signIn(app, principalId)
  return (await person.call<History>('GET', '/wallet/payment-history')).json.payments
}

/** The cardholder declines the payment about which their bank asks them. */
async function declineAtBank(principalId: string): Promise<void> {
  const call = withPortal(app, principalId)
  const [waiting] = await listCardholderChallenges(call)
  expect(await declineCardholderChallenge(call, { id: waiting?.settlement_id ?? '' })).toMatchObject({
    status: 'failed',
  })
}

const PAY = 'agent_payment_initiate'
const untilPending = async (person: Person) => {
  for (;;) {
    const [waiting] = await person.pending()
    if (waiting !== undefined) return waiting
  }
}

describe('what is paid', () => {
  test('A7, C48c is not bought again by an identical call within 60 s, whose second text says so', async () => {
    const { host, principalId } = await startBuyer(app)
    const first = await host.call(PAY, bookOrder(app))
    const again = await host.call(PAY, bookOrder(app))
    expect(first.data).toMatchObject({ status: 'paid' })
    expect(again.data).toEqual(first.data)
    expect(again.texts[1]).toMatch(
      /^Already paid at \d\d:\d\d \(UTC[+-]\d\d:\d\d\); nothing was charged again\. For a second one, wait a minute\.$/,
    )
    expect(await paymentsOf(principalId)).toHaveLength(1)
    await host.close()
  })

  test('A7 is bought again once the time is up', async () => {
    const { host, principalId } = await startBuyer(app, {}, { limits: { DELIVERED_KEEP_MS: 0 } })
    const first = await host.call(PAY, bookOrder(app))
    const again = await host.call(PAY, bookOrder(app))
    expect([first.data['status'], again.data['status'], again.texts.length]).toEqual(['paid', 'paid', 1])
    expect(await paymentsOf(principalId)).toHaveLength(2)
    await host.close()
  })

  test('is asked for with a state and a verifier of its own each time', async () => {
    const relay = await openRelay()
    const away = await startApp({ env: { BASE_URL: relay.url } })
    relay.port = away.platform.config.port
    const pushed: URLSearchParams[] = []
    relay.spoil = ({ url }, body) => {
      if (url === '/oauth/par') pushed.push(new URLSearchParams(body))
      return null
    }
    const { host } = await startBuyer(away)
    for (const book of [BOOK, KINDRED]) {
      expect((await host.call(PAY, bookOrder(away, book))).data['status']).toBe('paid')
    }
    const bought = pushed.filter((form) => form.has('authorization_details'))
    const distinct = (name: string) => new Set(bought.map((form) => form.get(name))).size
    expect([distinct('authorization_details'), distinct('state'), distinct('code_challenge')]).toEqual([2, 2, 2])
    for (const form of bought) {
      expect(form.get('state')).toMatch(/^[\w-]{22,}$/)
      expect(form.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    }
    await Promise.all([host.close(), away.close(), relay.close()])
  })

  test('A7 survives the process: another one answers with the same purchase', async () => {
    const { host, principalId } = await startBuyer(app)
    const first = await host.call(PAY, bookOrder(app))
    host.kill()
    const next = await ToolHost.start(host.home)
    const again = await next.call(PAY, bookOrder(app))
    expect([again.data, await paymentsOf(principalId)]).toMatchObject([first.data, [{ amount_minor: 1200 }]])
    await next.close()
  })

  test('B37 identical calls at once, from two processes, share one purchase and get the same answer', async () => {
    const { host, principalId } = await startBuyer(app)
    const other = await ToolHost.start(host.home)
    const answers = await Promise.all([host, other, host, other].map((each) => each.call(PAY, bookOrder(app))))
    const [first] = answers
    expect(first?.data['status']).toBe('paid')
    for (const answer of answers) expect(answer.data).toEqual(first?.data)
    expect(await paymentsOf(principalId)).toHaveLength(1)
    await Promise.all([host.close(), other.close()])
  })
})

describe('what is refused before any request', () => {
  let host: ToolHost
  beforeAll(async () => {
    ;({ host } = await startBuyer(app))
  })
  afterAll(() => host.close())

  test.each([
    ['A1', { merchant_verify_url: 'https://evil.example/verify' }, 'refused address (another host than the merchant)'],
    ['A1', { merchant_base_api: 'https://evil.example' }, 'refused address (another host than the merchant)'],
    ['B17', { merchant_domain: 'evil.example' }, 'merchant_domain is not the host of merchant_url'],
    ['B17', { merchant_domain: '127.0.0.1:443' }, 'merchant_domain is not the host of merchant_url'],
    ['B17', { merchant_domain: 'evil.example@127.0.0.1' }, 'merchant_domain is not the host of merchant_url'],
    ['B17', { merchant_domain: '127.0.0.1/shop' }, 'merchant_domain is not the host of merchant_url'],
    ['B18', { merchant_verify_url: undefined }, 'merchant_base_api or merchant_verify_url is required'],
    ['B9', { amount: { currency: 'EUR', amount_minor: 0 } }, 'invalid arguments: amount.amount_minor: '],
    ['B9', { line_items: [] }, 'invalid arguments: line_items: '],
  ])('%s %j', async (_decision, wrong, detail) => {
    const { isError, texts } = await host.call(PAY, { ...bookOrder(app), ...wrong })
    expect([isError, texts[0]?.startsWith(`agent_payment_initiate failed: ${detail}`)]).toEqual([true, true])
    expect(texts[0]).not.toContain('\n')
    expect(await readdir(host.home)).not.toContain('pending')
  })
})

describe('addresses that are taken', () => {
  let host: ToolHost
  beforeAll(async () => {
    ;({ host } = await startBuyer(app))
  })
  afterAll(() => host.close())

  test('B17 the host of merchant_url may be named with and without its port', async () => {
    const { hostname, host: withPort } = new URL(app.baseUrl)
    for (const domain of [hostname, withPort]) {
      const { data } = await host.call(PAY, { ...bookOrder(app), merchant_domain: domain })
      expect(data['status']).toBe('paid')
    }
  })

  test.each([
    ['https://shop.example', 'SHOP.example:443'],
    ['https://shop.example:8443', 'shop.example'],
    ['https://bücher.example', 'bücher.example'],
    ['https://bücher.example', 'xn--bcher-kva.example'],
  ])('B17 the host of %s may be spelled %s', async (merchant, domain) => {
    const verifier = `${app.baseUrl}/merchant_test/verify-mandate`
    const order = { ...bookOrder(app), merchant_url: merchant, merchant_verify_url: verifier, merchant_domain: domain }
    expect((await host.call(PAY, order)).data).toMatchObject({ status: 'paid' })
  })

  test('A1 the test verifier of the sandbox stands in for any merchant', async () => {
    const order = {
      ...bookOrder(app),
      merchant_url: 'https://anywhere.example',
      merchant_verify_url: `${app.baseUrl}/merchant_test/verify-mandate`,
    }
    expect((await host.call(PAY, order)).data).toMatchObject({ status: 'paid' })
  })
})

describe('words of failures and refusals', () => {
  let buyer: Awaited<ReturnType<typeof startBuyer>>
  beforeAll(async () => {
    buyer = await startBuyer(app)
  })
  afterAll(() => buyer.host.close())

  test.each([
    [{ amount: { currency: 'eur', amount_minor: 1200 } }, 'PAR failed: 400 invalid_authorization_details'],
    [{ line_items: [{ ...BOOK, currency: 'USD' }] }, 'PAR failed: 400 invalid_authorization_details'],
    [{ redirect_uri: 'http://127.0.0.1:1/other' }, 'PAR failed: 400 invalid_request'],
    [{ line_items: [{ ...BOOK, sku: 'no-such-book' }] }, 'verify-mandate failed: 422 offer_digest_mismatch'],
    [{ offer_digest: undefined }, 'verify-mandate failed: 422 offer_digest_mismatch'],
  ])('B9, B10, B19 %j', async (wrong, detail) => {
    const { isError, texts } = await buyer.host.call(PAY, { ...bookOrder(app), ...wrong })
    expect([isError, texts[0]]).toEqual([true, `agent_payment_initiate failed: ${detail}`])
    expect(await paymentsOf(buyer.principalId)).toEqual([])
  })

  test('B11, B12 a rule that says no is a result, and no failure', async () => {
    const { host, principalId } = await startBuyer(app)
    const person = await Person.signIn(app, principalId, 'wallet:read wallet:write')
    const rule = { merchant_audience: bookOrder(app).merchant_url, agent_client_id: null, verdict: 'deny' }
    await person.call('POST', '/wallet/merchant-rules', rule)
    const { isError, texts, data } = await host.call(PAY, bookOrder(app))
    expect([isError, data]).toEqual([false, { status: 'declined', error: { code: 'access_denied' } }])
    expect(texts[1]).toMatch(/^declined: no mandate issued/)
    await host.close()
  })

  test('B11, B12 a person who says no is a result, and no failure', async () => {
    const { host, principalId } = await startBuyer(app, { approval_rule: 'every_purchase' })
    const person = await Person.signIn(app, principalId, 'wallet:read wallet:write')
    const paying = host.call(PAY, bookOrder(app))
    await person.decide((await untilPending(person))['authorization_id'], 'decline')
    const { isError, texts, data } = await paying
    expect([isError, data]).toEqual([false, { status: 'declined', error: { code: 'consent_denied' } }])
    expect(texts[1]).toMatch(/^declined: no mandate issued/)
    await host.close()
  })

  test.each([
    ['freezes spending', '/wallet/freeze'],
    ['restricts processing', '/privacy/dsar/restriction'],
  ])('B11, B12 a request that ends because the person %s was declined by a rule', async (_act, endpoint) => {
    const { host, principalId } = await startBuyer(app, { approval_rule: 'every_purchase' })
    const person = await Person.signIn(app, principalId, 'wallet:read wallet:write privacy:dsar')
    const paying = host.call(PAY, bookOrder(app))
    await untilPending(person)
    expect((await person.call('POST', endpoint)).status).toBe(200)
    const { isError, texts, data } = await paying
    expect([isError, data]).toEqual([false, { status: 'declined', error: { code: 'access_denied' } }])
    expect(texts[1]).toMatch(/^declined: no mandate issued/)
    await host.close()
  })

  test('B12 what the person declined stays theirs when the answer at authorize is lost, and they are not asked again', async () => {
    const relay = await openRelay()
    const away = await startApp({ env: { BASE_URL: relay.url } })
    relay.port = away.platform.config.port
    const { host, principalId } = await startBuyer(
      away,
      { approval_rule: 'every_purchase' },
      { onPage: () => 'cancel' },
    )
    await host.call(PAY, bookOrder(away))
    const person = await Person.signIn(away, principalId)
    await person.decide((await person.pending())[0]?.['authorization_id'], 'decline')
    relay.spoil = ({ url = '' }) =>
      url.startsWith('/oauth/authorize') ? (_request, response) => response.destroy() : null
    const { data } = await host.call(PAY, bookOrder(away))
    expect(data).toEqual({ status: 'declined', error: { code: 'consent_denied' } })
    expect(await person.pending()).toEqual([])
    await Promise.all([host.close(), away.close(), relay.close()])
  })

  test('B13 a declined card is a failed settlement, and the second text holds its failure code', async () => {
    const { host } = await startBuyer(app, { card: 'decline' })
    const shop = bookOrder(app).merchant_url
    const { merchant_verify_url: _verifier, ...order } = bookOrder(app)
    const { isError, texts } = await host.call(PAY, { ...order, merchant_base_api: shop })
    expect([isError, texts[0]]).toEqual([true, 'agent_payment_initiate failed: settle failed: 402 payment_declined'])
    expect(texts[1]).toContain('card_declined')
    await host.close()
  })

  test.each([
    ['decline', 'card_declined'],
    ['insufficient_funds', 'insufficient_funds'],
  ])('B13 a verifier that is refused the card %s names the failure code %s in the second text', async (card, code) => {
    const { host } = await startBuyer(app, { card })
    const { isError, texts } = await host.call(PAY, bookOrder(app))
    const detail = 'verify-mandate failed: 402 payment_declined'
    expect([isError, texts[0]]).toEqual([true, `agent_payment_initiate failed: ${detail}`])
    expect(texts[1]).toContain(code)
    await host.close()
  })

  test.each(['merchant_verify_url', 'merchant_base_api'])(
    'after the cardholder declined at their bank, a purchase by %s ends as declined, and the same call begins another',
    async (route) => {
      const { host, principalId } = await startBuyer(app, { card: 'authentication_required' })
      const { merchant_verify_url: _verifier, ...rest } = bookOrder(app)
      const order = route === 'merchant_base_api' ? { ...rest, merchant_base_api: rest.merchant_url } : bookOrder(app)
      await host.call(PAY, order)
      await declineAtBank(principalId)
      const declined = await host.call(PAY, order)
      expect(declined.texts[0]).toContain('failed: 402 payment_declined')
      expect(declined.texts[1]).not.toContain('had no answer')
      expect((await host.call(PAY, order)).texts.join()).toContain('step_up_required')
      const started = await app.platform.db.query(sql`SELECT 1 FROM settlements WHERE principal_id = ${principalId}`)
      expect(started).toHaveLength(2)
      await host.close()
    },
  )

  test('B15, C48c link and code of an approval can be derived by anybody who knows the request', async () => {
    const { host } = await startBuyer(app, { approval_rule: 'every_purchase' })
    const waiting = await host.call(PAY, { ...bookOrder(app), consent_poll_timeout_seconds: 1 })
    const requestUri = String(waiting.data['request_uri'])
    const digest = (text: string) => createHash('sha256').update(text).digest()
    const handle = digest(`approve:${requestUri}`).toString('base64url').slice(0, 22)
    const code = String(digest(`match-code:${requestUri}`).readUInt32BE(0) % 100).padStart(2, '0')
    expect(waiting.data['status']).toBe('step_up_required')
    expect(waiting.texts[1]).toContain(`${app.baseUrl}/approve/${handle}`)
    expect(waiting.texts[1]).toContain(`the code ${code}.`)
    expect(waiting.texts[1]).toMatch(/valid until \d\d:\d\d \(UTC[+-]\d\d:\d\d\)/)
    await host.close()
  })
})

test('B14 a call without progress waits no longer than the default, and one with progress as long as requested', async () => {
  const limits = { CONSENT_POLL_DEFAULT_SECONDS: 1, PROGRESS_INTERVAL_MS: 1_100 }
  const { host, principalId } = await startBuyer(app, { approval_rule: 'every_purchase' }, { limits })
  const person = await Person.signIn(app, principalId, 'wallet:read wallet:write')
  const order = { ...bookOrder(app), consent_poll_timeout_seconds: 900 }
  expect((await host.call(PAY, order)).data).toMatchObject({ status: 'step_up_required' })
  const messages: string[] = []
  const onMessage = async (message: string) => {
    // The second comes after the default is over.
    if (messages.push(message) === 2) await person.decide((await untilPending(person))['authorization_id'], 'approve')
  }
  const waited = await host.call(PAY, order, { onMessage: (message) => void onMessage(message) })
  expect(waited.data).toMatchObject({ status: 'paid' })
  expect(messages.length).toBeGreaterThanOrEqual(2)
  await host.close()
})

describe('a host that opens pages', () => {
  test('B16 a purchase that is declined there ends at the server: nobody can approve it in the wallet', async () => {
    const { host, principalId } = await startBuyer(
      app,
      { approval_rule: 'every_purchase' },
      { onPage: () => 'decline' },
    )
    const { data, texts } = await host.call(PAY, bookOrder(app))
    expect(data).toEqual({ status: 'declined', error: { code: 'consent_denied' } })
    expect(texts[1]).toMatch(/^declined: no mandate issued/)
    const person = await Person.signIn(app, principalId, 'wallet:read wallet:write')
    expect(await person.pending()).toEqual([])
    await host.close()
  })

  test('a page that is closed without a decision leaves the request, which the identical call resumes', async () => {
    const { host, principalId } = await startBuyer(app, { approval_rule: 'every_purchase' }, { onPage: () => 'cancel' })
    const first = await host.call(PAY, bookOrder(app))
    expect(first.data).toMatchObject({ status: 'step_up_required' })
    const person = await Person.signIn(app, principalId, 'wallet:read wallet:write')
    await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
    expect((await host.call(PAY, bookOrder(app))).data).toMatchObject({ status: 'paid' })
    await host.close()
  })
})

test('B38 a cancelled call gets no answer and sends nothing more; the identical call resumes its request', async () => {
  const { host, principalId } = await startBuyer(app, { approval_rule: 'every_purchase' })
  const person = await Person.signIn(app, principalId, 'wallet:read wallet:write')
  const cancelled = new AbortController()
  const call = host.call(PAY, bookOrder(app), { signal: cancelled.signal }).catch(() => 'no answer')
  const waiting = await untilPending(person)
  cancelled.abort()
  expect(await call).toBe('no answer')
  await person.decide(waiting['authorization_id'], 'approve')
  expect(await paymentsOf(principalId)).toEqual([])
  expect((await host.call(PAY, bookOrder(app))).data).toMatchObject({ status: 'paid' })
  expect([await person.pending(), await paymentsOf(principalId)]).toMatchObject([[], [{ amount_minor: 1200 }]])
  await host.close()
})

test('the record of a finished purchase holds no token', async () => {
  const { host } = await startBuyer(app)
  await host.call(PAY, bookOrder(app))
  const files = await readdir(path.join(host.home, 'pending'))
  expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
  const text = await readFile(path.join(host.home, 'pending', files[0] ?? ''), 'utf8')
  expect(JSON.parse(text)).toMatchObject({ stage: 'done', delivered: true })
  expect(text).not.toContain('access_token')
  await host.close()
})

describe('the magic-link gate', () => {
  interface Outbox {
    readonly messages: readonly { readonly to: string; readonly links: readonly string[] }[]
  }

  async function mailTo(target: Target, email: string): Promise<URL[]> {
    const { json } = await exchange<Outbox>(`${target.baseUrl}/sandbox/outbox`, {
      headers: { accept: 'application/json' },
    })
    return json.messages
      .filter(({ to, links }) => to === email && links.some((link) => link.includes('/magic-link?')))
      .map(({ links }) => new URL(links[0] ?? ''))
  }

  const confirm = (link: URL | undefined) =>
    exchange(`${app.baseUrl}/oauth/magic-link/confirm?token=${link?.searchParams.get('token')}`)

  /** What the browser does with the redirect; the person was quicker than any person when nobody waits for it yet. */
  async function follow(location: string | null, status = 200): Promise<{ status: number; text: string }> {
    for (;;) {
      const answer = await exchange(location ?? '').catch(() => null)
      if (answer?.status === status) return answer
    }
  }

  test('A8b the tool listens at its redirect URI, and the confirmation in the mail makes the payment', async () => {
    const { host, email, principalId } = await startBuyer(app, { magic_link_gate: true })
    let mail: URL[] = []
    const paying = host.call(PAY, bookOrder(app))
    while (mail.length === 0) mail = await mailTo(app, email)
    const { headers } = await confirm(mail[0])
    const location = headers.get('location') ?? ''
    const forged = new URL(location)
    forged.searchParams.set('state', 'of-somebody-else')
    await follow(forged.href, 404)
    const foreign = new URL(location)
    foreign.searchParams.set('iss', 'https://evil.example')
    await follow(foreign.href, 404)
    const page = await follow(location)
    expect(page.text).toContain('Confirmed, you can close this')
    expect((await paying).data).toMatchObject({ status: 'paid' })
    await expect(exchange(location)).rejects.toThrow()
    expect(await paymentsOf(principalId)).toHaveLength(1)
    await host.close()
  })

  test('A8b not confirmed in time: the old request, and the identical call listens again without a second mail', async () => {
    const { host, email } = await startBuyer(app, { magic_link_gate: true })
    const order = { ...bookOrder(app), consent_poll_timeout_seconds: 1 }
    const first = await host.call(PAY, order)
    const second = await host.call(PAY, order)
    expect(first.data).toMatchObject({ status: 'step_up_required' })
    expect(second.data).toEqual(first.data)
    expect(second.texts[1]).toContain('confirm in the mail')
    const paying = host.call(PAY, bookOrder(app))
    const mail = await mailTo(app, email)
    const { headers } = await confirm(mail[0])
    await follow(headers.get('location'))
    expect([(await paying).data['status'], mail.length]).toEqual(['paid', 1])
    expect(await mailTo(app, email)).toHaveLength(1)
    await host.close()
  })

  test('A8b two purchases wait at one address, each for its own confirmation', async () => {
    const { host, email } = await startBuyer(app, { magic_link_gate: true })
    const calls = [BOOK, KINDRED].map((book) => host.call(PAY, bookOrder(app, book)))
    let mail: URL[] = []
    while (mail.length < 2) mail = await mailTo(app, email)
    for (const link of mail) await follow((await confirm(link)).headers.get('location'))
    const answers = await Promise.all(calls)
    expect(answers.map(({ data }) => data['status'])).toEqual(['paid', 'paid'])
    await host.close()
  })

  test('A8b two processes wait at one address, and the one that has it hands on what the other waits for', async () => {
    const { host, email } = await startBuyer(app, { magic_link_gate: true })
    const other = await ToolHost.start(host.home)
    const first = host.call(PAY, bookOrder(app, BOOK))
    let mail: URL[] = []
    while (mail.length < 1) mail = await mailTo(app, email)
    const [earlier] = mail
    const second = other.call(PAY, bookOrder(app, KINDRED))
    while (mail.length < 2) mail = await mailTo(app, email)
    const later = mail.find(({ href }) => href !== earlier?.href)
    await follow((await confirm(later)).headers.get('location'))
    expect((await second).data).toMatchObject({ status: 'paid' })
    await follow((await confirm(earlier)).headers.get('location'))
    expect((await first).data).toMatchObject({ status: 'paid' })
    await Promise.all([host.close(), other.close()])
  })

  test('A8b a redirect URI that is elsewhere leaves only the failure', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits', magic_link_gate: true })
    const host = await ToolHost.start(await newHome())
    const elsewhere = 'https://agent.example/callback'
    const metadata = { setup_token: await newSetupToken(app, principalId), as_url: app.baseUrl }
    await host.call('agent_register', { ...metadata, redirect_uris: [elsewhere] })
    const { isError, texts } = await host.call(PAY, { ...bookOrder(app), redirect_uri: elsewhere })
    expect([isError, texts[0]]).toEqual([
      true,
      'agent_payment_initiate failed: authorize failed: the user must confirm by e-mail',
    ])
    await host.close()
  })
})
