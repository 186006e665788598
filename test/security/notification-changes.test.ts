/**
 * Decisions B7, B16 and B17: how a person is reached, and their first passkey, are changed by them alone, and they learn of
 * it where they were reached before.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { PasskeyCreation, PasskeyRequest } from '@/server/identity/passkeys/contract'
import { listAudit } from '@/server/shared/audit'
import { readMessages } from '@/server/shared/notifications'
import {
  addWallet,
  addWalletOnPage,
  configureRegion,
  newShopper,
  openWalletRequest,
  order,
  present,
  readView,
} from '../credentials/approval-world'
import { Agent, exchange, must, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, type BrowserAnswer, dataOf, mailedToken, refusalOf } from '../support/browser'
import { createAuthenticator, type SoftwareAuthenticator } from '../support/software-authenticator'
import { timedSignature } from '../support/timed-signature'
import { setAuthentication } from '../support/wallet-token'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const PATH = '/wallet/notifications'
const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
const UNDO_SECONDS = 72 * HOUR_SECONDS

let numbers = 0
const newPhone = () => `+35387${String(1_000_000 + ++numbers)}`
const newAddress = () => `new-${++numbers}@sandbox.test`

/** The service's word for a refusal. */
const codeOf = (reply: BrowserAnswer) =>
  reply.status === 200 ? 'done' : (refusalOf(reply) as { error?: unknown }).error

interface Owner {
  readonly principalId: string
  readonly email: string
  readonly phone: string
  readonly person: Person
}

/** A person whose phone is in use. */
async function newOwner(): Promise<Owner> {
  const phone = newPhone()
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits', rcs_phone_e164: phone })
  return { principalId, email, phone, person: await Person.signIn(app, principalId) }
}

/** A browser that a mailed link has just signed in. */
async function signIn(email: string): Promise<Browser> {
  const page = new Browser(app.platform)
  app.clock.advance({ seconds: 1 })
  await page.signInByMail(email)
  return page
}

const isSignedIn = async (page: Browser) => (await page.query('session.me')).status === 200
const emailOf = async (page: Browser) => dataOf<{ email: string }>(await page.query('notifications.contacts')).email

/** A person with a wallet app of their own, and a thief who signs in by their mailbox a minute later. */
async function newShopperAndThief() {
  await configureRegion(app)
  const shopper = await newShopper(app)
  const email = await emailOf(shopper.page)
  const own = await addWallet(app, shopper)
  app.clock.advance({ seconds: 60 })
  return { shopper, email, own, thief: await signIn(email) }
}

/** The newest first. */
const messagesTo = async (to: string) =>
  (await readMessages(app.platform, 1_000)).filter((message) => message.to === to)

async function codeOn(phone: string): Promise<string> {
  const [message] = await messagesTo(phone)
  const [code, ...more] = message?.text.match(/\b\d{6}\b/g) ?? []
  expect(more, 'no other number looks like a code').toEqual([])
  return code ?? ''
}

const unlike = (code: string) => (code === '123456' ? '654321' : '123456')
const confirmPhone = (page: Browser, code: string) => page.mutate('notifications.confirmPhone', { code })

async function usePhone({ person, email }: Owner, phone: string): Promise<Browser> {
  expect((await person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })).status).toBe(200)
  const page = await signIn(email)
  expect((await confirmPhone(page, await codeOn(phone))).status).toBe(200)
  return page
}

interface Bump {
  readonly bumpId: string
  readonly token: string
}

/** A payment above a limit, and what its message on the phone carries. */
async function exceed({ principalId, person }: Owner): Promise<string> {
  const agent = await Agent.register(app, principalId)
  const bought = await agent.buy()
  await person.call('POST', '/wallet/limits', { single_txn_cap_minor: 1_000, currency: 'EUR' })
  const refused = await agent.settle(bought.access_token, bought.mandate_jwt, randomUUID())
  expect([refused.status, refused.json['error']]).toEqual([403, 'limit_exceeded'])
  await person.call('POST', '/wallet/limits', {})
  return String(refused.json['bump_id'])
}

async function bumpOn(phone: string, bumpId: string): Promise<Bump | null> {
  const found = (await messagesTo(phone)).find(({ data }) => data?.['bump_id'] === bumpId)
  return found === undefined ? null : { bumpId, token: String(found.data?.['token']) }
}

async function press({ bumpId, token }: Bump, action: 'approve' | 'decline') {
  const body = JSON.stringify({ bump_id: bumpId, action, token })
  const signing = { secret: app.platform.config.secrets.rcsCallback, now: app.clock.now() }
  const headers = { 'content-type': 'application/json', 'rcs-signature': timedSignature(body, signing) }
  return exchange(`${app.baseUrl}/oauth/rcs/limit-bump/callback`, { method: 'POST', headers, body })
}

async function waitingBumps({ person }: Owner): Promise<string[]> {
  const { json } = await person.call<{ limit_bumps: { id: string }[] }>('GET', '/wallet/limit-bumps')
  return json.limit_bumps.map(({ id }) => id)
}

describe('another phone', () => {
  test('B16 a phone that was only entered approves nothing and is told nothing, and the one before stays in use', async () => {
    const owner = await newOwner()
    const thief = newPhone()
    const before = (await messagesTo(owner.email)).length
    const choice = { rcs_enabled: true, rcs_phone_e164: thief, email_enabled: true }
    const saved = await owner.person.call('POST', PATH, choice)
    expect(saved.json).toMatchObject({ ...choice, rcs_phone_confirmed_at: null })
    expect((await owner.person.call('GET', PATH)).json).toEqual(saved.json)
    const bumpId = await exceed(owner)
    expect(await messagesTo(thief)).toMatchObject([{ channel: 'rcs', text: expect.stringMatching(/\b\d{6}\b/) }])
    const notice = expect.stringContaining('If that was not you')
    expect((await messagesTo(owner.phone)).map(({ text }) => text)).toContainEqual(notice)
    expect((await messagesTo(owner.email)).slice(0, -before || undefined).map(({ text }) => text)).toContainEqual(
      notice,
    )
    const bump = await bumpOn(owner.phone, bumpId)
    expect(bump === null ? null : (await press(bump, 'approve')).json).toEqual({ status: 'approved' })
  })

  test('B16 a phone is in use once its code was typed, and approves a day later', async () => {
    const owner = await newOwner()
    const early = await exceed(owner)
    const sentBefore = await bumpOn(owner.phone, early)
    const phone = newPhone()
    const page = await usePhone(owner, phone)
    const row = (await owner.person.call('GET', PATH)).json
    expect(Date.parse(String(row['rcs_phone_confirmed_at']))).toBeGreaterThan(app.clock.now().getTime() - 60_000)
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({
      phone: { in_use: phone, waiting: null },
    })

    const asked = await exceed(owner)
    expect(await bumpOn(phone, asked), 'a new phone gets no token').toBeNull()
    expect((await messagesTo(phone))[0]?.text).toContain(`/approve/limit/${asked}`)
    expect(await bumpOn(owner.phone, asked), 'the old phone hears nothing more').toBeNull()
    if (sentBefore === null) throw new Error('the phone in use was told nothing')
    const refused = await press(sentBefore, 'approve')
    expect([refused.status, refused.json['error']]).toEqual([403, 'forbidden'])
    expect(await waitingBumps(owner)).toContain(early)
    expect((await press(sentBefore, 'decline')).json).toEqual({ status: 'declined' })

    app.clock.advance({ seconds: 24 * HOUR_SECONDS })
    const later = { ...owner, person: await Person.signIn(app, owner.principalId) }
    const bump = await bumpOn(phone, await exceed(later))
    expect(bump === null ? null : (await press(bump, 'approve')).json).toEqual({ status: 'approved' })
  })

  test('B16 a phone approves nothing from when it is switched off or taken out', async () => {
    for (const off of [{ rcs_enabled: false }, {}]) {
      const owner = await newOwner()
      const bumpId = await exceed(owner)
      const bump = await bumpOn(owner.phone, bumpId)
      if (bump === null) throw new Error('the phone in use was told nothing')
      const choice = 'rcs_enabled' in off ? { ...off, rcs_phone_e164: owner.phone } : off
      expect((await owner.person.call('POST', PATH, choice)).status).toBe(200)
      expect((await press(bump, 'approve')).status).toBe(403)
      expect(await waitingBumps(owner)).toEqual([bumpId])
    }
  })

  test('B16 a code has five tries, and then a new one is needed', async () => {
    const owner = await newOwner()
    const phone = newPhone()
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })
    const page = await signIn(owner.email)
    const code = await codeOn(phone)
    const tries = await Promise.all([1, 2, 3, 4, 5].map(() => confirmPhone(page, unlike(code))))
    expect(tries.map(codeOf)).toEqual(tries.map(() => 'invalid_request'))
    expect(refusalOf(await confirmPhone(page, code))).toMatchObject({ error: 'conflict' })
    expect((await owner.person.call('GET', PATH)).json['rcs_phone_confirmed_at']).toBeNull()
    app.clock.advance({ seconds: 1 })
    expect((await page.mutate('notifications.sendCode')).status).toBe(200)
    const next = await codeOn(phone)
    expect(refusalOf(await confirmPhone(page, unlike(next)))).toMatchObject({ members: { tries_left: 4 } })
    expect((await confirmPhone(page, next)).status).toBe(200)
    expect(refusalOf(await confirmPhone(page, next)), 'a code works once').toMatchObject({ error: 'conflict' })
  })

  test('B16 a code expires after ten minutes, and is of no use to another person', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const [phone, phoneOfOther] = [newPhone(), newPhone()]
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })
    await other.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phoneOfOther })
    const [page, pageOfOther] = [await signIn(owner.email), await signIn(other.email)]
    const code = await codeOn(phone)
    if (code !== (await codeOn(phoneOfOther))) {
      expect(refusalOf(await confirmPhone(pageOfOther, code))).toMatchObject({ error: 'invalid_request' })
    }
    app.clock.advance({ seconds: 10 * MINUTE_SECONDS })
    expect(refusalOf(await confirmPhone(page, code))).toMatchObject({ error: 'conflict' })
    expect(dataOf(await page.query('notifications.read'))['rcs_phone_confirmed_at']).toBeNull()
  })

  test('B16 the code of a phone that was replaced meanwhile confirms no other', async () => {
    const owner = await newOwner()
    const [one, other] = [newPhone(), newPhone()]
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: one })
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: other })
    const page = await signIn(owner.email)
    const [first, second] = [await codeOn(one), await codeOn(other)]
    if (first !== second) expect((await confirmPhone(page, first)).status).toBe(400)
    expect((await confirmPhone(page, second)).status).toBe(200)
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({ phone: { in_use: other } })
  })

  test('B16 five codes an hour are sent to a person, and another person uses up none of them', async () => {
    const owner = await newOwner()
    const phone = newPhone()
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })
    const page = await signIn(owner.email)
    for (let sent = 1; sent < 5; sent += 1) expect((await page.mutate('notifications.sendCode')).status).toBe(200)
    const refused = await page.mutate('notifications.sendCode')
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited'])
    expect(await messagesTo(phone)).toHaveLength(5)
    const other = await newOwner()
    const saved = await other.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })
    expect([saved.status, saved.json['rcs_phone_confirmed_at']]).toEqual([200, null])
    expect(await messagesTo(phone)).toHaveLength(6)
    const pageOfOther = await signIn(other.email)
    for (let sent = 1; sent < 5; sent += 1) {
      expect((await pageOfOther.mutate('notifications.sendCode')).status).toBe(200)
    }
    const third = await newOwner()
    await third.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })
    expect(await messagesTo(phone), 'the stranger is not flooded').toHaveLength(10)
    const waiting = await (await signIn(third.email)).mutate('notifications.sendCode')
    expect(waiting.status).toBe(429)
    expect(Number(waiting.headers.get('retry-after')), 'seconds later it is sent').toBeLessThanOrEqual(60)
  })

  test('B16 the same choice again sends no second code, and the phone in use needs none', async () => {
    const owner = await newOwner()
    const phone = newPhone()
    const used = (await owner.person.call('GET', PATH)).json
    expect(app.clock.now().getTime() - Date.parse(String(used['rcs_phone_confirmed_at']))).toBeGreaterThan(
      47 * HOUR_SECONDS * 1000,
    )
    const choice = { rcs_enabled: true, rcs_phone_e164: phone }
    await owner.person.call('POST', PATH, choice)
    await owner.person.call('POST', PATH, choice)
    expect(await messagesTo(phone)).toHaveLength(1)
    const back = await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: owner.phone })
    expect(back.json['rcs_phone_confirmed_at']).toBe(used['rcs_phone_confirmed_at'])
    expect(refusalOf(await confirmPhone(await signIn(owner.email), await codeOn(phone)))).toMatchObject({
      error: 'conflict',
    })
  })

  test('B16 mail goes on until the first phone, which takes its place, is confirmed', async () => {
    const { principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const phone = newPhone()
    const owner = { principalId, email, phone, person: await Person.signIn(app, principalId) }
    const choice = { rcs_enabled: true, rcs_phone_e164: phone, email_enabled: false }
    await owner.person.call('POST', PATH, choice)
    const page = await signIn(email)
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({ told_by: ['email'] })
    const countMails = async () => (await messagesTo(email)).filter(({ text }) => text.includes('Allow it once')).length
    await exceed(owner)
    expect(await countMails()).toBe(1)
    expect((await confirmPhone(page, await codeOn(phone))).status).toBe(200)
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({ told_by: ['rcs'] })
    await exceed(owner)
    expect(await countMails()).toBe(1)
  })

  test('B16 no row holds a code or the token of a link', async () => {
    const owner = await newOwner()
    const phone = newPhone()
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })
    const page = await signIn(owner.email)
    const to = newAddress()
    await page.mutate('notifications.changeEmail', { email: to })
    const secrets = [await codeOn(phone), tokenOf((await messagesTo(to))[0])]
    expect(secrets.map(({ length }) => length)).toEqual([6, 43])
    const rows = await app.platform.db.query<{ row: string }>(
      sql`SELECT to_jsonb(c)::text AS row FROM phone_codes c WHERE principal_id = ${owner.principalId}
          UNION ALL SELECT to_jsonb(l)::text FROM mailed_links l WHERE principal_id = ${owner.principalId}
          UNION ALL SELECT to_jsonb(m)::text FROM messages m WHERE principal_id = ${owner.principalId}`,
    )
    const isLeak = (row: string) => secrets.some((secret) => new RegExp(`(^|[^\\w-])${secret}([^\\w-]|$)`).test(row))
    expect(rows.filter(({ row }) => isLeak(row))).toEqual([])
  })
})

describe('what is confirmed', () => {
  const relaxing = (phone: string): readonly object[] => [
    { rcs_enabled: true, rcs_phone_e164: newPhone() },
    { rcs_phone_e164: newPhone() },
    { rcs_enabled: true, rcs_phone_e164: phone, email_enabled: false },
  ]
  const tightening = (phone: string): readonly object[] => [
    { rcs_enabled: false, rcs_phone_e164: phone },
    { rcs_enabled: false, rcs_phone_e164: null },
  ]

  test('B7 a session that was opened long ago changes no phone, no address and switches no mail off', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    app.clock.advance({ seconds: 8 * MINUTE_SECONDS })
    await page.query('session.me')
    app.clock.advance({ seconds: 8 * MINUTE_SECONDS })
    const before = (await owner.person.call('GET', PATH)).json
    const asks = [
      ...relaxing(owner.phone).map((choice) => page.mutate('notifications.save', choice)),
      page.mutate('notifications.changeEmail', { email: newAddress() }),
    ]
    for (const refused of await Promise.all(asks)) {
      expect([refused.status, refusalOf(refused)]).toMatchObject([
        403,
        { error: 'step_up_required', members: { way: 'sign_in' } },
      ])
    }
    expect((await owner.person.call('GET', PATH)).json).toEqual(before)
    for (const choice of tightening(owner.phone)) {
      expect((await page.mutate('notifications.save', choice)).status).toBe(200)
    }
    expect((await page.mutate('notifications.cancelEmailChange')).status).toBe(200)
  })

  test('B7 phone messages that were off are turned on by the person alone', async () => {
    const owner = await newOwner()
    await owner.person.call('POST', PATH, { rcs_enabled: false, rcs_phone_e164: owner.phone })
    const page = await signIn(owner.email)
    app.clock.advance({ seconds: 14 * MINUTE_SECONDS })
    await page.query('session.me')
    app.clock.advance({ seconds: 2 * MINUTE_SECONDS })
    const on = { rcs_enabled: true, rcs_phone_e164: owner.phone }
    expect(refusalOf(await page.mutate('notifications.save', on))).toMatchObject({ error: 'step_up_required' })
  })

  test('B7 the mailbox alone changes neither phone nor address where there is a passkey', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    const key = newKey()
    await enrol(page, key)
    const refused = { error: 'step_up_required', members: { way: 'passkey' } }
    for (const choice of relaxing(owner.phone)) {
      expect(refusalOf(await page.mutate('notifications.save', choice))).toMatchObject(refused)
    }
    expect(refusalOf(await page.mutate('notifications.changeEmail', { email: newAddress() }))).toMatchObject(refused)
    const [wanted, other] = [newPhone(), newPhone()]
    const subjectOf = (phone: string) => ({ rcs_phone_e164: { from: owner.phone, to: phone } })
    const save = async (phone: string, confirmed: string) => {
      const proof = await prove(page, key, subjectOf(confirmed))
      return page.mutate('notifications.save', { rcs_enabled: true, rcs_phone_e164: phone, proof })
    }
    expect(refusalOf(await save(other, wanted)), 'a signature for another phone').toMatchObject(refused)
    expect((await save(wanted, wanted)).status).toBe(200)
    for (const choice of tightening(owner.phone).slice(1)) {
      expect((await page.mutate('notifications.save', choice)).status).toBe(200)
    }
  })

  test('B7 changes of the address that nobody confirms use up none of the five in an hour', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const [page, pageOfOther] = [await signIn(owner.email), await signIn(other.email)]
    const [key, keyOfOther] = [newKey(), newKey()]
    await enrol(page, key)
    await enrol(pageOfOther, keyOfOther)
    const to = newAddress()
    for (let turn = 0; turn < 6; turn += 1) {
      for (const procedure of ['notifications.changeEmail', 'privacy.rectify']) {
        expect([procedure, codeOf(await page.mutate(procedure, { email: to }))]).toEqual([
          procedure,
          'step_up_required',
        ])
      }
    }
    const proof = await prove(page, key, { email: { from: owner.email, to } })
    expect(codeOf(await page.mutate('notifications.changeEmail', { email: to, proof }))).toBe('done')
    const proofOfOther = await prove(pageOfOther, keyOfOther, { email: { from: other.email, to } })
    expect(codeOf(await pageOfOther.mutate('privacy.rectify', { email: to, proof: proofOfOther }))).toBe('done')
  })

  test('B7 a token of which the person was not asked only tightens', async () => {
    const owner = await newOwner()
    await setAuthentication(app, owner.person.token, 'rule')
    const before = (await owner.person.call('GET', PATH)).json
    for (const choice of relaxing(owner.phone)) {
      const { status, json } = await owner.person.call('POST', PATH, choice)
      expect([status, json['error']]).toEqual([401, 'insufficient_user_authentication'])
    }
    expect((await owner.person.call('GET', PATH)).json).toEqual(before)
    for (const choice of tightening(owner.phone)) {
      expect((await owner.person.call('POST', PATH, choice)).status).toBe(200)
    }
  })

  test('B7 the mail address is notified when mail is switched off', async () => {
    const owner = await newOwner()
    const choice = { rcs_enabled: true, rcs_phone_e164: owner.phone, email_enabled: false }
    await owner.person.call('POST', PATH, choice)
    await owner.person.call('POST', PATH, choice)
    const notices = (await messagesTo(owner.email)).filter(({ text }) => text.includes('Mail was switched off'))
    expect(notices).toHaveLength(1)
  })
})

/** The token in a message's one link. */
function tokenOf(message: { readonly links: readonly string[] } | undefined): string {
  expect(message?.links).toHaveLength(1)
  const link = new URL(message?.links[0] ?? '')
  expect([link.origin, link.pathname, link.search]).toEqual([app.baseUrl, '/mailed-link', ''])
  return link.hash.replace('#token=', '')
}

/** A browser that nobody is signed in with. */
const stranger = () => new Browser(app.platform)
const readLink = async (token: string) =>
  dataOf<{ link: object | null }>(await stranger().mutate('links.read', { token }))
const pressLink = (token: string) => stranger().mutate('links.confirm', { token })

/** The links of a change that was just asked for: to the new address, and to the old one. */
async function changeEmail(page: Browser, { from, to }: { from: string; to: string }) {
  app.clock.advance({ seconds: 1 })
  expect((await page.mutate('notifications.changeEmail', { email: to })).status).toBe(200)
  const [confirm, undo] = [tokenOf((await messagesTo(to))[0]), tokenOf((await messagesTo(from))[0])]
  expect(confirm).not.toBe(undo)
  return { confirm, undo }
}

describe('another mail address', () => {
  test('B16 an address is used once it was confirmed from there; until then the one before is', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    const to = newAddress()
    const { confirm } = await changeEmail(page, { from: owner.email, to })
    const waiting = { email: owner.email, pending_email: { email: to } }
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject(waiting)
    await stranger().post('/api/auth/sign-in-link', { email: to })
    expect(await messagesTo(to), 'no sign-in link goes to what is not confirmed').toHaveLength(1)
    await signIn(owner.email)

    expect(await readLink(confirm)).toMatchObject({ link: { purpose: 'confirm_email', used: false, about: to } })
    expect(JSON.stringify(await readLink(confirm)), 'a stranger does not learn the address').not.toContain(owner.email)
    expect(await emailOf(page), 'reading a link uses nothing up').toBe(owner.email)
    const presses = await Promise.all([pressLink(confirm), pressLink(confirm)])
    expect(presses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({ email: to, pending_email: null })
    expect(await readLink(confirm)).toMatchObject({ link: { used: true } })
    const sentBefore = (await messagesTo(owner.email)).length
    await stranger().post('/api/auth/sign-in-link', { email: owner.email })
    expect(await messagesTo(owner.email)).toHaveLength(sentBefore)
    await signIn(to)
  })

  test('B16 sessions that links to the address before have opened end with it, but not the one that asked', async () => {
    const owner = await newOwner()
    const thief = await signIn(owner.email)
    const page = await signIn(owner.email)
    const { confirm } = await changeEmail(page, { from: owner.email, to: newAddress() })
    expect((await thief.query('session.me')).status, 'before it is confirmed').toBe(200)
    expect((await pressLink(confirm)).status).toBe(200)
    expect((await thief.query('session.me')).status).toBe(401)
    expect((await page.query('session.me')).status).toBe(200)
  })

  test('B16 a sign-in link to the address before ends with it', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    const to = newAddress()
    const { confirm } = await changeEmail(page, { from: owner.email, to })
    app.clock.advance({ seconds: 1 })
    await stranger().post('/api/auth/sign-in-link', { email: owner.email })
    const token = await mailedToken(app.platform, owner.email)
    expect((await pressLink(confirm)).status).toBe(200)
    expect((await stranger().confirm(token)).status).toBe(401)
  })

  test('B16 a link that confirms a purchase ends with the address that it went to', async () => {
    const { principalId, email } = await newPrincipal(app, { approval_rule: 'above_limits', magic_link_gate: true })
    const agent = await Agent.register(app, principalId)
    const mailPurchase = async (to: string) => {
      app.clock.advance({ seconds: 1 })
      const { request_uri: requestUri } = must(await agent.push((await agent.purchase()).form), 201)
      expect((await agent.authorize(requestUri)).status).toBe(202)
      const [link] = (await messagesTo(to)).flatMap(({ links }) => links.filter((one) => one.includes('/magic-link?')))
      return new URL(link ?? '').search
    }
    const ended = { error: 'invalid_request', error_description: 'The link is unknown or has expired.' }
    const confirmPurchase = (search: string) => exchange(`${app.baseUrl}/oauth/magic-link/confirm${search}`)
    const page = await signIn(email)
    const to = newAddress()
    const { confirm, undo } = await changeEmail(page, { from: email, to })
    const [before, other] = [await mailPurchase(email), await mailPurchase(email)]
    expect((await confirmPurchase(before)).status).toBe(302)
    expect((await pressLink(confirm)).status).toBe(200)
    expect((await confirmPurchase(other)).json).toMatchObject(ended)
    const after = await mailPurchase(to)
    expect((await pressLink(undo)).status).toBe(200)
    expect((await confirmPurchase(after)).json).toMatchObject(ended)
    expect((await confirmPurchase(await mailPurchase(email))).status).toBe(302)
  })

  test('B16 the address before undoes the change, and with it what came of it', async () => {
    const owner = await newOwner()
    const thief = await signIn(owner.email)
    const to = newAddress()
    app.clock.advance({ seconds: 60 })
    const { confirm, undo } = await changeEmail(thief, { from: owner.email, to })
    expect((await pressLink(confirm)).status).toBe(200)
    const later = await signIn(to)
    await enrol(later, newKey())
    const phone = newPhone()
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: phone })
    expect((await confirmPhone(later, await codeOn(phone))).status).toBe(200)
    app.clock.advance({ seconds: 1 })
    await stranger().post('/api/auth/sign-in-link', { email: to })
    const signInToken = await mailedToken(app.platform, to)

    expect(await readLink(undo)).toMatchObject({ link: { purpose: 'undo_email', used: false, about: owner.email } })
    expect((await pressLink(undo)).status).toBe(200)
    expect([await isSignedIn(thief), await isSignedIn(later)]).toEqual([false, false])
    const back = await signIn(owner.email)
    expect(dataOf(await back.query('notifications.contacts'))).toMatchObject({
      email: owner.email,
      phone: { in_use: null, waiting: null },
    })
    expect(dataOf(await back.query('security.passkeys'))).toMatchObject({ passkeys: [] })
    expect((await stranger().confirm(signInToken)).status).toBe(401)
    expect(codeOf(await pressLink(undo)), 'it works once').toBe('conflict')
  })

  test('B16 undoing it ends the wallet apps that came with it, what they were offered and what they were asked', async () => {
    const { shopper, email, own, thief } = await newShopperAndThief()
    const early = await addWallet(app, shopper)
    const { undo } = await changeEmail(thief, { from: email, to: newAddress() })
    const late = await addWallet(app, shopper)
    const { id: offer } = dataOf<{ id: string }>(await thief.mutate('credentials.offer', {}))
    const waiting = await order(shopper)
    const asked = await openWalletRequest({ page: thief }, waiting.id)

    expect((await pressLink(undo)).status).toBe(200)
    expect((await present(late, asked.claims)).status).toBe(404)
    expect(dataOf(await shopper.page.query('credentials.offerState', { id: offer }))).toMatchObject({ status: 'ended' })
    for (const stolen of [early, late]) {
      const { claims } = await openWalletRequest(shopper, waiting.id)
      expect((await present(stolen, claims)).json).toMatchObject({ error: 'attestation_revoked' })
    }
    const entries = await listAudit(shopper.call(), { events: ['oid4ac.credential.changed'] })
    const ends = entries.map(({ payload }) => payload).filter(({ to }) => to === 'revoked')
    expect(ends).toMatchObject([{ means: 'magic_link' }, { means: 'magic_link' }])
    expect(new Set(ends.map(({ credential_id: id }) => id))).toEqual(new Set([early.id, late.id]))
    expect((await readView(shopper, waiting.id)).status).toBe('pending')
    must(await present(own, (await openWalletRequest(shopper, waiting.id)).claims), 200)
    expect((await readView(shopper, waiting.id)).status).toBe('approved')
  })

  test('B16 a change that is undone before it is done stays undone', async () => {
    const owner = await newOwner()
    const thief = await signIn(owner.email)
    const { confirm, undo } = await changeEmail(thief, { from: owner.email, to: newAddress() })
    expect((await pressLink(undo)).status).toBe(200)
    expect(codeOf(await pressLink(confirm))).toBe('conflict')
    expect(await isSignedIn(thief)).toBe(false)
    expect(await emailOf(await signIn(owner.email))).toBe(owner.email)
  })

  test('B16 who made several changes cannot undo the undoing', async () => {
    const owner = await newOwner()
    const [first, second] = [newAddress(), newAddress()]
    const one = await changeEmail(await signIn(owner.email), { from: owner.email, to: first })
    expect((await pressLink(one.confirm)).status).toBe(200)
    const two = await changeEmail(await signIn(first), { from: first, to: second })
    expect((await pressLink(two.confirm)).status).toBe(200)
    expect((await pressLink(one.undo)).status).toBe(200)
    expect(codeOf(await pressLink(two.undo))).toBe('conflict')
    expect(await emailOf(await signIn(owner.email))).toBe(owner.email)
  })

  test('B16 the change is undone for 72 hours and no longer, and confirmed within 24', async () => {
    const owner = await newOwner()
    const { confirm, undo } = await changeEmail(await signIn(owner.email), { from: owner.email, to: newAddress() })
    app.clock.advance({ seconds: 24 * HOUR_SECONDS })
    expect([await readLink(confirm), codeOf(await pressLink(confirm))]).toEqual([{ link: null }, 'not_found'])
    app.clock.advance({ seconds: UNDO_SECONDS - 24 * HOUR_SECONDS - 60 })
    expect(await readLink(undo)).toMatchObject({ link: { used: false } })
    app.clock.advance({ seconds: 61 })
    expect([await readLink(undo), codeOf(await pressLink(undo))]).toEqual([{ link: null }, 'not_found'])
    expect(codeOf(await pressLink('A'.repeat(43)))).toBe('not_found')
  })

  test("B16 another person's address is answered like any, and its owner is told that nothing happened", async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const [page, ofOther] = [await signIn(owner.email), await signIn(other.email)]
    const wanted = other.email.toUpperCase()
    const [taken, free] = [wanted, newAddress()].map((email) => page.mutate('notifications.changeEmail', { email }))
    const answers = [await taken, await free]
    expect(answers[0]?.text).toBe(answers[1]?.text)
    await page.mutate('notifications.changeEmail', { email: wanted })
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({ pending_email: { email: wanted } })
    const told = (await messagesTo(wanted)).map(({ text, links }) => [text, links])
    expect(told).toEqual(told.map(() => [expect.stringContaining('nothing has happened'), []]))
    expect(told).toHaveLength(2)
    expect([await emailOf(page), await emailOf(ofOther)]).toEqual([owner.email, other.email])
  })

  test('B16 an address that another person took meanwhile is not confirmed', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const [page, ofOther] = [await signIn(owner.email), await signIn(other.email)]
    const to = newAddress()
    const mine = await changeEmail(page, { from: owner.email, to })
    const theirs = await changeEmail(ofOther, { from: other.email, to })
    expect((await pressLink(theirs.confirm)).status).toBe(200)
    expect(codeOf(await pressLink(mine.confirm))).toBe('conflict')
    expect([await emailOf(page), await emailOf(ofOther)]).toEqual([owner.email, to])
  })

  test('B16 the newest address wins, the person may call it off, and their own needs no confirmation', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    const one = await changeEmail(page, { from: owner.email, to: newAddress() })
    const two = await changeEmail(page, { from: owner.email, to: newAddress() })
    expect(codeOf(await pressLink(one.confirm))).toBe('conflict')
    expect((await page.mutate('notifications.cancelEmailChange')).status).toBe(200)
    expect(codeOf(await pressLink(two.confirm))).toBe('conflict')
    const sent = (await messagesTo(owner.email)).length
    expect((await page.mutate('notifications.changeEmail', { email: owner.email })).status).toBe(200)
    expect(await messagesTo(owner.email)).toHaveLength(sent)
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({ pending_email: null })
  })

  test('B16 five changes an hour are enough', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    const change = () => page.mutate('notifications.changeEmail', { email: newAddress() })
    for (let n = 0; n < 5; n += 1) expect((await change()).status).toBe(200)
    expect((await change()).status).toBe(429)
  })

  test('B16 a person who asks for an address does not keep its owner from changing to it', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const [page, pageOfOther] = [await signIn(owner.email), await signIn(other.email)]
    const to = newAddress()
    for (let n = 0; n < 4; n += 1) {
      expect((await pageOfOther.mutate('notifications.changeEmail', { email: to })).status).toBe(200)
    }
    await pageOfOther.mutate('notifications.cancelEmailChange')
    expect((await pageOfOther.mutate('privacy.rectify', { email: to })).status).toBe(200)
    await pageOfOther.mutate('notifications.cancelEmailChange')
    expect((await pageOfOther.mutate('privacy.rectify', { email: to })).status, 'the sixth').toBe(429)
    expect((await page.mutate('notifications.changeEmail', { email: to })).status).toBe(200)
    await page.mutate('notifications.cancelEmailChange')
    expect((await page.mutate('privacy.rectify', { email: to })).status).toBe(200)
  })

  test('B16 of changes at once one person makes five in an hour, and all together ten to one address in a minute', async () => {
    const outcomesOf = (replies: readonly BrowserAnswer[]) =>
      ['done', 'rate_limited'].map((code) => replies.filter((reply) => codeOf(reply) === code).length)
    const page = await signIn((await newOwner()).email)
    const wanted = Array.from({ length: 8 }, newAddress)
    const byOne = await Promise.all(wanted.map((email) => page.mutate('notifications.changeEmail', { email })))
    expect(outcomesOf(byOne)).toEqual([5, 3])
    expect((await Promise.all(wanted.map(messagesTo))).flat()).toHaveLength(5)

    const to = newAddress()
    const pages: Browser[] = []
    for (let n = 0; n < 12; n += 1) pages.push(await signIn((await newOwner()).email))
    const ask = (one: Browser, index: number) =>
      one.mutate(index % 2 === 0 ? 'notifications.changeEmail' : 'privacy.rectify', { email: to })
    expect(outcomesOf(await Promise.all(pages.map(ask)))).toEqual([10, 2])
    expect(await messagesTo(to)).toHaveLength(10)
  })

  test('B16 the phone is told of the change, and gets no link that undoes it', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    const { undo } = await changeEmail(page, { from: owner.email, to: newAddress() })
    const told = await messagesTo(owner.phone)
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('Another e-mail address')])
    expect(JSON.stringify(told)).not.toContain(undo)
  })
})

function newKey(): SoftwareAuthenticator {
  const { hostname, origin } = new URL(app.baseUrl)
  return createAuthenticator({ rpId: hostname, origin })
}

interface Registration {
  readonly challenge_id: string
  readonly options: PasskeyCreation
}

async function enrol(page: Browser, key: SoftwareAuthenticator, proof?: object): Promise<void> {
  app.clock.advance({ seconds: 1 })
  const started = dataOf<Registration>(await page.mutate('security.startRegistration', { proof }))
  const response = key.create(started.options)
  const added = await page.mutate('security.register', { challenge_id: started.challenge_id, name: 'Key', response })
  expect(added.status).toBe(200)
}

type Question = { readonly challenge_id: string; readonly options: PasskeyRequest }

/** What the page shows and the passkey signs. */
async function prove(page: Browser, key: SoftwareAuthenticator, subject: object, purpose = 'security.relax') {
  const asked = dataOf<Question>(await page.mutate('security.stepUpOptions', { purpose, subject }))
  return { challenge_id: asked.challenge_id, response: key.get(asked.options) }
}

async function signInByPasskey(key: SoftwareAuthenticator): Promise<Browser> {
  const page = new Browser(app.platform)
  const asked = (await page.post('/api/auth/passkey-options', {})).json as unknown as Question
  const body = { csrfToken: await page.csrfToken(), challenge_id: asked.challenge_id, response: key.get(asked.options) }
  expect((await page.post('/api/auth/callback/passkey', body)).status).toBe(200)
  return page
}

const added = async (email: string) =>
  (await messagesTo(email)).filter(({ subject }) => subject === 'A passkey was added to your wallet')

describe('a first passkey', () => {
  test('B17 a first passkey is mailed with a link that removes it and ends what it signed in', async () => {
    const owner = await newOwner()
    await owner.person.call('POST', PATH, { rcs_enabled: true, rcs_phone_e164: owner.phone, email_enabled: false })
    const own = await signIn(owner.email)
    const thief = await signIn(owner.email)
    const [key, another] = [newKey(), newKey()]
    await enrol(thief, key)
    const undo = tokenOf((await added(owner.email))[0])
    expect(JSON.stringify(await messagesTo(owner.phone)), 'the link goes to the mailbox alone').not.toContain(undo)
    const bySigning = await signInByPasskey(key)
    await enrol(thief, another, await prove(thief, key, {}, 'passkey.add'))
    await thief.mutate('security.require', { required: true })
    const codesProof = await prove(thief, key, {}, 'recovery.codes')
    const made = dataOf<{ codes: string[] }>(await thief.mutate('security.makeRecoveryCodes', { proof: codesProof }))

    const read = await readLink(undo)
    expect(read).toMatchObject({ link: { purpose: 'undo_passkey', used: false, about: 'Key' } })
    expect(await isSignedIn(bySigning), 'reading a link does nothing').toBe(true)
    const presses = await Promise.all([pressLink(undo), pressLink(undo)])
    expect(presses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect([await isSignedIn(thief), await isSignedIn(bySigning), await isSignedIn(own)]).toEqual([false, false, true])
    expect(dataOf(await own.query('security.passkeys'))).toMatchObject({ passkeys: [], required: false })
    const again = await (await signIn(owner.email)).mutate('security.startRecovery', { code: made.codes[0] })
    expect(codeOf(again)).toBe('invalid_request')
    const page = new Browser(app.platform)
    const asked = (await page.post('/api/auth/passkey-options', {})).json as unknown as Question
    const body = {
      csrfToken: await page.csrfToken(),
      challenge_id: asked.challenge_id,
      response: key.get(asked.options),
    }
    expect((await page.post('/api/auth/callback/passkey', body)).status).toBe(401)
  })

  test('B17 undoing it ends every wallet app that came after the session that added it was opened', async () => {
    const { shopper, email, own, thief } = await newShopperAndThief()
    const [stolen, ofOtherSession] = [await addWalletOnPage(app, thief), await addWallet(app, shopper)]
    await enrol(thief, newKey())
    expect((await pressLink(tokenOf((await added(email))[0]))).status).toBe(200)
    const waiting = await order(shopper)
    for (const ended of [stolen, ofOtherSession]) {
      const { claims } = await openWalletRequest(shopper, waiting.id)
      expect((await present(ended, claims)).json).toMatchObject({ error: 'attestation_revoked' })
    }
    must(await present(own, (await openWalletRequest(shopper, waiting.id)).claims), 200)
  })

  test('B17 the link of a first passkey works for 72 hours', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    await enrol(await signIn(owner.email), newKey())
    await enrol(await signIn(other.email), newKey())
    const [late, tooLate] = [tokenOf((await added(owner.email))[0]), tokenOf((await added(other.email))[0])]
    app.clock.advance({ seconds: UNDO_SECONDS - 60 })
    expect(codeOf(await pressLink(late))).toBe('done')
    app.clock.advance({ seconds: 60 })
    expect(codeOf(await pressLink(tooLate))).toBe('not_found')
  })

  test('B17 a further passkey, which an earlier one let in, comes without such a link', async () => {
    const owner = await newOwner()
    const page = await signIn(owner.email)
    const key = newKey()
    await enrol(page, key)
    await enrol(page, newKey(), await prove(page, key, {}, 'passkey.add'))
    const [second, first] = await added(owner.email)
    expect(second?.links).toEqual([`${app.baseUrl}/settings/security`])
    expect(tokenOf(first)).toHaveLength(43)
  })

  test('B17 nothing that is no token of a link does anything, signed in or not', async () => {
    const { email } = await newOwner()
    const page = await signIn(email)
    for (const token of ['', 'x', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`]) {
      expect((await page.mutate('links.confirm', { token })).status).toBe(400)
      expect((await stranger().mutate('links.read', { token })).status).toBe(400)
    }
    expect((await stranger().query('links.read', { token: 'A'.repeat(43) })).status).toBe(405)
    const foreign = { 'sec-fetch-site': 'cross-site' }
    expect((await stranger().mutate('links.confirm', { token: 'A'.repeat(43) }, foreign)).status).toBe(403)
  })
})
