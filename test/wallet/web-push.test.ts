/** Messages to browsers: who turns them on, what they say, and what becomes of them at a push service that misbehaves. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { jobHandlers } from '@/server/jobs'
import { readMessages } from '@/server/shared/notifications'
import { PUSH_DEVICES_MAX } from '@/server/shared/notifications/contract'
import { runDueJobs } from '@/server/shared/queue'
import { sweepExpired } from '@/server/sweep'
import { scanDatabase } from '../privacy/scan'
import { Agent, exchange, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, dataOf, refusalOf } from '../support/browser'
import { type PushBrowser, type PushService, type ReceivedPush, startPushService } from '../support/push-service'

const MINUTE_SECONDS = 60
const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

let app: App
let pushes: PushService
beforeAll(async () => {
  pushes = await startPushService()
  app = await startApp({ env: { OPERATOR_CONTACT: 'ops@example.com' } })
})
afterEach(async () => {
  pushes.faults.length = 0
  // What one test leaves waiting is none of the next one's business.
  await app.platform.db.query(sql`DELETE FROM jobs`)
})
afterAll(async () => {
  await app.close()
  await pushes.close()
})

interface Owner {
  readonly principalId: string
  readonly email: string
  readonly page: Browser
}

async function newOwner(): Promise<Owner> {
  const { principalId, email } = await newPrincipal(app, { approval_rule: 'every_purchase' })
  return { principalId, email, page: await signIn(email) }
}

async function signIn(email: string): Promise<Browser> {
  const page = new Browser(app.platform)
  app.clock.advance({ seconds: 1 })
  await page.signInByMail(email)
  return page
}

const add = (page: Browser, browser: object) => page.mutate('notifications.addDevice', browser)
const keep = async (page: Browser, browser: object) =>
  dataOf<{ id: string | null }>(await page.mutate('notifications.keepDevice', browser)).id

async function turnOn(page: Browser, browser: PushBrowser): Promise<string> {
  const answer = await add(page, browser)
  expect(answer.status, answer.text).toBe(200)
  return String(dataOf(answer)['id'])
}

interface Device {
  readonly id: string
  readonly last_ok_at: string | null
  readonly failing_since: string | null
}

interface View {
  readonly server_key: string
  readonly hides_details: boolean
  readonly devices: readonly Device[]
}

const view = async (page: Browser) => dataOf<View>(await page.query('notifications.devices'))
const runJobs = () => runDueJobs(app.platform, jobHandlers)
const arrived = (browser: PushBrowser): ReceivedPush[] =>
  pushes.received.filter(({ endpoint }) => endpoint === browser.endpoint)
const asked = (browser: PushBrowser) => pushes.requests.filter((endpoint) => endpoint === browser.endpoint).length

/** A purchase that waits for the person. Returns the id of its approval. */
async function askFor({ principalId }: Owner, merchant = 'https://shop.example/books'): Promise<string> {
  const agent = await Agent.register(app, principalId, { client_name: 'Your Bank' })
  const { form } = await agent.purchase({ merchant })
  expect((await agent.push(form)).status).toBe(201)
  const rows = await app.platform.db.query<{ id: string }>(
    sql`SELECT authorization_id AS id FROM consents WHERE principal_id = ${principalId} ORDER BY created_at DESC LIMIT 1`,
  )
  return String(rows[0]?.id)
}

const matchCodeOf = async (id: string): Promise<string> => {
  const [row] = await app.platform.db.query<{ match_code: string }>(
    sql`SELECT match_code FROM consents WHERE authorization_id = ${id}`,
  )
  return String(row?.match_code)
}

const jobStates = async () => {
  const rows = await app.platform.db.query<{ state: string }>(
    sql`SELECT j.state FROM jobs j JOIN messages m ON j.key = 'message:' || m.id WHERE m.channel = 'push' ORDER BY j.seq`,
  )
  return rows.map(({ state }) => state)
}

const securityActs = async ({ principalId }: Owner) => {
  const rows = await app.platform.db.query<{ payload: Record<string, unknown> }>(
    sql`SELECT payload::jsonb AS payload FROM audit_entries WHERE principal_id = ${principalId} AND event = 'oid4ac.security.changed' ORDER BY seq`,
  )
  return rows.map(({ payload }) => [payload['what'], payload['from'], payload['to'], payload['means']])
}

const mailsTo = async ({ email }: Owner) =>
  (await readMessages(app.platform, 1_000)).filter(({ to }) => to === email).map(({ subject }) => subject)

describe('a device', () => {
  test('B7 a new device is confirmed, recorded and told; the same one again changes nothing', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    app.clock.advance({ seconds: 16 * MINUTE_SECONDS })
    const stale = await signIn(owner.email)
    app.clock.advance({ seconds: 14 * MINUTE_SECONDS })
    await stale.query('session.me')
    app.clock.advance({ seconds: 2 * MINUTE_SECONDS })
    const refused = await add(stale, browser)
    expect([refused.status, refusalOf(refused)]).toMatchObject([403, { error: 'step_up_required' }])
    expect((await view(stale)).devices).toEqual([])
    expect(await securityActs(owner)).toEqual([])

    const page = await signIn(owner.email)
    const id = await turnOn(page, browser)
    expect(await turnOn(page, browser)).toBe(id)
    expect((await view(page)).devices).toMatchObject([{ id, last_ok_at: null, failing_since: null }])
    expect(await securityActs(owner)).toEqual([['device', 'off', 'on', 'magic_link']])
    expect(await mailsTo(owner)).toContain('Messages of your wallet were turned on in a browser')
    expect((await mailsTo(owner)).filter((subject) => subject?.includes('turned on'))).toHaveLength(1)
  })

  test('a person has at most ten devices, and one more fits once one is turned off', async () => {
    const owner = await newOwner()
    const ids: string[] = []
    for (let n = 0; n < PUSH_DEVICES_MAX; n += 1) ids.push(await turnOn(owner.page, pushes.subscribe()))
    const refused = await add(owner.page, pushes.subscribe())
    expect([refused.status, refusalOf(refused)]).toMatchObject([409, { error: 'conflict' }])
    expect((await view(owner.page)).devices).toHaveLength(PUSH_DEVICES_MAX)
    expect((await owner.page.mutate('notifications.removeDevice', { id: ids[0] })).status).toBe(200)
    await turnOn(owner.page, pushes.subscribe())
    expect((await securityActs(owner)).at(-2)).toEqual(['device', 'on', 'off', 'magic_link'])
  })

  test.each([
    ['http', { endpoint: 'http://fcm.googleapis.com/fcm/send/1' }],
    ['a private address', { endpoint: 'https://10.0.0.1/push' }],
    ['the address of cloud metadata', { endpoint: 'https://169.254.169.254/latest' }],
    ['a private address in disguise', { endpoint: 'https://[::ffff:10.0.0.1]/push' }],
    ['another host', { endpoint: 'https://push.evil.example/1' }],
    ['a host that only begins like one', { endpoint: 'https://fcm.googleapis.com.evil.example/1' }],
    ['a host that only ends like one', { endpoint: 'https://evilpush.apple.com.example/1' }],
    ['user information', { endpoint: 'https://fcm.googleapis.com@evil.example/1' }],
    ['no URL', { endpoint: 'push' }],
    ['a low port of this machine', { endpoint: 'http://127.0.0.1:22/' }],
    ['a key that is no point', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['a short key', { p256dh: 'BCVxsr7N_eNgVRqv' }],
    ['a short secret', { auth: 'BTBZMqHH6r4T' }],
    ['a key that is no base64url', { p256dh: '==' }],
  ])('a subscription with %s is refused with 400 and changes nothing', async (_what, wrong) => {
    const { page } = await newOwner()
    for (const procedure of ['addDevice', 'keepDevice']) {
      const refused = await page.mutate(`notifications.${procedure}`, { ...pushes.subscribe(), ...wrong })
      expect([refused.status, refusalOf(refused)]).toMatchObject([400, { code: 'BAD_REQUEST' }])
    }
    expect((await view(page)).devices).toEqual([])
  })

  test.each([
    ['too long an address', { endpoint: `https://fcm.googleapis.com/${'a'.repeat(2_048)}` }],
    ['another language', { language: 'fr' }],
    ['too long a key', { p256dh: 'A'.repeat(101) }],
    ['no key', { auth: undefined }],
  ])('a subscription with %s is refused with 400', async (_what, wrong) => {
    const { page } = await newOwner()
    expect((await add(page, { ...pushes.subscribe(), ...wrong })).status).toBe(400)
  })

  test('a known push service of a browser is taken', async () => {
    const { page } = await newOwner()
    for (const host of ['fcm.googleapis.com', 'updates.push.services.mozilla.com', 'web.push.apple.com']) {
      await turnOn(page, { ...pushes.subscribe(), endpoint: `https://${host}/send/${app.platform.random.uuid()}` })
    }
  })

  test('a device is stored sealed: neither its address nor its keys can be read in the database', async () => {
    const { page } = await newOwner()
    const browser = pushes.subscribe()
    await turnOn(page, browser)
    const rows = await app.platform.db.query<{ row: string }>(
      sql`SELECT to_jsonb(d)::text AS row FROM push_subscriptions d`,
    )
    const text = rows.map(({ row }) => row).join('\n')
    for (const secret of [browser.endpoint, browser.p256dh, browser.auth]) expect(text).not.toContain(secret)
  })
})

describe('a load of a page', () => {
  test('a load of a page renews what is known, under a new address too, and adds nothing', async () => {
    const owner = await newOwner()
    const [before, after, never] = [pushes.subscribe(), pushes.subscribe(), pushes.subscribe()]
    expect(await keep(owner.page, never)).toBeNull()
    const id = await turnOn(owner.page, before)
    const later = await signIn(owner.email)
    expect(await keep(later, before)).toBe(id)
    expect(await keep(later, { ...after, replaces: before.endpoint })).toBe(id)
    expect(await keep(later, before)).toBeNull()
    expect((await view(later)).devices.map((device) => device.id)).toEqual([id])
    await askFor(owner)
    await runJobs()
    expect([arrived(before), arrived(after), arrived(never)].map((list) => list.length)).toEqual([0, 1, 0])
    expect((await securityActs(owner)).length).toBe(1)
  })

  test.each([
    ['whose session ran out', 16 * MINUTE_SECONDS],
    ['who is still signed in', MINUTE_SECONDS],
  ])('a person %s signs in again in the same browser, and it goes on getting their messages', async (_who, seconds) => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    const id = await turnOn(owner.page, browser)
    app.clock.advance({ seconds })
    await owner.page.signInByMail(owner.email)
    await askFor(owner)
    await runJobs()
    expect(arrived(browser)).toHaveLength(1)
    expect(await keep(owner.page, browser)).toBe(id)
  })

  test('another person signs in in the same browser, and it gets no more messages of the first', async () => {
    const [ada, eve] = [await newOwner(), await newOwner()]
    const browser = pushes.subscribe()
    await turnOn(ada.page, browser)
    app.clock.advance({ seconds: 1 })
    await ada.page.signInByMail(eve.email)
    await askFor(ada)
    await runJobs()
    expect(arrived(browser)).toEqual([])
    expect(await keep(ada.page, browser)).toBeNull()
  })

  test('a browser that was signed out from elsewhere gets no messages when its person signs in there again', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    await turnOn(owner.page, browser)
    const elsewhere = await signIn(owner.email)
    const sessions = dataOf<readonly { id: string; this_one: boolean }[]>(await elsewhere.query('security.sessions'))
    const id = sessions.find((session) => !session.this_one)?.id
    expect((await elsewhere.mutate('security.endSession', { id })).status).toBe(200)
    app.clock.advance({ seconds: 1 })
    await owner.page.signInByMail(owner.email)
    await askFor(owner)
    await runJobs()
    expect(arrived(browser)).toEqual([])
  })

  test('a device moves to the person who uses the browser now, and shows nothing of the other any more', async () => {
    const [ada, eve] = [await newOwner(), await newOwner()]
    const browser = pushes.subscribe()
    await turnOn(ada.page, browser)
    await askFor(ada)
    // Ada's message was written, and Eve opens a page in the same browser before it is sent.
    expect(await keep(eve.page, browser)).toBeNull()
    await runJobs()
    expect(arrived(browser)).toEqual([])
    expect((await view(ada.page)).devices).toEqual([])

    await turnOn(ada.page, browser)
    await askFor(ada)
    await turnOn(eve.page, browser)
    await runJobs()
    expect(arrived(browser).filter(({ message }) => String(message['title']).includes('?'))).toEqual([])
    expect([(await view(ada.page)).devices.length, (await view(eve.page)).devices.length]).toEqual([0, 1])
    // Knowing the address of somebody else's device takes nothing over.
    expect(await keep(ada.page, { ...pushes.subscribe(), replaces: browser.endpoint })).toBeNull()
    expect((await view(eve.page)).devices).toHaveLength(1)
  })
})

describe('what arrives', () => {
  test('a request arrives with amount, shop and match code, and never with what the agent calls itself', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    await turnOn(owner.page, browser)
    const id = await askFor(owner)
    await runJobs()
    const [push] = arrived(browser)
    expect(push?.message).toEqual({
      title: '€12.00 to shop.example?',
      body: `Match code ${await matchCodeOf(id)}. Open to decide.`,
      url: `/approve/${id}`,
      tag: push?.headers['topic'],
      lang: 'en',
    })
    expect(JSON.stringify(push?.message)).not.toContain('Bank')
    expect(push?.headers).toMatchObject({
      urgency: 'high',
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      topic: expect.stringMatching(/^[\w-]{32}$/),
    })
    const ttl = Number(push?.headers['ttl'])
    expect(ttl).toBeGreaterThan(890)
    expect(ttl).toBeLessThanOrEqual(900)
    expect(push?.claims).toMatchObject({ aud: pushes.origin, sub: 'mailto:ops@example.com' })
    const livesSeconds = Number(push?.claims['exp']) - app.clock.now().getTime() / 1000
    expect(livesSeconds).toBeLessThanOrEqual(12 * HOUR_SECONDS)
    expect((await view(owner.page)).devices[0]?.last_ok_at).not.toBeNull()
  })

  test('every message has the same length, whatever it says', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    const id = await turnOn(owner.page, browser)
    await askFor(owner)
    await runJobs()
    await owner.page.mutate('notifications.testDevice', { id })
    const sizes = arrived(browser).map(({ bodyBytes }) => bodyBytes)
    expect(sizes).toHaveLength(2)
    expect(new Set(sizes)).toEqual(new Set([86 + 2_800 + 17]))
  })

  test('a device that speaks German is told in German, one beside it in English', async () => {
    const owner = await newOwner()
    const [german, english] = [pushes.subscribe('de'), pushes.subscribe('en')]
    await turnOn(owner.page, german)
    await turnOn(owner.page, english)
    await runJobs()
    const id = await askFor(owner)
    await runJobs()
    const code = await matchCodeOf(id)
    expect(arrived(german).at(-1)?.message).toMatchObject({
      title: '12,00\u00a0€ an shop.example?',
      body: `Vergleichscode ${code}. Zum Entscheiden öffnen.`,
      lang: 'de',
    })
    expect(arrived(english).at(-1)?.message).toMatchObject({ title: '€12.00 to shop.example?' })
  })

  test('amounts and shops are hidden for who wants that, from the next message on', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    await turnOn(owner.page, browser)
    expect((await owner.page.mutate('notifications.hideDetails', { hides: true })).status).toBe(200)
    expect((await view(owner.page)).hides_details).toBe(true)
    const id = await askFor(owner)
    await runJobs()
    expect(arrived(browser).at(-1)?.message).toMatchObject({ title: 'Something waits for you', url: `/approve/${id}` })
    const { title, body } = arrived(browser).at(-1)?.message ?? {}
    expect([title, body].join(' ')).not.toMatch(/12|shop|\d/)
    // What is not to be told at all is another choice, which stays.
    await owner.page.mutate('notifications.saveEvents', { muted: ['payments:push'] })
    expect((await view(owner.page)).hides_details).toBe(true)
  })

  test('the sandbox shows messages to devices in its outbox', async () => {
    const owner = await newOwner()
    await turnOn(owner.page, pushes.subscribe())
    const id = await askFor(owner)
    const { json } = await exchange<{ messages: { channel: string; links: string[]; subject?: string }[] }>(
      `${app.baseUrl}/sandbox/outbox`,
      { headers: { accept: 'application/json' } },
    )
    const link = `${app.baseUrl}/approve/${id}`
    expect(
      json.messages
        .filter(({ links }) => links.includes(link))
        .map(({ channel }) => channel)
        .toSorted(),
    ).toEqual(['email', 'push'])
  })
})

describe('a push service', () => {
  /** A device whose one message about a purchase meets the faults. */
  async function meet(...faults: PushService['faults']) {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    const id = await turnOn(owner.page, browser)
    await askFor(owner)
    pushes.faults.push(...faults)
    await runJobs()
    return { ...owner, browser, id }
  }

  test.each([404, 410])('a device that the push service answers %i for is removed', async (status) => {
    const { page, browser } = await meet(status)
    expect((await view(page)).devices).toEqual([])
    app.clock.advance({ seconds: MINUTE_SECONDS })
    await runJobs()
    expect([asked(browser), await jobStates()]).toEqual([1, ['done']])
  })

  test('a message that is too large is sent once more, shorter, and then given up', async () => {
    const { browser } = await meet(413)
    expect(arrived(browser).map(({ message }) => message['title'])).toEqual(['Something waits for you'])
    expect(arrived(browser)[0]?.bodyBytes).toBeLessThan(500)
    expect(await jobStates()).toEqual(['done'])
    const other = await meet(413, 413)
    expect([asked(other.browser), await jobStates()]).toEqual([2, ['done', 'dead']])
  })

  test.each([500, 503])('a message that is answered %i is sent again, until it is taken', async (status) => {
    const { page, browser } = await meet(status)
    expect(arrived(browser)).toEqual([])
    app.clock.advance({ seconds: 10 })
    await runJobs()
    expect([arrived(browser).length, await jobStates()]).toEqual([1, ['done']])
    expect((await view(page)).devices[0]).toMatchObject({ last_ok_at: expect.any(String), failing_since: null })
  })

  test('Retry-After is waited for', async () => {
    const { browser } = await meet({ status: 429, retryAfter: '120' })
    app.clock.advance({ seconds: 100 })
    await runJobs()
    expect(asked(browser)).toBe(1)
    app.clock.advance({ seconds: 30 })
    await runJobs()
    expect(arrived(browser)).toHaveLength(1)
  })

  test('a request that has ended is not told any more', async () => {
    const { browser } = await meet({ status: 429, retryAfter: '1200' })
    app.clock.advance({ seconds: 1_300 })
    await runJobs()
    expect([asked(browser), arrived(browser).length, await jobStates()]).toEqual([1, 0, ['done']])
  })

  test('a push service that hangs is left after five seconds, and asked again later', async () => {
    const { page, browser } = await meet('hang')
    expect((await view(page)).devices).toHaveLength(1)
    app.clock.advance({ seconds: 10 })
    await runJobs()
    expect(arrived(browser)).toHaveLength(1)
  })

  test('a push service that leads elsewhere is not followed', async () => {
    const { browser } = await meet('redirect')
    expect(pushes.requests.filter((endpoint) => endpoint.endsWith('/elsewhere'))).toEqual([])
    expect([asked(browser), await jobStates()]).toEqual([1, ['dead']])
  })

  test('what a push service says stands nowhere', async () => {
    await meet(403)
    const [row] = await app.platform.db.query<{ last_error: string }>(
      sql`SELECT last_error FROM jobs WHERE state = 'dead'`,
    )
    expect(row?.last_error).toBe('PushRefused HTTP_403')
  })

  test('a device that has taken nothing for a day is named, until it takes something', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    const id = await turnOn(owner.page, browser)
    pushes.faults.push(500)
    const failed = await owner.page.mutate('notifications.testDevice', { id })
    expect(dataOf(failed)).toMatchObject({ outcome: 'failed' })
    expect((await view(owner.page)).devices[0]?.failing_since).toBeNull()
    app.clock.advance({ seconds: DAY_SECONDS })
    const page = await signIn(owner.email)
    expect((await view(page)).devices[0]?.failing_since).toEqual(expect.stringMatching(/Z$/))
    expect(dataOf(await page.mutate('notifications.testDevice', { id }))).toMatchObject({ outcome: 'accepted' })
    expect((await view(page)).devices[0]).toMatchObject({ failing_since: null, last_ok_at: expect.any(String) })
  })
})

describe('a test message to a device', () => {
  test('a test message says at once what became of it, and a device that is gone is removed', async () => {
    const { page } = await newOwner()
    const browser = pushes.subscribe('de')
    const id = await turnOn(page, browser)
    const answer = dataOf(await page.mutate('notifications.testDevice', { id }))
    expect(answer).toEqual({ outcome: 'accepted', at: expect.stringMatching(/Z$/) })
    expect(arrived(browser).at(-1)?.message).toMatchObject({ title: 'Testnachricht' })
    pushes.faults.push(410)
    expect(dataOf(await page.mutate('notifications.testDevice', { id }))).toMatchObject({ outcome: 'gone' })
    expect((await page.mutate('notifications.testDevice', { id })).status).toBe(404)
  })

  test('ten test messages in ten minutes are enough', async () => {
    const { page } = await newOwner()
    const id = await turnOn(page, pushes.subscribe())
    for (let n = 0; n < 10; n += 1) expect((await page.mutate('notifications.testDevice', { id })).status).toBe(200)
    expect(refusalOf(await page.mutate('notifications.testDevice', { id }))).toMatchObject({ error: 'rate_limited' })
  })

  test('a device is named among what the person is told by', async () => {
    const { page } = await newOwner()
    await turnOn(page, pushes.subscribe())
    expect(dataOf(await page.query('notifications.contacts'))).toMatchObject({ told_by: ['email', 'push'] })
  })

  test('a device shows messages in the language that its person chose, and before that in that of its pages', async () => {
    const { page } = await newOwner()
    const browser = pushes.subscribe()
    const id = await turnOn(page, browser)
    await page.mutate('notifications.saveSettings', { language: 'de' })
    expect((await page.mutate('notifications.testDevice', { id })).status).toBe(200)
    expect(arrived(browser).at(-1)?.message).toMatchObject({ title: 'Testnachricht', lang: 'de' })
  })
})

describe('the end of a device', () => {
  test('a device that signed out gets nothing more, also what was written before', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    await turnOn(owner.page, browser)
    await askFor(owner)
    await owner.page.signOut()
    await runJobs()
    const page = await signIn(owner.email)
    expect([asked(browser), (await view(page)).devices.length]).toEqual([0, 0])
    await sweepExpired(app.platform)
    expect(await keep(page, browser)).toBeNull()
  })

  test('who signs out everywhere, or everywhere else, ends the devices there, however old their sessions are', async () => {
    const owner = await newOwner()
    const [old, here] = [pushes.subscribe(), pushes.subscribe()]
    await turnOn(owner.page, old)
    app.clock.advance({ seconds: 60 * DAY_SECONDS })
    await sweepExpired(app.platform)
    const page = await signIn(owner.email)
    const id = await turnOn(page, here)
    expect((await view(page)).devices).toHaveLength(2)
    await page.mutate('security.endOtherSessions')
    expect((await view(page)).devices.map((device) => device.id)).toEqual([id])
    await askFor(owner)
    await page.mutate('session.signOutEverywhere')
    await runJobs()
    expect([arrived(old), arrived(here)]).toEqual([[], []])
  })

  test('a session that only ran out takes no device away', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    await turnOn(owner.page, browser)
    app.clock.advance({ seconds: 2 * HOUR_SECONDS })
    expect((await owner.page.query('session.me')).status).toBe(401)
    await askFor(owner)
    await runJobs()
    expect(arrived(browser)).toHaveLength(1)
  })

  test('erasure leaves nothing of a device, and nothing is sent any more', async () => {
    const owner = await newOwner()
    const browser = pushes.subscribe()
    await turnOn(owner.page, browser)
    await askFor(owner)
    const person = await Person.signIn(app, owner.principalId, 'wallet:read wallet:write privacy:dsar')
    expect((await person.call('POST', '/privacy/dsar/erasure')).status).toBe(200)
    await runJobs()
    expect(asked(browser)).toBe(0)
    expect(await scanDatabase(app.platform, [browser.endpoint, browser.p256dh, browser.auth])).toEqual([])
  })
})

test('the access dump names the devices, without addresses and keys', async () => {
  const owner = await newOwner()
  const browser = pushes.subscribe()
  await turnOn(owner.page, browser)
  const person = await Person.signIn(app, owner.principalId, 'wallet:read wallet:write privacy:dsar')
  expect((await person.call('POST', '/privacy/dsar/access')).status).toBe(200)
  await runJobs()
  const found = (await readMessages(app.platform, 1_000)).find(
    ({ to, data }) => to === owner.email && data?.['dump'] !== undefined,
  )
  const dump = (found?.data?.['dump'] ?? {}) as Record<string, unknown>
  expect(dump['push_subscriptions']).toEqual([
    { device: null, language: 'en', created_at: expect.any(String), last_ok_at: null, failing_since: null },
  ])
  for (const secret of [browser.endpoint, browser.p256dh, browser.auth])
    expect(JSON.stringify(dump)).not.toContain(secret)
})

test('the key for push services is one for good, and a point that browsers take', async () => {
  const { page } = await newOwner()
  const { server_key: key } = await view(page)
  expect((await view(page)).server_key).toBe(key)
  const point = Buffer.from(key, 'base64url')
  expect([point.length, point[0]]).toEqual([65, 4])
  const rows = await app.platform.db.query(sql`SELECT id FROM push_key`)
  expect(rows).toEqual([{ id: 'own' }])
})
