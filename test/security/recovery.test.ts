/** What somebody who has lost their passkeys can do without the operator: recovery codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import type { PasskeyCreation } from '@/server/identity/passkeys/contract'
import { readMessages } from '@/server/shared/notifications'
import { newPrincipal, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, type BrowserAnswer, dataOf, refusalOf } from '../support/browser'
import { createPasskey, type PasskeyInBrowser } from '../support/passkey-holder'

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
    expect(await subjectsTo(email)).toContain('A recovery code of your wallet was used')
    const found = await createPasskey(browser, app, started)
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 9 })
    expect(await makeCodes(browser, found)).toHaveLength(10)
    expect(refused(await recover(await signIn(email), codes[0]))).toEqual([400, 'invalid_request'])
    expect(refused(await recover(await signIn(email), codes[1])), 'made before the newer ones').toEqual([
      400,
      'invalid_request',
    ])
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
    expect(dataOf(await browser.query('security.recovery'))).toMatchObject({ left: 9 })
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
