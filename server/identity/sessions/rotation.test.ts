import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Browser, type BrowserAnswer, dataOf, newPortalPerson } from '@/test/support/browser'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import { createAuthenticator, type SoftwareAuthenticator } from '@/test/support/software-authenticator'
import type { Platform } from '../../base/core/platform'
import { sql } from '../../base/core/sql'
import { installPlatform } from '../../base/platform/container'
import type { PasskeyCreation, PasskeyRequest } from '../passkeys/contract'
import { SESSION_ROTATION_GRACE_SECONDS, SESSION_ROTATION_SECONDS } from './contract'
import { findPortalSession } from './index'

const ADA = { id: 'ada', email: 'ada@demo.test' }

let fixture: MoneyFixture
let platform: Platform
beforeAll(async () => {
  fixture = await openMoneyFixture()
  platform = {
    ...fixture.platform,
    rateLimits: { take: () => Promise.resolve({ allowed: true, retryAfterSeconds: 0 }) },
  }
  await newPortalPerson(platform, ADA)
})
beforeEach(async () => {
  installPlatform(platform)
  await platform.db.query(sql`DELETE FROM passkeys`)
  await platform.db.query(sql`UPDATE principals SET passkey_required = false`)
})
afterAll(async () => {
  installPlatform(null)
  await fixture.close()
})

async function signedIn(on = platform): Promise<Browser> {
  const browser = new Browser(on)
  await browser.signInAsDemo()
  return browser
}

/** Returns a browser with a copy of the cookies of another one. */
function copyOf(browser: Browser): Browser {
  const copy = new Browser(platform)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

const read = async (browser: Browser) => (await browser.query('session.me')).status
const sessionCookies = ({ headers }: BrowserAnswer) =>
  headers.getSetCookie().filter((cookie) => cookie.includes('countersign.session='))
const rowId = async (browser: Browser) =>
  (await findPortalSession(platform, new Headers({ cookie: browser.cookieHeader() })))?.id ?? null
const turns = async (browser: Browser) => {
  const rows = await platform.db.query<{ generation: number }>(
    sql`SELECT generation FROM portal_sessions WHERE id = ${(await rowId(browser)) ?? ''}`,
  )
  return rows[0]?.generation
}

/** Uses the session until its cookie is due to be replaced. */
async function useUntilDue(browser: Browser): Promise<void> {
  for (let seconds = 0; seconds < SESSION_ROTATION_SECONDS; seconds += 600) {
    fixture.clock.advance(600)
    if (seconds + 600 < SESSION_ROTATION_SECONDS) expect(await read(browser)).toBe(200)
  }
}

function newAuthenticator(): SoftwareAuthenticator {
  const { hostname, origin } = new URL(platform.config.baseUrl)
  return createAuthenticator({ rpId: hostname, origin, counts: false })
}

async function addPasskey(browser: Browser, key: SoftwareAuthenticator): Promise<BrowserAnswer> {
  const { challenge_id, options } = dataOf<{ challenge_id: string; options: PasskeyCreation }>(
    await browser.mutate('security.startRegistration', {}),
  )
  return browser.mutate('security.register', { challenge_id, name: 'Laptop', response: key.create(options) })
}

async function prove(browser: Browser, action: object, key: SoftwareAuthenticator) {
  const asked = await browser.mutate('security.stepUpOptions', action)
  const { challenge_id, options } = dataOf<{ challenge_id: string; options: PasskeyRequest }>(asked)
  return { challenge_id, response: key.get(options) }
}

describe('the cookie of a session', () => {
  test('a cookie is replaced after an hour of use by one with the same attributes, and the session goes on', async () => {
    const browser = await signedIn()
    const session = await rowId(browser)
    await useUntilDue(browser)
    const before = browser.cookieHeader()
    const reply = await browser.query('session.me')
    expect(reply.status).toBe(200)
    expect(sessionCookies(reply)).toEqual([
      expect.stringMatching(/^countersign\.session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/),
    ])
    expect(browser.cookieHeader()).not.toBe(before)
    expect(sessionCookies(await browser.query('session.me'))).toEqual([])
    expect(await rowId(browser)).toBe(session)
  })

  test('the event stream of an idle page replaces the cookie when it opens, and stays open', async () => {
    const browser = await signedIn()
    await useUntilDue(browser)
    const copy = copyOf(browser)
    const end = new AbortController()
    const stream = await browser.open('/api/trpc/session.changes', { signal: end.signal })
    expect(stream.headers.getSetCookie().join()).toContain('countersign.session=')
    expect(await turns(browser)).toBe(1)
    end.abort()
    await stream.text().catch(() => '')
    expect(sessionCookies(await copy.query('session.me'))).toEqual([])
  })

  test('a replacement keeps the __Host- prefix and the Secure attribute under https', async () => {
    const config = { ...platform.config, baseUrl: 'https://pay.example.com' }
    const browser = await signedIn({ ...platform, config })
    await useUntilDue(browser)
    const cookies = (await browser.query('session.me')).headers.getSetCookie()
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-countersign\.session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
  })

  test('one of parallel requests with a due cookie replaces it, and all of them are answered', async () => {
    const browser = await signedIn()
    await useUntilDue(browser)
    const requests = Array.from({ length: 8 }, () => copyOf(browser))
    const replies = await Promise.all(requests.map((request) => request.query('session.me')))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(replies.flatMap(sessionCookies)).toHaveLength(1)
    expect(await turns(browser)).toBe(1)
  })
})

describe('a replaced cookie', () => {
  /** Returns a browser whose cookie was just replaced, and one with a copy of the earlier cookie. */
  async function rotated(): Promise<{ browser: Browser; copy: Browser }> {
    await platform.db.query(sql`DELETE FROM passkeys`)
    const browser = await signedIn()
    const copy = copyOf(browser)
    await addPasskey(browser, newAuthenticator())
    return { browser, copy }
  }

  test('a replaced cookie serves requests under way and gets no newer cookie', async () => {
    const { browser, copy } = await rotated()
    fixture.clock.advance(SESSION_ROTATION_GRACE_SECONDS - 1)
    const [own, late] = await Promise.all([browser.query('session.me'), copy.query('session.me')])
    expect([own.status, late.status]).toEqual([200, 200])
    const change = await copy.mutate('security.require', { required: true })
    expect([change.status, sessionCookies(change)]).toEqual([200, []])
    expect(await read(browser)).toBe(200)
  })

  test('a replaced cookie that is used after the grace period ends the session', async () => {
    const { browser, copy } = await rotated()
    fixture.clock.advance(SESSION_ROTATION_GRACE_SECONDS)
    expect(await read(browser)).toBe(200)
    expect(await read(copy)).toBe(401)
    expect(await read(browser)).toBe(401)
  })

  test('the owner of a stolen session ends it by using the replaced cookie', async () => {
    const browser = await signedIn()
    await useUntilDue(browser)
    const thief = copyOf(browser)
    expect(sessionCookies(await thief.query('session.me'))).toHaveLength(1)
    fixture.clock.advance(SESSION_ROTATION_GRACE_SECONDS)
    expect([await read(browser), await read(thief)]).toEqual([401, 401])
  })

  test('a replaced cookie still signs out, and its session ends with the next sign-in of its browser', async () => {
    for (const leave of [(old: Browser) => old.signOut(), (old: Browser) => old.signInAsDemo()]) {
      const { browser, copy } = await rotated()
      fixture.clock.advance(600)
      expect((await leave(copy)).status).toBe(200)
      expect(await read(browser)).toBe(401)
    }
  })

  test('a cookie of two rotations ago is refused at once, and ends the session only after the grace period', async () => {
    const { browser, copy } = await rotated()
    await browser.mutate('security.require', { required: true })
    expect(await turns(browser)).toBe(2)
    expect([await read(copy), await read(browser)]).toEqual([401, 200])
    fixture.clock.advance(SESSION_ROTATION_GRACE_SECONDS)
    expect([await read(copy), await read(browser)]).toEqual([401, 401])
  })
})

describe('a change of how the person proves who they are', () => {
  test('a change of how the person proves who they are replaces the cookie, and a challenge from before is still accepted', async () => {
    const [browser, key] = [await signedIn(), newAuthenticator()]
    const added = await addPasskey(browser, key)
    expect([added.status, sessionCookies(added).length]).toEqual([200, 1])
    const passkey = dataOf<{ id: string }>(added).id
    const removal = { purpose: 'passkey.remove', subject: { passkey_id: passkey } }
    const proof = await prove(browser, removal, key)

    const turnedOn = await browser.mutate('security.require', { required: true })
    expect([turnedOn.status, sessionCookies(turnedOn).length]).toEqual([200, 1])
    const relaxing = { purpose: 'security.relax', subject: { passkey_required: false } }
    const off = { required: false, proof: await prove(browser, relaxing, key) }
    const turnedOff = await browser.mutate('security.require', off)
    expect([turnedOff.status, sessionCookies(turnedOff).length]).toEqual([200, 1])

    const removed = await browser.mutate('security.remove', { id: passkey, proof })
    expect([removed.status, sessionCookies(removed).length]).toEqual([200, 1])
    expect([await turns(browser), await read(browser)]).toEqual([4, 200])
  })

  test('a refused change of how the person proves who they are leaves the cookie as it is', async () => {
    const browser = await signedIn()
    const refused = await browser.mutate('security.require', { required: true })
    expect([refused.status, sessionCookies(refused)]).toEqual([409, []])
    expect(await turns(browser)).toBe(0)
  })

  test('a change of how the person proves who they are signs out no other tab of the browser', async () => {
    const browser = await signedIn()
    const [tab, end] = [copyOf(browser), new AbortController()]
    const stream = await tab.open('/api/trpc/session.changes', { signal: end.signal })
    const events = stream.body?.getReader()
    await browser.mutate('security.require', { required: false })
    await events?.read()
    expect(await read(tab)).toBe(200)
    end.abort()
    await events?.cancel().catch(() => undefined)
    expect(await read(browser)).toBe(200)
  })
})
