import { describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { readMagicLink } from '@/server/oauth/authorization'
import { readMagicLinkView } from '@/server/surfaces/portal'
import { Agent, countStatuses, exchange, newPrincipal, Person } from '../support/actors'
import type { App } from '../support/app'
import { withApp } from './setup'

let app: App
withApp((started) => {
  app = started
})

async function gatedAgent(target: App = app, gate = true) {
  const options = { approval_rule: 'above_limits', magic_link_gate: gate } as const
  const { principalId, email } = await newPrincipal(target, options)
  return { agent: await Agent.register(target, principalId), principalId, email }
}

interface Outbox {
  readonly messages: readonly { to: string; text: string; subject: string; links: readonly string[] }[]
}

async function mailTo(email: string, target: App = app) {
  const { json } = await exchange<Outbox>(`${target.baseUrl}/sandbox/outbox`, {
    headers: { accept: 'application/json' },
  })
  return json.messages.filter(({ to, links }) => to === email && links.some((link) => link.includes('/magic-link?')))
}

async function parkedPurchase(target: App = app, options: { merchant?: string } = {}) {
  const person = await gatedAgent(target)
  const { form, verifier, merchant } = await person.agent.purchase(options)
  const { json } = await person.agent.push(form)
  const answer = await person.agent.authorize(json.request_uri)
  const [message] = await mailTo(person.email, target)
  const link = new URL(message?.links[0] ?? '')
  return {
    ...person,
    answer,
    message,
    link,
    token: link.searchParams.get('token') ?? '',
    verifier,
    merchant,
    pushed: json,
  }
}

const confirm = (token: string, init: RequestInit = {}, target: App = app) =>
  exchange(`${target.baseUrl}/oauth/magic-link/confirm?${new URLSearchParams({ token })}`, init)
const parametersOf = (location: string | null) => Object.fromEntries(new URL(location ?? '').searchParams)

describe('the magic-link gate', () => {
  test('the magic-link gate holds an automatic approval until the link gives the agent its code', async () => {
    const { agent, answer, message, token, verifier, merchant } = await parkedPurchase()
    expect([answer.status, answer.location, answer.headers.get('cache-control')]).toEqual([202, null, 'no-store'])
    expect(answer.json).toEqual({ status: 'confirmation_sent', expires_in: 900 })
    expect(message?.text).toContain(`pay 12.00 EUR to ${new URL(merchant).host}.`)

    const confirmed = await confirm(token)
    expect([confirmed.status, confirmed.headers.get('referrer-policy')]).toEqual([302, 'no-referrer'])
    const { code = '', ...rest } = parametersOf(confirmed.headers.get('location'))
    expect(rest).toEqual({ state: 'state-1', iss: app.baseUrl })
    const tokens = await agent.redeem(code, verifier)
    expect(tokens.status).toBe(200)
    expect((await agent.settle(tokens.json.access_token, tokens.json.mandate_jwt, 'gate-1')).status).toBe(200)
  })

  test('the mail and the page name a merchant in letters of another alphabet by its ASCII address, and the page warns', async () => {
    await app.platform.db.query(
      sql`INSERT INTO merchants (id, merchant_audience, business_name, country, accepts_currency, accepts_rail,
                              verification_status, created_at)
       VALUES ('paypal', 'https://paypal.test', 'PayPal', 'AT', '["EUR"]', '["card"]', 'verified', ${app.clock.now()})`,
    )
    const { message, token } = await parkedPurchase(app, { merchant: 'https://раypal.test' })
    for (const text of [message?.subject, message?.text]) {
      expect(text).toContain('xn--ypal-43d9g.test')
      expect(text).not.toContain('раypal')
    }
    expect((await readMagicLinkView(app.platform, token))?.payment).toMatchObject({
      merchant_audience: 'https://xn--ypal-43d9g.test',
      merchant_name: null,
      merchant_verified: false,
      resembles: { name: 'PayPal', origin: 'https://paypal.test' },
    })
    const known = await parkedPurchase(app, { merchant: 'https://paypal.test' })
    expect((await readMagicLinkView(app.platform, known.token))?.payment).toMatchObject({
      merchant_name: 'PayPal',
      merchant_verified: true,
      resembles: null,
    })
  })

  test('the subject and the first line of the mail have the host of the merchant, and no words of its path', async () => {
    const { message } = await parkedPurchase(app, { merchant: 'https://locked.example/confirm-your-identity-now' })
    expect(message?.subject).toBe('Confirm: an agent wants to pay 12.00 EUR to locked.example')
    const [first, shop] = message?.text.split('\n\n') ?? []
    expect(first).toContain('pay 12.00 EUR to locked.example.')
    expect(first).not.toContain('identity')
    expect(shop).toContain('Shop: https://locked.example/confirm-your-identity-now (Not verified)')
  })

  test('A13 a second confirmation is refused as a replay, and the first code stays valid', async () => {
    const { agent, token, verifier } = await parkedPurchase()
    const { code = '' } = parametersOf((await confirm(token)).headers.get('location'))
    const again = await confirm(token)
    expect([again.status, again.headers.get('location')]).toEqual([400, null])
    expect(again.json).toMatchObject({
      error: 'invalid_request',
      error_description: 'This link was used before: each link confirms once.',
    })
    expect(again.text).not.toContain(token)
    expect((await agent.redeem(code, verifier)).status).toBe(200)
  })

  test.each([
    ['unknown', 'x'.repeat(43)],
    ['malformed', 'short'],
    ['empty', ''],
  ])(
    'A13 an %s link token is invalid_request with the same description, which does not repeat it',
    async (_name, token) => {
      const answer = await confirm(token)
      expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request'])
      expect(answer.json['error_description']).toBe('The link is unknown or has expired.')
    },
  )

  test('H10, A13 HEAD, other methods and the page behind the link consume nothing', async () => {
    const { token, link } = await parkedPurchase()
    const head = await confirm(token, { method: 'HEAD' })
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET, OPTIONS'])
    expect((await confirm(token, { method: 'POST' })).status).toBe(405)
    expect(link.pathname).toBe('/magic-link')
    expect((await confirm(token)).status).toBe(302)
  })

  test('A8 of many parallel confirmations exactly one gets a code', async () => {
    const { token } = await parkedPurchase()
    const answers = await Promise.all(Array.from({ length: 8 }, () => confirm(token)))
    expect(countStatuses(answers)).toEqual({ 302: 1, 400: 7 })
  })

  test('A7 a pushed request cannot be presented again while its link waits', async () => {
    const { agent, pushed, email } = await parkedPurchase()
    expect((await agent.authorize(pushed.request_uri)).json).toMatchObject({ error: 'invalid_request_uri' })
    expect((await exchange(`${app.baseUrl}/oauth/par/${pushed.request_uri}/status`)).status).toBe(404)
    expect(await mailTo(email)).toHaveLength(1)
  })

  test('at most ten links of an agent wait, even when it redirects many at once, and a used one makes room', async () => {
    const { agent, email } = await gatedAgent()
    const park = async () => {
      const { json } = await agent.push((await agent.purchase()).form)
      return json.request_uri
    }
    const handles: string[] = []
    for (let turn = 0; turn < 13; turn += 1) handles.push(await park())
    const answers = await Promise.all(handles.map((handle) => agent.authorize(handle)))
    expect(countStatuses(answers)).toEqual({ 202: 10, 302: 3 })
    expect(answers.find(({ status }) => status === 302)?.result).toMatchObject({
      error: 'access_denied',
      error_description: 'Too many requests of this agent wait for the person to confirm them.',
    })
    const mails = await mailTo(email)
    expect(mails).toHaveLength(10)
    const token = new URL(mails[0]?.links[0] ?? '').searchParams.get('token') ?? ''
    expect((await confirm(token)).status).toBe(302)
    expect((await agent.authorize(await park())).status).toBe(202)
  })

  test('many parallel redirects send one mail', async () => {
    const { agent, email } = await gatedAgent()
    const { json } = await agent.push((await agent.purchase()).form)
    const answers = await Promise.all(Array.from({ length: 8 }, () => agent.authorize(json.request_uri)))
    expect(countStatuses(answers)).toEqual({ 202: 1, 400: 7 })
    expect(await mailTo(email)).toHaveLength(1)
  })

  test('A4 another client cannot trigger the mail', async () => {
    const { agent, email } = await gatedAgent()
    const { json } = await agent.push((await agent.purchase()).form)
    const stranger = (await gatedAgent(app, false)).agent
    expect((await stranger.authorize(json.request_uri)).json).toMatchObject({ error: 'invalid_request' })
    expect(await mailTo(email)).toHaveLength(0)
    expect((await agent.authorize(json.request_uri)).status).toBe(202)
  })

  test('a revoked agent gets no code from an older link', async () => {
    const { agent, token, principalId } = await parkedPurchase()
    const person = await Person.signIn(app, principalId)
    expect((await person.call('POST', `/wallet/agents/${agent.clientId}/revoke`)).status).toBe(200)
    expect(parametersOf((await confirm(token)).headers.get('location'))).toMatchObject({ error: 'access_denied' })
  })

  test('a person without an e-mail address cannot confirm, so access is denied', async () => {
    const { agent, principalId } = await gatedAgent()
    const { json } = await agent.push((await agent.purchase()).form)
    await app.platform.db.query(sql`UPDATE principals SET email = NULL WHERE id = ${principalId}`)
    expect((await agent.authorize(json.request_uri)).result).toMatchObject({ error: 'access_denied' })
  })

  test('a request that the person approved is not confirmed again by mail', async () => {
    const { principalId, email } = await newPrincipal(app, { approval_rule: 'every_purchase', magic_link_gate: true })
    const agent = await Agent.register(app, principalId)
    const { json } = await agent.push((await agent.purchase()).form)
    const person = await Person.signIn(app, principalId)
    const [pending] = await person.pending()
    await person.decide(pending?.['authorization_id'], 'approve')
    expect((await agent.authorize(json.request_uri)).result).toHaveProperty('code')
    expect(await mailTo(email)).toHaveLength(0)
  })

  test('neither stored links nor stored messages hold a usable token', async () => {
    const { token } = await parkedPurchase()
    const rows = await app.platform.db.query(sql`SELECT l.*, m.* FROM magic_links l, messages m`)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('time', () => {
  let later: App
  withApp(
    (started) => {
      later = started
    },
    { MAGIC_LINK_GATE: 'true' },
  )

  test('A11 with MAGIC_LINK_GATE every purchase is mailed, and a link outlives its request for 15 minutes', async () => {
    const first = await parkedPurchase(later)
    const second = await parkedPurchase(later)
    later.clock.advance({ seconds: 899 })
    expect((await confirm(first.token, {}, later)).status).toBe(302)
    later.clock.advance({ seconds: 2 })
    const late = await confirm(second.token, {}, later)
    expect([late.status, late.json['error_description']]).toEqual([400, 'The link is unknown or has expired.'])
  })

  test('the page behind a link that has confirmed still says so when its 15 minutes are over', async () => {
    const [used, unused] = [await parkedPurchase(later), await parkedPurchase(later)]
    expect((await confirm(used.token, {}, later)).status).toBe(302)
    later.clock.advance({ seconds: 901 })
    expect(await readMagicLink(later.platform, used.token)).toMatchObject({ used: true })
    expect(await readMagicLink(later.platform, unused.token)).toBeNull()
  })
})
