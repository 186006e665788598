/**
 * Decisions B7, B16 and B17 in one place: the person sees what concerned the safety of their wallet, and undoes it there,
 * with what stood for them before the change, so that a thief with a session cannot undo what the owner has repaired.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PasskeyCreation, PasskeyRequest } from '@/server/identity/passkeys/contract'
import { readMessages } from '@/server/shared/notifications'
import type { ConsentView, SecurityActivityView, SecurityChange, SecuritySignIn } from '@/server/surfaces/portal'
import { sweepExpired } from '@/server/sweep'
import { Agent, newPrincipal } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, type BrowserAnswer, dataOf, mailedToken, refusalOf } from '../support/browser'
import { createAuthenticator, type SoftwareAuthenticator } from '../support/software-authenticator'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const MINUTE = 60
const DAY = 24 * 60 * MINUTE
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let people = 0
const newAddress = () => `moved-${++people}@sandbox.test`

async function signIn(email: string, userAgent?: string): Promise<Browser> {
  const page = new Browser(app.platform)
  app.clock.advance({ seconds: 1 })
  expect((await page.post('/api/auth/sign-in-link', { email })).status).toBe(202)
  const [csrfToken, token] = [await page.csrfToken(), await mailedToken(app.platform, email)]
  const headers: Record<string, string> = userAgent === undefined ? {} : { 'user-agent': userAgent }
  expect((await page.post('/api/auth/callback/magic-link', { csrfToken, token }, headers)).status).toBe(200)
  return page
}

async function newOwner() {
  const { email } = await newPrincipal(app, {})
  return { email, page: await signIn(email) }
}

const activity = async (page: Browser, before?: string) =>
  dataOf<SecurityActivityView>(await page.query('security.activity', before === undefined ? {} : { before }))
const changes = ({ entries }: SecurityActivityView) =>
  entries.filter((one): one is SecurityChange => one.kind === 'change')
const signIns = ({ entries }: SecurityActivityView) =>
  entries.filter((one): one is SecuritySignIn => one.kind === 'sign_in')
const isSignedIn = async (page: Browser) => (await page.query('session.me')).status === 200
const emailOf = async (page: Browser) => dataOf<{ email: string }>(await page.query('notifications.contacts')).email
const keysOf = async (page: Browser) =>
  dataOf<{ passkeys: { name: string }[] }>(await page.query('security.passkeys')).passkeys.map(({ name }) => name)
const answerOf = (reply: BrowserAnswer) =>
  reply.status === 200 ? [200] : [reply.status, (refusalOf(reply) as { error?: string }).error]

function newKey(): SoftwareAuthenticator {
  const { hostname, origin } = new URL(app.baseUrl)
  return createAuthenticator({ rpId: hostname, origin })
}

interface Registration {
  readonly challenge_id: string
  readonly options: PasskeyCreation
}
type Question = { readonly way: string; readonly challenge_id: string; readonly options: PasskeyRequest }

async function enrol(page: Browser, key: SoftwareAuthenticator, name: string, proof?: object): Promise<void> {
  app.clock.advance({ seconds: 1 })
  const started = dataOf<Registration>(await page.mutate('security.startRegistration', { proof }))
  const response = key.create(started.options)
  const added = await page.mutate('security.register', { challenge_id: started.challenge_id, name, response })
  expect(added.status).toBe(200)
}

async function prove(page: Browser, key: SoftwareAuthenticator, action: { purpose: string; subject: object }) {
  const asked = dataOf<Question>(await page.mutate('security.stepUpOptions', action))
  return { challenge_id: asked.challenge_id, response: key.get(asked.options) }
}

/** Asks for another address; `key` confirms it where the person has one. Returns what undoes it, by the page's list. */
async function moveTo(page: Browser, to: string, key?: SoftwareAuthenticator): Promise<string> {
  app.clock.advance({ seconds: 1 })
  const from = await emailOf(page)
  const subject = { email: { from, to } }
  const proof = key === undefined ? undefined : await prove(page, key, { purpose: 'security.relax', subject })
  expect((await page.mutate('notifications.changeEmail', { email: to, proof })).status).toBe(200)
  return (await activity(page)).undoable[0]?.id ?? expect.unreachable('nothing to undo')
}

async function confirmAddress(to: string): Promise<void> {
  const message = (await readMessages(app.platform, 200)).find((one) => one.to === to)
  const token = new URL(message?.links[0] ?? '').hash.replace('#token=', '')
  expect((await new Browser(app.platform).mutate('links.confirm', { token })).status).toBe(200)
}

const undo = (page: Browser, id: string, proof?: object) => page.mutate('security.undo', { change_id: id, proof })
const undoing = (id: string) => ({ purpose: 'security.undo', subject: { change_id: id } })

async function waitIn(page: Browser, minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 8) {
    app.clock.advance({ seconds: 8 * MINUTE })
    await page.query('session.me')
  }
}

describe('the security activity', () => {
  test('tells sign-ins with their device and changes with their means, newest first, and nobody else’s', async () => {
    const { email, page } = await newOwner()
    const { page: other } = await newOwner()
    await enrol(page, newKey(), 'Phone')
    app.clock.advance({ seconds: 1 })
    await page.mutate('limits.freeze')
    const second = await signIn(email, FIREFOX)
    await signIn(email, FIREFOX)
    const view = await activity(second)
    expect(view.entries.map(({ ts }) => ts)).toEqual(
      view.entries
        .map(({ ts }) => ts)
        .toSorted()
        .toReversed(),
    )
    expect(changes(view).map(({ detail, means }) => [detail, means])).toEqual([
      ['spending_frozen', 'magic_link'],
      ['passkey_added', 'magic_link'],
      [null, null],
      ['createSandboxPrincipal', 'operator'],
    ])
    const firefox = { browser: 'Firefox', system: 'Linux' }
    expect(signIns(view).map(({ device, is_new, this_one, is_alive }) => [device, is_new, this_one, is_alive])).toEqual(
      [
        [firefox, false, false, true],
        [firefox, true, true, true],
        [null, true, false, true],
      ],
    )
    expect(changes(view)[1]?.shortcut).toMatchObject({ kind: 'remove_passkey', passkey: { name: 'Phone' }, last: true })
    const others = JSON.stringify(await activity(other))
    expect(others).not.toContain('Phone')
    for (const { session } of signIns(view)) expect(others).not.toContain(session)
  })

  test('says of each change on which device it was done, and has what takes a loosening back', async () => {
    const { email } = await newOwner()
    const page = await signIn(email, FIREFOX)
    const limits = { currency: 'EUR', daily_cap_minor: 5_000 }
    const rule = { merchant_audience: 'https://shop.example', agent_client_id: null }
    const acts: readonly (readonly [string, object])[] = [
      ['limits.save', limits],
      ['limits.save', { ...limits, daily_cap_minor: 6_000 }],
      ['merchants.saveRule', { ...rule, verdict: 'deny' }],
      ['merchants.saveRule', { ...rule, verdict: null }],
      ['merchants.saveGate', { only_listed: true }],
      ['merchants.saveGate', { only_listed: false }],
      ['limits.saveApprovalRule', { approval_rule: 'every_purchase' }],
      ['limits.saveApprovalRule', { approval_rule: 'above_limits' }],
      ['limits.freeze', {}],
      ['limits.unfreeze', {}],
      ['privacy.restrict', {}],
      ['privacy.lift', {}],
      ['notifications.save', { email_enabled: false }],
      ['cards.enrolTestCard', { number: '4242424242424242' }],
    ]
    for (const [procedure, input] of acts) {
      app.clock.advance({ seconds: 1 })
      expect([
        procedure,
        (await page.mutate(procedure, procedure === 'limits.freeze' ? undefined : input)).status,
      ]).toEqual([procedure, 200])
    }
    const done = changes(await activity(page))
      .toReversed()
      .slice(1)
    const opens = done.map(({ detail, shortcut }) => [detail, shortcut?.kind === 'open' ? shortcut.page : null])
    expect(opens).toEqual(
      expect.arrayContaining([
        ['limits_lowered', null],
        ['limits_raised', 'limits'],
        ['merchant_rule_deny', null],
        ['merchant_rule', 'merchants'],
        ['merchant_gate_true', null],
        ['merchant_gate_false', 'merchants'],
        ['approval_rule_every_purchase', null],
        ['approval_rule_above_limits', 'limits'],
        ['spending_frozen', null],
        ['spending_active', 'limits'],
        ['processing_active', 'privacy'],
        ['notifications', 'notifications'],
        [null, 'cards'],
      ]),
    )
    const firefox = { device: { browser: 'Firefox', system: 'Linux' }, this_one: true }
    const ofPerson = done.filter(({ means }) => means === 'magic_link')
    expect(ofPerson.length).toBeGreaterThan(10)
    for (const one of ofPerson) expect([one.detail, one.where]).toEqual([one.detail, firefox])
    const elsewhere = await signIn(email)
    for (const one of changes(await activity(elsewhere)).filter(({ means }) => means === 'magic_link')) {
      expect(one.where).toEqual({ ...firefox, this_one: false })
    }
  })

  test('has the purchases that the person approved in the portal, with the agent that bought', async () => {
    const { principalId, email } = await newPrincipal(app, { approval_rule: 'every_purchase' })
    const agent = await Agent.register(app, principalId)
    const page = await signIn(email, FIREFOX)
    expect((await agent.push((await agent.purchase()).form)).status).toBe(201)
    const { pending } = dataOf<{ pending: ConsentView[] }>(await page.query('approvals.pending'))
    expect((await page.approve(pending[0]?.authorization_id ?? '')).status).toBe(200)
    expect(changes(await activity(page))[0]).toMatchObject({
      event: 'oid4ac.consent.approved',
      means: 'magic_link',
      agent: { client_id: agent.clientId },
      where: { device: { browser: 'Firefox', system: 'Linux' }, this_one: true },
      shortcut: { kind: 'open', page: 'agent', client_id: agent.clientId },
    })
  })

  test('goes on page by page, and shows everything once', async () => {
    const { email, page } = await newOwner()
    for (let n = 0; n < 25; n += 1) {
      expect((await page.mutate('limits.freeze')).status).toBe(200)
      expect((await page.mutate('limits.unfreeze', {})).status).toBe(200)
      if (n % 7 === 0) await signIn(email)
    }
    const [first, pages] = [await activity(page), [] as SecurityActivityView[]]
    for (let view = first; ; view = await activity(page, view.next_before ?? '')) {
      pages.push(view)
      if (view.next_before === null) break
    }
    expect(pages.map(({ entries }) => entries.length)).toEqual([30, 27])
    const all = pages.flatMap((view) => view.entries)
    expect(new Set(all.map((one) => (one.kind === 'change' ? one.seq : one.session))).size).toBe(57)
    expect((await page.query('security.activity', { before: 'x' })).status).toBe(400)
  })

  test('keeps a sign-in for thirty days after its session', async () => {
    const { email } = await newOwner()
    app.clock.advance({ seconds: 29 * DAY })
    await sweepExpired(app.platform)
    const page = await signIn(email)
    expect(signIns(await activity(page)).map(({ is_alive: alive, is_new: isNew }) => [alive, isNew])).toEqual([
      [true, false],
      [false, true],
    ])
    app.clock.advance({ seconds: 2 * DAY })
    await sweepExpired(app.platform)
    expect(signIns(await activity(await signIn(email)))).toHaveLength(2)
  })
})

describe('undoing in a session', () => {
  test('B16 the owner of the mailbox undoes a change that is not confirmed yet, and what came of it', async () => {
    const { email, page: thief } = await newOwner()
    const id = await moveTo(thief, newAddress())
    await enrol(thief, newKey(), 'Mine')
    const owner = await signIn(email)
    expect((await activity(owner)).undoable).toMatchObject([
      { purpose: 'undo_passkey' },
      { purpose: 'undo_email', way: 'session' },
    ])
    expect(answerOf(await undo(owner, id))).toEqual([200])
    expect([await isSignedIn(thief), await isSignedIn(owner)]).toEqual([false, true])
    expect([await emailOf(owner), await keysOf(owner)]).toEqual([email, []])
    expect(changes(await activity(owner))[0]).toMatchObject({ detail: 'email_undone', means: 'magic_link' })
    expect((await activity(owner)).undoable).toEqual([])
    expect(answerOf(await undo(owner, id)), 'once').toEqual([404, 'not_found'])
    const told = (await readMessages(app.platform, 50)).filter(({ to }) => to === email)
    expect(told.map(({ subject }) => subject)).toContain('The change of your e-mail address was undone')
  })

  test('B16 a thief with an older session does not take back the address that the owner moved to', async () => {
    const { email, page: thief } = await newOwner()
    await waitIn(thief, 24)
    const owner = await signIn(email)
    const to = newAddress()
    const id = await moveTo(owner, to)
    expect(answerOf(await undo(thief, id)), 'before it is confirmed').toEqual([403, 'step_up_required'])
    await confirmAddress(to)
    await enrol(owner, newKey(), 'Repaired')
    expect(answerOf(await undo(thief, id)), 'afterwards').toEqual([401, 'invalid_token'])
    expect([await emailOf(owner), await keysOf(owner)]).toEqual([to, ['Repaired']])
  })

  test('B16 a thief who got an address confirmed removes nothing with it that the owner has added since', async () => {
    const { email, page: thief } = await newOwner()
    const to = newAddress()
    const id = await moveTo(thief, to)
    const owner = await signIn(email)
    await enrol(owner, newKey(), 'Repaired')
    await confirmAddress(to)
    const later = await signIn(to)
    const { undoable } = await activity(later)
    expect(undoable.map(({ purpose, way }) => [purpose, way])).toEqual([
      ['undo_passkey', 'link'],
      ['undo_email', 'link'],
    ])
    for (const one of undoable) expect(answerOf(await undo(later, one.id))).toEqual([403, 'forbidden'])
    expect(answerOf(await undo(later, id))).toEqual([403, 'forbidden'])
    expect(await keysOf(later)).toEqual(['Repaired'])
  })

  test('B16 a passkey from before the change undoes it, and one that came since does not', async () => {
    const { email, page: owner } = await newOwner()
    const [old, young] = [newKey(), newKey()]
    await enrol(owner, old, 'Old')
    const to = newAddress()
    const id = await moveTo(owner, to, old)
    await confirmAddress(to)
    await enrol(owner, young, 'Young', await prove(owner, old, { purpose: 'passkey.add', subject: {} }))
    const bystander = await signIn(to)
    expect(answerOf(await undo(bystander, id))).toEqual([403, 'step_up_required'])
    const asked = dataOf<Question>(await bystander.mutate('security.stepUpOptions', undoing(id)))
    expect(asked.options.allowCredentials).toHaveLength(1)
    const wrong = { challenge_id: asked.challenge_id, response: young.get({ ...asked.options, allowCredentials: [] }) }
    expect(answerOf(await undo(bystander, id, wrong))).toEqual([403, 'step_up_required'])
    const other = await prove(bystander, old, { purpose: 'security.relax', subject: { change_id: id } })
    expect(answerOf(await undo(bystander, id, other)), 'a signature for something else').toEqual([
      403,
      'step_up_required',
    ])
    expect(await emailOf(bystander)).toBe(to)
    const proof = await prove(bystander, old, undoing(id))
    expect(answerOf(await undo(bystander, id, proof))).toEqual([200])
    expect([await emailOf(bystander), await keysOf(bystander)]).toEqual([email, ['Old']])
    expect(changes(await activity(bystander))[0]).toMatchObject({ detail: 'email_undone', means: 'passkey' })
  })

  test('B17 a first passkey is undone by the mailbox, not by an older session nor by the passkey itself', async () => {
    const { email, page: thief } = await newOwner()
    const key = newKey()
    await enrol(thief, key, 'Mine')
    await waitIn(thief, 24)
    const [change] = (await activity(thief)).undoable
    expect(change).toMatchObject({ purpose: 'undo_passkey', about: 'Mine', way: 'sign_in' })
    const id = change?.id ?? ''
    expect(answerOf(await undo(thief, id))).toEqual([403, 'step_up_required'])
    const owner = await signIn(email)
    expect(answerOf(await undo(owner, id))).toEqual([200])
    expect([await isSignedIn(thief), await isSignedIn(owner), await keysOf(owner)]).toEqual([false, true, []])
  })

  test('B16 of parallel uses of link and page one wins, and after 72 hours nothing is undone', async () => {
    const { email, page } = await newOwner()
    const id = await moveTo(page, newAddress())
    const answers = await Promise.all([undo(page, id), undo(page, id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await isSignedIn(page), 'who undoes their own change stays').toBe(true)
    const again = await moveTo(page, newAddress())
    app.clock.advance({ seconds: 3 * DAY })
    const later = await signIn(email)
    expect((await activity(later)).undoable).toEqual([])
    expect(answerOf(await undo(later, again))).toEqual([404, 'not_found'])
  })
})
