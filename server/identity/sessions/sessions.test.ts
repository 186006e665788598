import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Browser, dataOf, mailedToken, mailSignInLinks, newPortalPerson, refusalOf } from '@/test/support/browser'
import { type MoneyFixture, openMoneyFixture } from '@/test/support/money-fixture'
import type { Platform } from '../../base/core/platform'
import { safeNext } from '../../base/core/sign-in-input'
import { sql } from '../../base/core/sql'
import { installPlatform } from '../../base/platform/container'
import { readMessages } from '../../shared/notifications'
import { deviceLabel } from './device-label'
import { answerAuthRequest, findPortalSession } from './index'

const ADA = { id: 'ada', email: 'ada@demo.test' }

let fixture: MoneyFixture
let platform: Platform
beforeAll(async () => {
  fixture = await openMoneyFixture()
  platform = fixture.platform
  await newPortalPerson(platform, ADA)
})
beforeEach(() => installPlatform(platform))
afterAll(async () => {
  installPlatform(null)
  await fixture.close()
})

/** Asks for a link and reads it from the mail, which is a second younger than any other. */
async function askForToken(browser: Browser): Promise<string> {
  fixture.clock.advance(1)
  const reply = await browser.post('/api/auth/sign-in-link', { email: ADA.email })
  expect(reply.status).toBe(202)
  return mailedToken(platform, ADA.email)
}
/** Quotas run on real time, so every test gets a platform with quotas of its own. */
function unlimited(): Platform {
  return { ...platform, rateLimits: { take: () => Promise.resolve({ allowed: true, retryAfterSeconds: 0 }) } }
}
const who = async (browser: Browser, on = platform) => {
  const session = await findPortalSession(on, new Headers({ cookie: browser.cookieHeader() }))
  return session?.principalId ?? null
}

describe('a sign-in link', () => {
  test('a link signs in once and sets a session cookie', async () => {
    const browser = new Browser(unlimited())
    const token = await askForToken(browser)
    const reply = await browser.confirm(token)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('set-cookie')).toMatch(
      /countersign\.session=[^;]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax/,
    )
    expect(await who(browser)).toBe(ADA.id)
    const again = await new Browser(unlimited()).confirm(token)
    expect(again.status).toBe(401)
    expect(again.json).toMatchObject({ error: 'invalid_token' })
  })

  test('one of parallel uses of a link signs in', async () => {
    const asker = new Browser(unlimited())
    const token = await askForToken(asker)
    const browsers = Array.from({ length: 8 }, () => new Browser(unlimited()))
    for (const browser of browsers) for (const [name, value] of asker.cookies) browser.cookies.set(name, value)
    const replies = await Promise.all(browsers.map((browser) => browser.confirm(token)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 401, 401, 401, 401, 401, 401, 401,
    ])
    expect((await Promise.all(browsers.map((browser) => who(browser)))).filter((id) => id !== null)).toEqual([ADA.id])
  })

  test('HEAD, GET and a prefetching scanner do not use up a link', async () => {
    const browser = new Browser(unlimited())
    const token = await askForToken(browser)
    for (const method of ['HEAD', 'GET', 'OPTIONS']) {
      for (const path of ['callback/magic-link', 'signin/magic-link', 'callback/credentials']) {
        const reply = await browser.send(`/api/auth/${path}?token=${token}`, { method })
        expect([404, 405]).toContain(reply.status)
      }
    }
    expect((await browser.confirm(token)).status).toBe(200)
  })

  test('a link expires after fifteen minutes', async () => {
    const browser = new Browser(unlimited())
    const token = await askForToken(browser)
    fixture.clock.advance(15 * 60)
    expect((await browser.confirm(token)).status).toBe(401)
  })

  test('a link of a person who has been erased does not sign in', async () => {
    await newPortalPerson(platform, { id: 'gone', email: 'gone@demo.test' })
    const browser = new Browser(unlimited())
    await browser.post('/api/auth/sign-in-link', { email: 'gone@demo.test' })
    const token = await mailedToken(platform, 'gone@demo.test')
    await platform.db.query(sql`UPDATE principals SET erased = true WHERE id = 'gone'`)
    expect((await browser.confirm(token)).status).toBe(401)
  })

  test('only the hash of a token is stored', async () => {
    const token = await askForToken(new Browser(unlimited()))
    const rows = await platform.db.query(sql`SELECT * FROM sign_in_requests`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

test('G50 a sign-in post holds at most 64 KiB', async () => {
  const browser = new Browser(unlimited())
  const ofSize = (size: number) =>
    browser.post('/api/auth/callback/passkey', { pad: 'x'.repeat(size - JSON.stringify({ pad: '' }).length) })
  const taken = await ofSize(64 * 1024)
  expect([taken.status, taken.json['error']]).toEqual([400, 'invalid_request'])
  const refused = await ofSize(64 * 1024 + 1)
  expect([refused.status, refused.json['error']]).toEqual([413, 'body_too_large'])
})

describe('requesting a link', () => {
  test('an unknown address gets the same answer and no mail', async () => {
    const browser = new Browser(unlimited())
    const known = await browser.post('/api/auth/sign-in-link', { email: 'ADA@demo.test' })
    const unknown = await browser.post('/api/auth/sign-in-link', { email: 'nobody@demo.test' })
    const shown = { status: 'sent', code: expect.stringMatching(/^\d{6}$/) }
    for (const reply of [known, unknown]) expect([reply.status, reply.json]).toEqual([202, shown])
    await mailSignInLinks(platform)
    const recipients = (await readMessages(fixture.platform, 200)).map(({ to }) => to)
    expect(recipients).not.toContain('nobody@demo.test')
    expect(recipients).not.toContain('ADA@demo.test')
  })

  test('a person of another tenant is not reached', async () => {
    const { principalId } = await fixture.person({ card: null, email: 'foreign@demo.test' })
    await new Browser(unlimited()).post('/api/auth/sign-in-link', { email: 'foreign@demo.test' })
    await mailSignInLinks(platform)
    expect(await fixture.count('sign_in_requests', sql`principal_id = ${principalId}`)).toBe(0)
  })

  test('the sixth request for one address is refused with Retry-After, whether or not the address is known', async () => {
    const browser = new Browser(platform)
    for (const email of ['ada@demo.test', 'nobody@demo.test']) {
      const replies = []
      for (let turn = 0; turn < 6; turn += 1) replies.push(await browser.post('/api/auth/sign-in-link', { email }))
      expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202, 429])
      expect(Number(replies[5]?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(replies[5]?.json).toMatchObject({ error: 'rate_limited' })
    }
  })

  test('a request without a valid address is refused', async () => {
    for (const body of [{}, { email: 'ada' }, { email: 'a@b\r\nBcc: x@y' }, { email: ['ada@demo.test'] }]) {
      expect((await new Browser(unlimited()).post('/api/auth/sign-in-link', body)).status).toBe(400)
    }
  })
})

describe('a request that another site causes', () => {
  test('another site can neither sign in nor sign out', async () => {
    const browser = new Browser(unlimited())
    const csrfToken = await browser.csrfToken()
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': '', origin: 'https://evil.example' },
    ]) {
      for (const path of ['callback/demo', 'signout', 'sign-in-link']) {
        const reply = await browser.post(`/api/auth/${path}`, { csrfToken, email: ADA.email }, headers)
        expect([reply.status, reply.json['error']]).toEqual([403, 'forbidden'])
      }
    }
  })

  test('a request without the CSRF token of the cookie is refused', async () => {
    const browser = new Browser(unlimited())
    await browser.csrfToken()
    const reply = await browser.post('/api/auth/callback/demo', { csrfToken: 'guessed' })
    expect([reply.status, reply.json['error']]).toEqual([403, 'forbidden'])
    expect(await who(browser)).toBeNull()
  })

  test('a request with a form body is refused', async () => {
    const browser = new Browser(unlimited())
    const body = new URLSearchParams({ csrfToken: await browser.csrfToken() })
    const reply = await browser.send('/api/auth/callback/demo', { method: 'POST', body })
    expect(reply.status).toBe(415)
  })
})

describe('the demo sign-in', () => {
  test('the demo sign-in exists in the sandbox only', async () => {
    const browser = new Browser(unlimited())
    expect((await browser.signInAsDemo()).status).toBe(200)
    expect(await who(browser)).toBe(ADA.id)
    const live = new Browser({ ...unlimited(), config: { ...platform.config, sandbox: false } })
    const refused = await live.signInAsDemo()
    expect([refused.status, refused.json['error']]).toEqual([404, 'not_found'])
  })
})

describe('a session', () => {
  const signedIn = async () => {
    const browser = new Browser(unlimited())
    await browser.signInAsDemo()
    return browser
  }

  test('a signed-out session is over, also for a copy of its cookie', async () => {
    const browser = await signedIn()
    const kept = new Headers({ cookie: browser.cookieHeader() })
    expect((await browser.signOut()).status).toBe(200)
    expect(browser.cookieHeader()).not.toContain('session')
    expect(await findPortalSession(platform, kept)).toBeNull()
  })

  test('a cookie that another installation on this host has set is removed by signing out', async () => {
    const browser = new Browser(unlimited())
    browser.cookies.set('countersign.session', 'a.b.c.d.e')
    expect((await browser.signOut()).status).toBe(200)
    expect(browser.cookieHeader()).not.toContain('session')
  })

  test('a session ends with the next sign-in of the same browser', async () => {
    const browser = await signedIn()
    const first = new Headers({ cookie: browser.cookieHeader() })
    await browser.signInAsDemo()
    expect(await findPortalSession(platform, first)).toBeNull()
    expect(await who(browser)).toBe(ADA.id)
  })

  test('a session of a person who has been erased is over', async () => {
    await newPortalPerson(platform, { id: 'erased', email: 'erased@demo.test' })
    const browser = new Browser(unlimited())
    await browser.post('/api/auth/sign-in-link', { email: 'erased@demo.test' })
    expect((await browser.confirm(await mailedToken(platform, 'erased@demo.test'))).status).toBe(200)
    expect(await who(browser)).toBe('erased')
    await platform.db.query(sql`UPDATE principals SET erased = true WHERE id = 'erased'`)
    expect(await who(browser)).toBeNull()
  })

  test('a session is named by 192 random bits', async () => {
    for (let turn = 0; turn < 3; turn += 1) await signedIn()
    const rows = await platform.db.query<{ id: string }>(sql`SELECT id FROM portal_sessions`)
    const bytes = rows.map(({ id }) => Buffer.from(id, 'base64url'))
    expect(bytes.every(({ length }) => length === 24)).toBe(true)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })

  test('a session idles out after fifteen minutes, which a use postpones and a passive request does not', async () => {
    const browser = await signedIn()
    const headers = new Headers({ cookie: browser.cookieHeader() })
    fixture.clock.advance(14 * 60)
    expect(await who(browser)).toBe(ADA.id)
    fixture.clock.advance(14 * 60)
    expect(await findPortalSession(platform, headers, { passive: true })).not.toBeNull()
    fixture.clock.advance(2 * 60)
    expect(await who(browser)).toBeNull()
  })

  test('a session ends after twelve hours, however much it is used', async () => {
    const browser = await signedIn()
    for (let minutes = 0; minutes < 12 * 60; minutes += 10) {
      expect(await who(browser)).toBe(ADA.id)
      fixture.clock.advance(10 * 60)
    }
    expect(await who(browser)).toBeNull()
  })

  test('a use is recorded at most once a minute', async () => {
    const browser = await signedIn()
    const lastSeen = async () => {
      const rows = await platform.db.query<{ at: Date }>(sql`SELECT max(last_seen_at) AS at FROM portal_sessions`)
      return rows[0]?.at.getTime() ?? 0
    }
    const before = fixture.clock.now().getTime()
    fixture.clock.advance(59)
    await who(browser)
    expect(await lastSeen()).toBe(before)
    fixture.clock.advance(2)
    await who(browser)
    expect(await lastSeen()).toBe(before + 61_000)
  })

  test('a forged, foreign or broken cookie carries no session', async () => {
    for (const cookie of [
      'countersign.session=x',
      'countersign.session=%E0%A4%A',
      'countersign.session=a.b.c.d.e',
      '=;;=',
    ]) {
      expect(await findPortalSession(platform, new Headers({ cookie }))).toBeNull()
    }
    const browser = await signedIn()
    const elsewhere = { ...platform, sealer: { ...platform.sealer, deriveAll: () => [Buffer.alloc(32, 7)] } }
    expect(await who(browser, elsewhere)).toBeNull()
  })

  test('all cookies are __Host- and Secure under https', async () => {
    const config = { ...platform.config, baseUrl: 'https://pay.example.com' }
    const browser = new Browser({ ...unlimited(), config })
    const replies = [
      await browser.send('/api/auth/csrf'),
      await browser.post('/api/auth/sign-in-link', { email: ADA.email }),
      await browser.signInAsDemo(),
    ]
    const cookies = replies.flatMap(({ headers }) => headers.getSetCookie())
    const names = cookies.map((cookie) => cookie.split('=')[0])
    expect(new Set(names)).toEqual(
      new Set(['__Host-countersign.csrf', '__Host-countersign.sign-in', '__Host-countersign.session']),
    )
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-countersign\.[\w-]+=.*; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/)
    }
    expect(cookies.join()).not.toContain('Domain')
  })

  test('the Host header has no effect on a sign-in', async () => {
    const browser = new Browser(unlimited())
    const csrfToken = await browser.csrfToken()
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    const reply = await browser.post('/api/auth/callback/demo', { csrfToken }, headers)
    expect(reply.status).toBe(200)
    expect(reply.text + [...reply.headers].join()).not.toContain('evil.example')
  })
})

describe('other paths below /api/auth', () => {
  test('the pages and routes of the sign-in library are not reachable', async () => {
    for (const path of [
      'signin',
      'signout',
      'providers',
      'session',
      'error',
      'verify-request',
      '_log',
      '__proto__',
      'constructor',
    ]) {
      const reply = await answerAuthRequest(new Request(`${platform.config.baseUrl}/api/auth/${path}`))
      expect([404, 405]).toContain(reply.status)
    }
  })
})

describe('the path after signing in', () => {
  test('only a path of this portal is accepted', () => {
    expect(safeNext('/approve/abc?x=1')).toBe('/approve/abc?x=1')
    for (const next of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/sign-in',
      '/api/auth/csrf',
      '/a\nb',
      '',
      null,
    ]) {
      expect(safeNext(next)).toBe('/')
    }
  })
})

describe('the list of sessions', () => {
  const agents = {
    chrome: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    phone:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 Version/20.0 Mobile Safari/604.1',
  }
  const signedInWith = async (userAgent: string) => {
    const browser = new Browser(unlimited())
    const csrfToken = await browser.csrfToken()
    await browser.post('/api/auth/callback/demo', { csrfToken }, { 'user-agent': userAgent })
    return browser
  }
  const listed = async (browser: Browser) =>
    dataOf<readonly { id: string; device: unknown; this_one: boolean }[]>(await browser.query('security.sessions'))

  test("the list shows the person's live sessions, the caller's own first, and no session ids", async () => {
    const phone = await signedInWith(agents.phone)
    await phone.mutate('session.signOutEverywhere')
    fixture.clock.advance(1)
    const other = await signedInWith(agents.phone)
    const browser = await signedInWith(agents.chrome)
    const reply = await browser.query('security.sessions')
    expect(await listed(browser)).toMatchObject([
      { device: { browser: 'Chrome', system: 'Linux' }, method: 'demo', this_one: true },
      { device: { browser: 'Safari', system: 'iPhone' }, method: 'demo', this_one: false },
    ])
    const session = await findPortalSession(platform, new Headers({ cookie: other.cookieHeader() }))
    expect(reply.text).not.toContain(session?.id)
    await newPortalPerson(platform, { id: 'mallory', email: 'mallory@demo.test' })
    await platform.db.query(sql`UPDATE portal_sessions SET principal_id = 'mallory' WHERE id = ${session?.id ?? ''}`)
    expect(await listed(browser)).toHaveLength(1)
    const foreign = (await listed(other))[0]?.id
    for (const id of [foreign, 'f'.repeat(64)]) {
      const refused = await browser.mutate('security.endSession', { id })
      expect([refused.status, refusalOf(refused).message]).toEqual([404, 'There is no such session.'])
    }
    expect(await who(other)).toBe('mallory')
  })

  test('the person ends one session, or all but their own', async () => {
    const browser = await signedInWith(agents.chrome)
    const [one, two, three] = [await signedInWith(agents.phone), await signedInWith('curl'), await signedInWith('')]
    await browser.mutate('security.endOtherSessions')
    expect([await who(browser), await who(one), await who(two), await who(three)]).toEqual([ADA.id, null, null, null])
    const again = await signedInWith('curl')
    const ended = (await listed(browser)).find(({ this_one: own }) => !own)
    expect(ended?.device).toBeNull()
    expect((await browser.mutate('security.endSession', { id: ended?.id })).status).toBe(200)
    expect([await who(browser), await who(again)]).toEqual([ADA.id, null])
    expect((await browser.mutate('security.endSession', { id: ended?.id })).status).toBe(404)
  })
})

describe('the label of a device', () => {
  test.each([
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
      'Microsoft Edge on Windows',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on macOS'],
    [
      'Mozilla/5.0 (Linux; Android 17; Pixel 9) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (iPad; CPU OS 20_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/150.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPad',
    ],
    [
      'Mozilla/5.0 (X11; CrOS x86_64 15000.0.0) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36',
      'Chrome on Chrome OS',
    ],
    ['curl/8.9.1', null],
    ['Made up/1.0 (Windows NT 10.0) x', null],
    ['', null],
    [null, null],
  ])('the label of %s is %s', (userAgent, label) => {
    expect(deviceLabel(userAgent)).toBe(label)
  })
})
