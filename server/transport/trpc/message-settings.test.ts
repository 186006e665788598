import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Browser, dataOf, insertConsent } from '@/test/support/browser'
import type { Person } from '@/test/support/money-fixture'
import { openPortalFixture, type PortalFixture } from '@/test/support/portal-fixture'
import { sql } from '../../base/core/sql'
import { jobHandlers } from '../../jobs'
import { notify, readMessages } from '../../shared/notifications'
import { runDueJobs } from '../../shared/queue'
import { mailDailySummaries } from '../../surfaces/portal'

const EMAIL = 'ada@demo.test'
const ZONE = 'Europe/Vienna'
const HOUR_MILLISECONDS = 3_600_000
/** The subject of the mail about hours that hold requests back. */
const HOURS_CHANGED = 'The quiet hours of your wallet were changed'

let fixture: PortalFixture
let ada: Person
let page: Browser
beforeAll(async () => {
  fixture = await openPortalFixture()
  ada = fixture.ada
})
beforeEach(async () => {
  const { db } = fixture.platform
  await db.query(sql`DELETE FROM messages`)
  await db.query(sql`DELETE FROM jobs WHERE kind = 'deliver_message'`)
  await db.query(sql`DELETE FROM message_settings`)
  await db.query(sql`INSERT INTO wallet_limits (principal_id, time_zone, updated_at)
    VALUES (${ada.principalId}, ${ZONE}, ${fixture.clock.now()})
    ON CONFLICT (principal_id) DO UPDATE SET time_zone = excluded.time_zone`)
  page = await fixture.openPage()
})
afterAll(() => fixture.close())

const save = (settings: object) => page.mutate('notifications.saveSettings', settings)

/** Returns quiet hours that began an hour ago and end in two, in local time of the zone. */
function nearHours(requests: boolean) {
  const time = (hours: number) =>
    new Date(fixture.clock.now().getTime() + hours * HOUR_MILLISECONDS).toLocaleTimeString('en-GB', {
      timeZone: ZONE,
      hour: '2-digit',
      minute: '2-digit',
    })
  return { from: time(-1), until: time(2), requests }
}

function pay() {
  return fixture.mandate(ada, { amountMinor: 1_250 }).then((mandate) => fixture.settle(mandate))
}

/** Returns the subjects of the messages that the person has got so far. */
async function arrived(): Promise<string[]> {
  await runDueJobs(fixture.platform, jobHandlers)
  const all = await readMessages(fixture.platform, 100)
  return all.filter(({ to }) => to === EMAIL).map(({ subject }) => subject ?? '')
}

const advance = (seconds: number) => fixture.clock.advance(seconds)

async function tell(eventKey: string, kind: { isRequest?: boolean; isSecurity?: boolean }): Promise<void> {
  const { platform, clock } = fixture
  const notification = { eventKey, principalId: ada.principalId, email: EMAIL, links: [], ...kind }
  const compose = () => ({ subject: eventKey, text: eventKey })
  await platform.db.transaction((tx) => notify(tx, { platform, now: clock.now() }, { ...notification, compose }))
}

describe('quiet hours', () => {
  test('hold back what only informs until they end, and let requests and security through', async () => {
    expect((await save({ quiet_hours: nearHours(true) })).status).toBe(200)
    await pay()
    await tell('consent:asked', { isRequest: true })
    await tell('security:changed', { isSecurity: true })
    expect((await arrived()).toSorted()).toEqual(['consent:asked', 'security:changed'])
    advance(2 * 3_600 + 60)
    expect(await arrived()).toHaveLength(3)
    expect(await arrived()).toContainEqual(expect.stringMatching(/^You paid/))
  })

  test('hold back requests where they shall not come through, and what has ended meanwhile is not sent', async () => {
    await save({ quiet_hours: nearHours(false) })
    const [waits, decided] = [await insertConsent(fixture.platform, ada), await insertConsent(fixture.platform, ada)]
    for (const id of [waits, decided]) await tell(`consent:${id}`, { isRequest: true })
    await tell('security:changed', { isSecurity: true })
    expect((await arrived()).toSorted()).toEqual([HOURS_CHANGED, 'security:changed'])
    const { db, clock } = fixture.platform
    const tomorrow = new Date(clock.now().getTime() + 24 * HOUR_MILLISECONDS)
    await db.query(sql`UPDATE consents SET expires_at = ${tomorrow} WHERE authorization_id = ${waits}`)
    await db.query(sql`UPDATE consents SET status = 'declined', decided_at = ${clock.now()}, decided_via = 'portal'
      WHERE authorization_id = ${decided}`)
    advance(2 * 3_600 + 60)
    expect((await arrived()).toSorted()).toEqual([HOURS_CHANGED, `consent:${waits}`, 'security:changed'].toSorted())
    expect(await db.query(sql`SELECT 1 FROM messages WHERE event_key = ${`consent:${decided}`}`)).toEqual([])
  })

  test('that are turned off let go at once what they held back', async () => {
    await save({ quiet_hours: nearHours(true) })
    await pay()
    expect(await arrived()).toEqual([])
    await save({ quiet_hours: null })
    expect(await arrived()).toEqual([expect.stringMatching(/^You paid/)])
  })

  test('leave what is not given as it is', async () => {
    await save({ language: 'de', summary_hour: 18 })
    const hours = { from: '22:00', until: '06:30', requests: false }
    expect(dataOf(await save({ quiet_hours: hours }))).toEqual({
      language: 'de',
      quiet_hours: hours,
      summary_hour: 18,
      time_zone: ZONE,
    })
    expect(dataOf(await page.query('notifications.settings'))).toMatchObject({ language: 'de', quiet_hours: hours })
  })

  test.each([
    [{ quiet_hours: { from: '22:00', until: '22:00', requests: true } }],
    [{ quiet_hours: { from: '24:00', until: '06:00', requests: true } }],
    [{ quiet_hours: { from: '9:00', until: '10:00', requests: true } }],
    [{ summary_hour: 24 }],
    [{ summary_hour: 1.5 }],
    [{ language: 'fr' }],
    [{ more: true }],
  ])('are refused where they make no sense: %j', async (settings) => {
    expect((await save(settings)).status).toBe(400)
  })
})

test('messages are in English until the person chooses another language', async () => {
  await pay()
  await save({ language: 'de' })
  await pay()
  expect((await arrived()).toSorted()).toEqual([
    expect.stringMatching(/^Sie haben 12,50 EUR an .* gezahlt$/),
    expect.stringMatching(/^You paid 12\.50 EUR to /),
  ])
})

describe('the daily summary', () => {
  const summaries = async () => {
    const { signal } = new AbortController()
    await Promise.all([1, 2, 3].map(() => mailDailySummaries(fixture.platform, signal)))
    await runDueJobs(fixture.platform, jobHandlers)
    const all = await readMessages(fixture.platform, 100)
    return all.filter(({ subject }) => subject?.startsWith('Your day: '))
  }

  test('tells once of what was paid, asked and declined, and not of a day on which nothing was', async () => {
    // Moves on, so that the payments of the tests above are not in the summary.
    advance(48 * 3_600)
    page = await fixture.openPage()
    await save({ summary_hour: 18 })
    expect(await summaries()).toEqual([])
    await pay()
    const id = await insertConsent(fixture.platform, ada)
    await fixture.platform.db.query(sql`UPDATE consents SET status = 'declined', decided_at = ${fixture.clock.now()},
      decided_via = 'portal' WHERE authorization_id = ${id}`)
    advance(24 * 3_600)
    const [summary, ...more] = await summaries()
    expect(more).toEqual([])
    expect(summary?.text).toMatch(/Paid: 1 payment, 12\.50 EUR\n/)
    expect(summary?.text).toMatch(/\nDeclined: 1 request, \d+\.\d\d EUR\n/)
    expect(summary?.links.map((link) => new URL(link).pathname)).toEqual([
      '/payments',
      '/approvals',
      '/settings/notifications',
    ])
    for (let day = 0; day < 3; day += 1) {
      advance(24 * 3_600)
      expect(await summaries()).toHaveLength(1)
    }
  })

  test('that is turned off is mailed no more', async () => {
    await save({ summary_hour: 18 })
    await pay()
    await save({ summary_hour: null })
    advance(24 * 3_600)
    expect(await summaries()).toEqual([])
  })
})
