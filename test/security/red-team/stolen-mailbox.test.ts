/** A thief who reads the person's mail and so signs in as them. The person has a passkey, which the thief does not. */
import { describe, expect, test } from 'vitest'
import type { PasskeyCreation } from '@/server/identity/passkeys/contract'
import { readMessages } from '@/server/shared/notifications'
import { exchange, must } from '../../support/actors'
import { Browser, type BrowserAnswer, dataOf, refusalOf } from '../../support/browser'
import { createPasskey } from '../../support/passkey-holder'
import { createAuthenticator } from '../../support/software-authenticator'
import { type Household, LIMITS, openScene } from './scene'

const scene = openScene()

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(scene.app.platform)
  scene.app.clock.advance({ seconds: 1 })
  await browser.signInByMail(email)
  return browser
}

const startRegistration = async (browser: Browser) =>
  dataOf<{ challenge_id: string; options: PasskeyCreation }>(await browser.mutate('security.startRegistration', {}))

/** The owner's household with a passkey, and the thief's browser, signed in by a mailed link. */
async function burgle() {
  const home = await scene.portalHousehold('every_purchase')
  const owner = await signIn(home.email)
  const passkey = await createPasskey(owner, scene.app, await startRegistration(owner))
  return { home, owner, passkey, thief: await signIn(home.email) }
}

/** What would let agents pay more, as the portal's pages send it. */
async function looseningsOf({ agent, person }: Household, thief: Browser) {
  await agent.push((await agent.purchase({ amount_minor: 1_000 })).form)
  const [waiting] = await person.pending()
  const consent = String(waiting?.['authorization_id'])
  const { cards } = dataOf<{ cards: { id: string }[] }>(await thief.query('cards.list'))
  return {
    approve: () => thief.approve(consent),
    connect: () =>
      thief.mutate('agents.connect', { name: 'Mine', purpose: '', scope: 'openid oid4ac:payment payment:execute' }),
    limits: () => thief.mutate('limits.save', { ...LIMITS, daily_cap_minor: 900_000 }),
    rule: () => thief.mutate('limits.saveApprovalRule', { approval_rule: 'above_limits' }),
    passkey: () => thief.mutate('security.startRegistration', {}),
    recovery: () => thief.mutate('security.makeRecoveryCodes', {}),
    newCard: () => thief.mutate('cards.enrolTestCard', { number: '4242424242424242' }),
    newRealCard: () => thief.mutate('cards.beginEnrolment', {}),
    otherCard: () => thief.mutate('cards.makeDefault', { card_id: cards[0]?.id ?? '' }),
  }
}

const refused = (answer: BrowserAnswer) => ({ status: answer.status, ...refusalOf(answer) })

describe('a thief with the mailbox', () => {
  test('lets no agent pay more: everything that does asks for the passkey', async () => {
    const { home, thief } = await burgle()
    const attempts = Object.entries(await looseningsOf(home, thief))
    const before = await scene.books(home)
    for (const [name, loosen] of attempts) {
      expect({ name, ...refused(await loosen()) }).toMatchObject({ name, status: 403, error: 'step_up_required' })
    }
    expect(await scene.books(home)).toEqual(before)
    expect(before.charged).toBe(0)
    expect(dataOf(await thief.query('limits.read'))).toMatchObject({ limits: LIMITS })
  })

  test('confirms at the gate what the rules let pass, and nothing beyond them', async () => {
    const home = await scene.portalHousehold()
    const owner = await signIn(home.email)
    await createPasskey(owner, scene.app, await startRegistration(owner))
    expect((await owner.mutate('limits.saveMagicLinkGate', { magic_link_gate: true })).status).toBe(200)
    const { form, verifier } = await home.agent.purchase({ amount_minor: 1_000 })
    expect((await home.agent.authorize(must(await home.agent.push(form), 201).request_uri)).status).toBe(202)
    const mail = (await readMessages(scene.app.platform, 1_000)).find(({ to }) => to === home.email)
    const { search } = new URL(mail?.links[0] ?? '')
    const pressed = await exchange(`${scene.app.baseUrl}/oauth/magic-link/confirm${search}`)
    const code = new URL(pressed.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const bought = must(await home.agent.redeem(code, verifier), 200)
    must(await home.agent.settle(bought.access_token, bought.mandate_jwt, 'at-the-gate'), 200)
    expect((await scene.books(home)).charged).toBe(1_000)

    const more = await home.agent.purchase({ amount_minor: LIMITS.single_txn_cap_minor + 1 })
    must(await home.agent.push(more.form), 201)
    const thief = await signIn(home.email)
    const [waiting] = await home.person.pending()
    expect(refused(await thief.approve(String(waiting?.['authorization_id'])))).toMatchObject({
      status: 403,
      error: 'step_up_required',
    })
    expect((await scene.books(home)).charged).toBe(1_000)
  })

  test('adds no passkey with a registration from before the owner had one', async () => {
    const home = await scene.portalHousehold('every_purchase')
    const [owner, thief] = [await signIn(home.email), await signIn(home.email)]
    const { challenge_id, options } = await startRegistration(thief)
    await createPasskey(owner, scene.app, await startRegistration(owner))
    const before = await scene.books(home)
    const { hostname, origin } = new URL(scene.app.baseUrl)
    const response = createAuthenticator({ rpId: hostname, origin }).create(options)
    const added = await thief.mutate('security.register', { challenge_id, name: 'Mine', response })
    expect(refused(added)).toMatchObject({ status: 403, error: 'step_up_required', members: { way: 'passkey' } })
    expect(dataOf(await owner.query('security.passkeys'))).toMatchObject({ passkeys: [{ name: 'Laptop' }] })
    expect(await scene.books(home)).toEqual(before)
  })

  test('can only do what stops payments, and the owner undoes that with the passkey', async () => {
    const { home, owner, passkey, thief } = await burgle()
    const before = await scene.books(home)
    expect((await thief.mutate('limits.freeze')).status).toBe(200)
    expect(refused(await thief.mutate('limits.unfreeze', {}))).toMatchObject({ error: 'step_up_required' })
    const subject = { frozen: { from: true, to: false } }
    const proof = await passkey.prove(owner, { purpose: 'security.relax', subject })
    expect((await owner.mutate('limits.unfreeze', { proof })).status).toBe(200)
    const { audit, ...rest } = await scene.books(home)
    expect(rest).toEqual({ charged: 0, messages: before.messages })
    // The portal's people share a chain; the last two entries are those of this household.
    expect(audit.slice(before.audit.length)).toEqual(['oid4ac.limits.changed', 'oid4ac.limits.changed'])
  })

  test('cannot use a confirmation that the owner gave for something else, or in their own session', async () => {
    const { home, owner, passkey, thief } = await burgle()
    const before = await scene.books(home)
    const action = { purpose: 'card.add', subject: {} } as const
    const proof = await passkey.prove(owner, action)
    const number = '4242424242424242'
    expect(refused(await thief.mutate('cards.enrolTestCard', { number, proof }))).toMatchObject({
      error: 'step_up_required',
    })
    const { cards } = dataOf<{ cards: { id: string }[] }>(await owner.query('cards.list'))
    const other = await passkey.prove(owner, action)
    const chosen = await owner.mutate('cards.makeDefault', { card_id: cards[0]?.id ?? '', proof: other })
    expect(refused(chosen)).toMatchObject({ error: 'step_up_required' })
    expect(await scene.books(home)).toEqual(before)
    const right = await passkey.prove(owner, action)
    expect((await owner.mutate('cards.enrolTestCard', { number, proof: right })).status).toBe(200)
  })
})
