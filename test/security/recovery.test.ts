/** What somebody who has lost their passkeys can do without the operator: recovery codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { PasskeyCreation } from '@/server/identity/passkeys/contract'
import { readMessages } from '@/server/shared/notifications'
import { newPrincipal, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, type BrowserAnswer, dataOf, refusalOf } from '../support/browser'
import { createPasskey, type PasskeyInBrowser } from '../support/passkey-holder'
import { createAuthenticator } from '../support/software-authenticator'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

interface Registration {
  readonly challenge_id: string
  readonly options: PasskeyCreation
}

async function signIn(email: string): Promise<Browser> {
  const browser = new Browser(app.platform)
  app.clock.advance({ seconds: 1 })
  await browser.signInByMail(email)
  return browser
}

/** Somebody with a passkey and recovery codes. */
async function newOwner() {
  const { email, principalId } = await newPrincipal(app)
  const browser = await signIn(email)
  const started = dataOf<Registration>(await browser.mutate('security.startRegistration', {}))
  const passkey = await createPasskey(browser, app, started)
  return { email, principalId, browser, passkey, codes: await makeCodes(browser, passkey) }
}

async function makeCodes(browser: Browser, passkey: PasskeyInBrowser): Promise<string[]> {
  const proof = await passkey.prove(browser, { purpose: 'recovery.codes', subject: {} })
  return dataOf<{ codes: string[] }>(await browser.mutate('security.makeRecoveryCodes', { proof })).codes
}

const refused = (answer: BrowserAnswer) => [answer.status, (refusalOf(answer) as Record<string, unknown>)['error']]
const recover = (browser: Browser, code = '') => browser.mutate('security.startRecovery', { code })
const passkeysOf = async (browser: Browser) =>
  dataOf<{ passkeys: unknown[] }>(await browser.query('security.passkeys')).passkeys.length
/** Finishes a registration with a new passkey, and with the code that is sent along. */
function register(
  browser: Browser,
  { challenge_id, options }: Registration,
  { code }: { readonly code?: string | undefined },
) {
  const { hostname, origin } = new URL(app.baseUrl)
  const response = createAuthenticator({ rpId: hostname, origin }).create(options)
  return browser.mutate('security.register', { challenge_id, name: 'Phone', response, code })
}
const subjectsTo = async (email: string) =>
  (await readMessages(app.platform, 200)).filter(({ to }) => to === email).map(({ subject }) => subject)

describe('recovery codes', () => {
  test('are made with a passkey alone, of 120 random bits, shown once, and stored as hashes', async () => {
    const { email, browser, codes } = await newOwner()
    expect(refused(await browser.mutate('security.makeRecoveryCodes', {}))).toEqual([403, 'step_up_required'])
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
    const rows = await app.platform.db.query(sql`SELECT r::text AS row FROM recovery_codes r`)
    const stored = JSON.stringify(rows)
    for (const code of codes) expect(stored).not.toContain(code)
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 10 })
    expect(await subjectsTo(email)).toContain('Recovery codes were made for your wallet')
  })

  test('each add one passkey, which then confirms, and the person is mailed', async () => {
    const { email, codes } = await newOwner()
    const browser = await signIn(email)
    const typed = (codes[0] ?? '').toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    const started = dataOf<Registration>(await recover(browser, typed))
    const found = await createPasskey(browser, app, { ...started, code: typed })
    expect(await subjectsTo(email)).toContain('A recovery code of your wallet was used')
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 9 })
    expect(await makeCodes(browser, found)).toHaveLength(10)
    expect(refused(await recover(await signIn(email), codes[0]))).toEqual([400, 'invalid_request'])
    expect(refused(await recover(await signIn(email), codes[1])), 'made before the newer ones').toEqual([
      400,
      'invalid_request',
    ])
  })

  test('are used up by the passkey that they add, not by a prompt that is closed', async () => {
    const { email, codes } = await newOwner()
    const browser = await signIn(email)
    dataOf(await recover(browser, codes[0]))
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 10 })
    expect(await subjectsTo(email)).not.toContain('A recovery code of your wallet was used')
    const started = dataOf<Registration>(await recover(browser, codes[0]))
    await createPasskey(browser, app, { ...started, code: codes[0] ?? '' })
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 9 })
    expect(await passkeysOf(browser)).toBe(2)
  })

  test('add one passkey each, however many registrations were started with them', async () => {
    const { email, codes } = await newOwner()
    const browser = await signIn(email)
    const [code = ''] = codes
    const first = dataOf<Registration>(await recover(browser, code))
    const second = dataOf<Registration>(await recover(browser, code))
    const finishing = [first, second].map((started) => register(browser, started, { code }))
    const statuses = (await Promise.all(finishing)).map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 400])
    expect(await passkeysOf(browser)).toBe(2)
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 9 })
  })

  test('are asked for again by the registration that they start, which adds nothing without one', async () => {
    const { email, codes } = await newOwner()
    const thief = await newOwner()
    const browser = await signIn(email)
    const start = async () => dataOf<Registration>(await recover(browser, codes[0]))
    expect(refused(await register(browser, await start(), {}))).toEqual([409, 'conflict'])
    expect(refused(await register(browser, await start(), { code: '0000' }))).toEqual([400, 'invalid_request'])
    expect(refused(await register(browser, await start(), { code: thief.codes[0] }))).toEqual([400, 'invalid_request'])
    expect(await passkeysOf(browser)).toBe(1)
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 10 })
    const usual = await newPrincipal(app)
    const other = await signIn(usual.email)
    const confirmed = dataOf<Registration>(await other.mutate('security.startRegistration', {}))
    expect(refused(await register(other, confirmed, { code: codes[0] }))).toEqual([409, 'conflict'])
  })

  test('confirm nothing else, and are not taken from a session of some time ago', async () => {
    const { email, codes } = await newOwner()
    const browser = await signIn(email)
    const plan = { name: 'New one', purpose: '', scope: 'openid oid4ac:payment payment:execute' }
    dataOf(await recover(browser, codes[0]))
    expect(refused(await browser.mutate('agents.connect', plan))).toEqual([403, 'step_up_required'])
    app.clock.advance({ seconds: 10 * 60 })
    dataOf(await browser.query('security.recovery'))
    app.clock.advance({ seconds: 6 * 60 })
    expect(refused(await recover(browser, codes[1]))).toEqual([403, 'step_up_required'])
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 10 })
  })

  test('are nobody else’s, and cannot be guessed', async () => {
    const [owner, thief] = [await newOwner(), await newOwner()]
    const browser = await signIn(thief.email)
    const tries = []
    for (let turn = 0; turn < 11; turn += 1) tries.push(refused(await recover(browser, owner.codes[0])))
    expect(tries.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => [400, 'invalid_request']))
    expect(tries.at(-1)).toEqual([429, 'rate_limited'])
    expect((await recover(await signIn(owner.email), owner.codes[0])).status).toBe(200)
  })

  test('are taken from their owner, however many wrong ones a thief of the mailbox has tried', async () => {
    const { email, codes } = await newOwner()
    const [thief, owner] = [await signIn(email), await signIn(email)]
    for (let turn = 0; turn < 10; turn += 1) expect((await recover(thief, '0000')).status).toBe(400)
    expect(refused(await recover(thief, '0000'))).toEqual([429, 'rate_limited'])
    expect(refused(await recover(owner, 'misread')), 'a slip of the owner').toEqual([400, 'invalid_request'])
    const started = dataOf<Registration>(await recover(owner, codes[0]))
    await createPasskey(owner, app, { ...started, code: codes[0] ?? '' })
    expect(await passkeysOf(owner)).toBe(2)
  })

  test('take a right one after ten wrong ones and ten closed prompts of the same session', async () => {
    const { email, codes } = await newOwner()
    const browser = await signIn(email)
    for (let turn = 0; turn < 10; turn += 1) dataOf(await recover(browser, codes[0]))
    for (let turn = 0; turn < 10; turn += 1) expect((await recover(browser, '0000')).status).toBe(400)
    expect((await recover(browser, codes[0])).status).toBe(200)
  })

  test('need a passkey that they stand in for, and end when the operator resets the passkeys', async () => {
    const { email } = await newPrincipal(app)
    const browser = await signIn(email)
    expect(refused(await browser.mutate('security.makeRecoveryCodes', {}))).toEqual([409, 'conflict'])
    expect(dataOf(await browser.query('security.recovery'))).toBeNull()
    const owner = await newOwner()
    expect((await operate(app, 'POST', `/principals/${owner.principalId}/passkeys/reset`)).status).toBe(200)
    expect(refused(await recover(await signIn(owner.email), owner.codes[0]))).toEqual([400, 'invalid_request'])
  })
})
