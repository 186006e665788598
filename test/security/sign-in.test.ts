/** Decisions D26 and G55: mailed links belong to the browser that asked, and no answer shows who has an account. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Platform, Queryable } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'
import { createRateLimits } from '@/server/base/platform/rate-limits'
import { findPortalSession } from '@/server/identity/sessions'
import { readMessages } from '@/server/shared/notifications'
import { JOBS_TOPIC } from '@/server/shared/queue'
import { Browser, mailedToken, mailSignInLinks, newPortalPerson } from '../support/browser'
import { type MoneyFixture, openMoneyFixture } from '../support/money-fixture'

const ADA = { id: 'ada', email: 'ada@demo.test' }
const MALLORY = { id: 'mallory', email: 'mallory@evil.example' }

let fixture: MoneyFixture
let platform: Platform
beforeAll(async () => {
  fixture = await openMoneyFixture()
  await newPortalPerson(fixture.platform, ADA)
  await newPortalPerson(fixture.platform, MALLORY)
})
beforeEach(() => {
  platform = { ...fixture.platform, rateLimits: createRateLimits({}) }
})
afterAll(() => fixture.close())

/** Asks for a link in this browser. Returns the token in the mail and the code on the page. */
async function askFor(browser: Browser, email = ADA.email) {
  fixture.clock.advance(1)
  const reply = await browser.post('/api/auth/sign-in-link', { email })
  expect(reply.status).toBe(202)
  return { token: await mailedToken(platform, email), code: String(reply.json['code']) }
}

const who = async (browser: Browser) =>
  (await findPortalSession(platform, new Headers({ cookie: browser.cookieHeader() })))?.principalId ?? null

/** Another code than this one, of the same form. */
const wrong = (code: string) => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10))

const outcome = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json['error']]

describe('a sign-in link', () => {
  test('D26 signs in with one press in the browser that asked for it', async () => {
    const browser = new Browser(platform)
    const { token } = await askFor(browser)
    expect((await browser.post('/api/auth/read-sign-in-link', { token })).json).toEqual({
      email: 'a•••@demo.test',
      asks_code: false,
    })
    expect((await browser.confirm(token)).status).toBe(200)
    expect(await who(browser)).toBe(ADA.id)
  })

  test('D26 asks for the code in another browser, and names the wallet before anything is done', async () => {
    const asker = new Browser(platform)
    const { token, code } = await askFor(asker)
    expect(code).toMatch(/^\d{6}$/)
    const other = new Browser(platform)
    const read = await other.post('/api/auth/read-sign-in-link', { token })
    expect([read.status, read.json]).toEqual([200, { email: 'a•••@demo.test', asks_code: true }])
    expect(outcome(await other.confirm(token))).toEqual([401, 'invalid_token'])
    expect(await who(other)).toBeNull()
    expect((await other.confirm(token, code)).status).toBe(200)
    expect([await who(other), await who(asker)]).toEqual([ADA.id, null])
  })

  test('D26 that a thief asked for signs in neither the thief nor the person who presses it', async () => {
    const thief = new Browser(platform)
    const { token } = await askFor(thief)
    const person = new Browser(platform)
    expect(outcome(await person.confirm(token))).toEqual([401, 'invalid_token'])
    expect([await who(thief), await who(person)]).toEqual([null, null])
  })

  test("D26 to a thief's wallet does not sign in the person who presses it, and says whose it is", async () => {
    const { token } = await askFor(new Browser(platform), MALLORY.email)
    const person = new Browser(platform)
    // A link that the person asked for themselves does not open the way for another one.
    const own = await askFor(person)
    const read = await person.post('/api/auth/read-sign-in-link', { token })
    expect(read.json).toEqual({ email: 'm•••@evil.example', asks_code: true })
    for (const code of [undefined, own.code]) {
      expect(outcome(await person.confirm(token, code))).toEqual([401, 'invalid_token'])
    }
    expect(await who(person)).toBeNull()
  })

  test('D26 takes the code with blanks, as a person may type it', async () => {
    const { token, code } = await askFor(new Browser(platform))
    const other = new Browser(platform)
    expect((await other.confirm(token, ` ${code.slice(0, 3)} ${code.slice(3)} `)).status).toBe(200)
  })

  test('D26 takes the right code at the fifth try, and ends after five wrong ones', async () => {
    const first = await askFor(new Browser(platform))
    const guesser = new Browser(platform)
    for (let turn = 0; turn < 4; turn += 1) {
      expect(outcome(await guesser.confirm(first.token, wrong(first.code)))).toEqual([401, 'invalid_token'])
    }
    expect((await guesser.confirm(first.token, first.code)).status).toBe(200)

    const asker = new Browser(platform)
    const second = await askFor(asker)
    for (let turn = 0; turn < 5; turn += 1) await guesser.confirm(second.token, wrong(second.code))
    const other = new Browser(platform)
    for (const reply of [await other.confirm(second.token, second.code), await asker.confirm(second.token)]) {
      expect(outcome(reply)).toEqual([401, 'invalid_token'])
    }
    expect(outcome(await asker.post('/api/auth/read-sign-in-link', second))).toEqual([401, 'invalid_token'])
    expect([await who(other), await who(asker)]).toEqual([null, null])
  })

  test('D26 counts parallel tries one by one', async () => {
    const { token, code } = await askFor(new Browser(platform))
    const guesses = Array.from({ length: 12 }, () => new Browser(platform).confirm(token, wrong(code)))
    expect(new Set((await Promise.all(guesses)).map(({ status }) => status))).toEqual(new Set([401]))
    const rows = await platform.db.query<{ tries: number }>(
      sql`SELECT tries FROM sign_in_requests ORDER BY created_at DESC, id LIMIT 1`,
    )
    expect(rows).toEqual([{ tries: 5 }])
    expect((await new Browser(platform).confirm(token, code)).status).toBe(401)
  })

  test('D26 answers a wrong code, no code, an unknown link and a used one alike', async () => {
    const asker = new Browser(platform)
    const { token, code } = await askFor(asker)
    const other = new Browser(platform)
    const refusals = [
      await other.confirm(token),
      await other.confirm(token, wrong(code)),
      await other.confirm(token, 'x'.repeat(64)),
      await other.confirm('A'.repeat(43), code),
      await other.confirm('short', code),
    ]
    await asker.confirm(token)
    refusals.push(await other.confirm(token, code))
    expect(new Set(refusals.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  })

  test('D26 is not taken by a browser that invents a cookie', async () => {
    const { token } = await askFor(new Browser(platform))
    for (const secret of ['A'.repeat(43), '', 'x', '%E0%A4%A']) {
      const other = new Browser(platform)
      other.cookies.set('countersign.sign-in', secret)
      expect(outcome(await other.confirm(token))).toEqual([401, 'invalid_token'])
    }
  })

  test('D26 keeps code, token and address out of the database and the queue', async () => {
    const { token, code } = await askFor(new Browser(platform))
    await new Browser(platform).post('/api/auth/sign-in-link', { email: 'unsent@demo.test' })
    const rows = await platform.db.query(sql`SELECT * FROM sign_in_requests`)
    const jobs = await platform.db.query(sql`SELECT * FROM jobs`)
    const stored = JSON.stringify([rows, jobs])
    for (const secret of [token, ADA.email, 'unsent@demo.test']) expect(stored).not.toContain(secret)
    // By itself: the same six digits may stand within an id.
    expect(stored).not.toMatch(new RegExp(String.raw`\b${code}\b`))
  })
})

/** The same platform, which writes down the text of each statement that runs in it. */
function recording(on: Platform): { readonly platform: Platform; readonly statements: string[] } {
  const statements: string[] = []
  const watch = <Q extends Queryable>(queryable: Q): Q => ({
    ...queryable,
    query: (statement) => {
      statements.push(statement.text)
      return queryable.query(statement)
    },
  })
  const db = {
    ...watch(on.db),
    transaction: <T>(work: Parameters<typeof on.db.transaction<T>>[0]) =>
      on.db.transaction((tx) => {
        statements.push('begin')
        return work(watch(tx))
      }),
  }
  return { platform: { ...on, db }, statements }
}

describe('asking for a sign-in link', () => {
  const jobsOf = () =>
    platform.db.query<{ kind: string; size: number }>(
      sql`SELECT kind, length(payload) AS size FROM jobs WHERE state = 'queued' ORDER BY seq`,
    )

  test('G55 does the same for a known and an unknown address, and leaves the rest to one job', async () => {
    await mailSignInLinks(platform)
    const done: { statements: string[]; jobs: { kind: string; size: number }[]; reply: unknown }[] = []
    for (const email of [ADA.email, 'nobody-here@demo.test']) {
      const before = await jobsOf()
      const { platform: recorded, statements } = recording(platform)
      const reply = await new Browser(recorded).post('/api/auth/sign-in-link', { email })
      const names = [...reply.headers.keys()].toSorted((a, b) => a.localeCompare(b))
      const jobs = (await jobsOf()).slice(before.length)
      done.push({ statements, jobs, reply: [reply.status, Object.keys(reply.json), reply.text.length, names] })
    }
    const [known, unknown] = done
    expect(known?.statements).toEqual(expect.arrayContaining(['begin', expect.stringContaining('sign_in_requests')]))
    expect(known?.statements.join()).not.toContain('principals')
    expect(known?.jobs.map(({ kind }) => kind)).toEqual(['mail_sign_in_link'])
    expect(unknown).toEqual(known)
  })

  test('G55 has the mail written at once by a job, and forgets an unknown address', async () => {
    const publish = vi.fn<(topic: string) => Promise<void>>(() => Promise.resolve())
    fixture.clock.advance(1)
    for (const email of ['ADA@demo.test', 'nobody@demo.test']) {
      await new Browser({ ...platform, cache: { ...platform.cache, publish } }).post('/api/auth/sign-in-link', {
        email,
      })
    }
    await vi.waitFor(() => expect(publish.mock.calls).toEqual([[JOBS_TOPIC], [JOBS_TOPIC]]))
    const [newest] = await readMessages(platform, 1)
    expect(newest?.createdAt).not.toEqual(platform.clock.now())
    await mailSignInLinks(platform)
    const [mailed] = await readMessages(platform, 1)
    expect([mailed?.to, mailed?.createdAt]).toEqual([ADA.email, platform.clock.now()])
    expect(await fixture.count('sign_in_requests', sql`sealed_email IS NOT NULL`)).toBe(0)
  })

  test('G55 mails one link when the job is done twice', async () => {
    fixture.clock.advance(1)
    await new Browser(platform).post('/api/auth/sign-in-link', { email: ADA.email })
    await mailSignInLinks(platform)
    const mails = async () => (await readMessages(platform, 200)).filter(({ to }) => to === ADA.email).length
    const before = await mails()
    await platform.db.query(sql`UPDATE jobs SET state = 'queued', finished_at = NULL WHERE kind = 'mail_sign_in_link'`)
    expect(await mailSignInLinks(platform)).toBeGreaterThan(0)
    expect(await mails()).toBe(before)
  })

  test('G55 is refused after five times, whether or not the address is known', async () => {
    const statusesOf = async (email: string) => {
      const browser = new Browser(platform)
      const replies = []
      for (let turn = 0; turn < 6; turn += 1) replies.push(await browser.post('/api/auth/sign-in-link', { email }))
      return replies.map(({ status, json }) => [status, json['error']])
    }
    expect(await statusesOf('nobody@demo.test')).toEqual(await statusesOf(ADA.email))
  })
})
