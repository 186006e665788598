/** Decisions D50 to D62 from the portal: each right in a session, with what it takes to confirm it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { retention } from '@/server/base/core/retention'
import type { PasskeyCreation, StepUpAction } from '@/server/identity/passkeys/contract'
import type { PrivacyView } from '@/server/surfaces/privacy/contract'
import { newPrincipal } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, type BrowserAnswer, dataOf, mailedToken, refusalOf } from '../support/browser'
import { createPasskey } from '../support/passkey-holder'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const EIGHT_MINUTES = 480

async function signIn(email: string): Promise<Browser> {
  const page = new Browser(app.platform)
  app.clock.advance({ seconds: 1 })
  expect((await page.post('/api/auth/sign-in-link', { email })).status).toBe(202)
  expect((await page.confirm(await mailedToken(app.platform, email))).status).toBe(200)
  return page
}

async function newOwner() {
  const { principalId, email } = await newPrincipal(app, {})
  return { principalId, email, page: await signIn(email) }
}

async function addPasskey(page: Browser) {
  const started = await page.mutate('security.startRegistration', {})
  return createPasskey(page, app, dataOf<{ challenge_id: string; options: PasskeyCreation }>(started))
}

async function waitIn(page: Browser): Promise<void> {
  for (let passed = 0; passed < 2; passed += 1) {
    app.clock.advance({ seconds: EIGHT_MINUTES })
    await page.query('session.me')
  }
}

const read = async (page: Browser) => dataOf<PrivacyView>(await page.query('privacy.read'))
const asked = async (page: Browser) => (await read(page)).requests.map(({ kind, result }) => [kind, result])
const answerOf = (reply: BrowserAnswer) =>
  reply.status === 200 ? [200] : [reply.status, (refusalOf(reply) as { error?: string }).error]

const lifting = { purpose: 'security.relax', subject: { processing_restricted: { from: true, to: false } } } as const
const erasing = { purpose: 'security.relax', subject: { erased: { from: false, to: true } } } as const
const taking = (right: string): StepUpAction => ({ purpose: 'privacy.data', subject: { right } })

describe('the rights in the portal', () => {
  test('a session that a mailed link opened just now uses each of them, and is shown what came of it', async () => {
    const { email, page } = await newOwner()
    expect(dataOf(await page.mutate('privacy.access', {}))).toMatchObject({ status: 'queued' })
    const { json, name } = dataOf<{ json: string; name: string }>(await page.mutate('privacy.take', {}))
    expect([JSON.parse(json), name]).toMatchObject([{ principal: { email } }, 'countersign-portability.json'])
    expect(answerOf(await page.mutate('privacy.rectify', { display_name: 'Ada L.' }))).toEqual([200])
    expect(answerOf(await page.mutate('privacy.object', {}))).toEqual([200])
    expect(answerOf(await page.mutate('privacy.restrict', {}))).toEqual([200])
    expect(dataOf(await page.query('session.me'))).toMatchObject({ processing_restricted: true })
    expect(answerOf(await page.mutate('privacy.lift', {}))).toEqual([200])
    const view = await read(page)
    expect(view).toMatchObject({
      principal: { display_name: 'Ada L.', email },
      mailed_to: `${email[0]}•••${email.slice(email.indexOf('@'))}`,
      processing_restricted: false,
      marketing_objected: true,
    })
    expect(Object.fromEntries(await asked(page))).toEqual({
      access: 'queued',
      objection: 'objected',
      portability: 'exported',
      rectification: 'rectified',
      restriction: 'lifted',
    })
  })

  test('an older session restricts and objects, and takes, lifts, moves and erases nothing', async () => {
    const { email, page } = await newOwner()
    await waitIn(page)
    expect(answerOf(await page.mutate('privacy.restrict', {}))).toEqual([200])
    expect(answerOf(await page.mutate('privacy.object', {}))).toEqual([200])
    for (const [procedure, input] of [
      ['privacy.access', {}],
      ['privacy.take', {}],
      ['privacy.lift', {}],
      ['privacy.erase', {}],
      ['privacy.rectify', { email: `other-${email}` }],
    ] as const) {
      expect([procedure, ...answerOf(await page.mutate(procedure, input))]).toEqual([
        procedure,
        403,
        'step_up_required',
      ])
    }
    expect(await read(page)).toMatchObject({ processing_restricted: true, pending_email: null })
    expect(await asked(page)).toHaveLength(2)
  })

  test('a person with a passkey signs exactly the right that is used', async () => {
    const { page } = await newOwner()
    const passkey = await addPasskey(page)
    const withProof = async (procedure: string, action: StepUpAction) =>
      answerOf(await page.mutate(procedure, { proof: await passkey.prove(page, action) }))
    const refused = [403, 'step_up_required']
    expect(answerOf(await page.mutate('privacy.take', {}))).toEqual(refused)
    expect(await withProof('privacy.take', taking('access'))).toEqual(refused)
    expect(await withProof('privacy.take', taking('portability'))).toEqual([200])
    expect(await withProof('privacy.access', taking('access'))).toEqual([200])
    await page.mutate('privacy.restrict', {})
    expect(await withProof('privacy.lift', erasing)).toEqual(refused)
    expect(await withProof('privacy.lift', lifting)).toEqual([200])
    expect(await withProof('privacy.erase', lifting)).toEqual(refused)
    expect(await withProof('privacy.erase', erasing)).toEqual([200])
  })

  test('D52 what is asked for in the portal counts against the same ten a day', async () => {
    const { page } = await newOwner()
    for (let n = 0; n < 10; n += 1) expect(answerOf(await page.mutate('privacy.take', {}))).toEqual([200])
    expect(answerOf(await page.mutate('privacy.take', {}))).toEqual([429, 'rate_limited'])
    expect(answerOf(await page.mutate('privacy.object', {}))).toEqual([200])
  })

  test('D61 erasing ends the session that asked and every other', async () => {
    const { email, page } = await newOwner()
    const other = await signIn(email)
    expect(dataOf(await page.mutate('privacy.erase', {}))).toMatchObject({ status: 'erased' })
    for (const browser of [page, other]) expect((await browser.query('session.me')).status).toBe(401)
    expect(answerOf(await page.mutate('privacy.erase', {}))).toEqual([401, 'invalid_token'])
  })

  test('D58 another address waits for its link, and is shown while it does', async () => {
    const { email, page } = await newOwner()
    const to = `moved-${email}`
    expect(dataOf(await page.mutate('privacy.rectify', { email: to }))).toMatchObject({ pending: ['email'] })
    expect(await read(page)).toMatchObject({ principal: { email }, pending_email: { email: to } })
    expect(answerOf(await page.mutate('privacy.rectify', { display_name: 'x'.repeat(101) }))).toEqual([
      400,
      'invalid_request',
    ])
  })

  test('the page says of each kind of data that is about people what becomes of it', async () => {
    const { page } = await newOwner()
    const { kinds } = await read(page)
    const became = new Map(kinds.map(({ kind, erasure }) => [kind, erasure]))
    expect(became.get('sessions')).toBe('deleted')
    expect(became.get('profile')).toBe('emptied')
    expect(became.get('payments')).not.toBe('deleted')
    expect(became.get('audit')).toBe('kept')
    for (const { kind, kept } of kinds) expect(kept).toBe(retention[kind].kept)
  })
})
