/** Decision B7: what keeps messages from the person is confirmed by them, and they learn of it by mail. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { readMessages } from '@/server/shared/notifications'
import { newPrincipal } from '../support/actors'
import { type App, startApp } from '../support/app'
import { Browser, dataOf, refusalOf } from '../support/browser'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** A person with a session that a mailed link has just opened. `age` makes it an hour old. */
async function newHome() {
  const { principalId, email } = await newPrincipal(app)
  const page = new Browser(app.platform)
  app.clock.advance({ seconds: 1 })
  await page.signInByMail(email)
  const age = () =>
    app.platform.db.query(
      sql`UPDATE portal_sessions SET created_at = created_at - interval '1 hour' WHERE principal_id = ${principalId}`,
    )
  const mails = async () => {
    const all = await readMessages(app.platform, 1_000)
    return all.flatMap(({ to, subject }) => (to === email && /your wallet/i.test(subject ?? '') ? [subject] : []))
  }
  const entries = () =>
    app.platform.db.query(
      sql`SELECT payload::jsonb - 'session' AS payload FROM audit_entries
        WHERE principal_id = ${principalId} AND event = 'oid4ac.security.changed' ORDER BY seq`,
    )
  return { page, age, mails, entries }
}

const night = (requests: boolean) => ({ from: '22:00', until: '07:00', requests })
const long = (requests: boolean) => ({ from: '20:00', until: '08:01', requests })

type Change = readonly [procedure: 'saveEvents' | 'saveSettings', input: object]

const relaxing: readonly (readonly [string, Change, Change | null])[] = [
  ['messages about payments are muted', ['saveEvents', { muted: ['payments:push'] }], null],
  ['messages about disputes are muted', ['saveEvents', { muted: ['near_limit:email', 'disputes:email'] }], null],
  ['quiet hours hold requests back', ['saveSettings', { quiet_hours: night(false) }], null],
  ['quiet hours cover more than twelve hours', ['saveSettings', { quiet_hours: long(true) }], null],
  [
    'quiet hours that let requests through hold them back',
    ['saveSettings', { quiet_hours: night(false) }],
    ['saveSettings', { quiet_hours: night(true) }],
  ],
  [
    'quiet hours that hold requests back move to another time of the day',
    ['saveSettings', { quiet_hours: { from: '07:00', until: '16:00', requests: false } }],
    ['saveSettings', { quiet_hours: night(false) }],
  ],
  [
    'quiet hours that hold requests back become longer',
    ['saveSettings', { quiet_hours: { ...night(false), until: '07:01' } }],
    ['saveSettings', { quiet_hours: night(false) }],
  ],
]

test.each(relaxing)(
  'B7 an old session is asked for a confirmation where %s',
  async (_case, [procedure, input], before) => {
    const { page, age } = await newHome()
    if (before !== null) expect((await page.mutate(`notifications.${before[0]}`, before[1])).status).toBe(200)
    const state = async () =>
      [await page.query('notifications.events'), await page.query('notifications.settings')].map(dataOf)
    const saved = await state()
    await age()
    const refused = await page.mutate(`notifications.${procedure}`, input)
    expect([refused.status, refusalOf(refused)]).toMatchObject([403, { error: 'step_up_required' }])
    expect(await state()).toEqual(saved)
  },
)

const allowed: readonly (readonly [string, Change])[] = [
  ['messages about limits are muted', ['saveEvents', { muted: ['near_limit:email'] }]],
  ['quiet hours of a night let requests through', ['saveSettings', { quiet_hours: night(true) }]],
  ['quiet hours end', ['saveSettings', { quiet_hours: null }]],
  ['another language is chosen', ['saveSettings', { language: 'de', summary_hour: 8 }]],
]

test.each(allowed)('B7 any session may save that %s', async (_case, [procedure, input]) => {
  const { page, age, mails } = await newHome()
  await age()
  expect((await page.mutate(`notifications.${procedure}`, input)).status).toBe(200)
  expect(await mails()).toEqual([])
})

test('B7 muting payments is mailed and recorded, and hearing of them again needs nothing', async () => {
  const { page, age, mails, entries } = await newHome()
  expect((await page.mutate('notifications.saveEvents', { muted: ['payments:email'] })).status).toBe(200)
  expect(await mails()).toEqual(['Your wallet sends you fewer messages'])
  await age()
  expect((await page.mutate('notifications.saveEvents', { muted: [] })).status).toBe(200)
  const change = { what: 'notifications', passkey_id: null, means: 'magic_link' }
  expect(await entries()).toEqual([
    { payload: { ...change, from: { muted: [] }, to: { muted: ['payments:email'] } } },
    { payload: { ...change, from: { muted: ['payments:email'] }, to: { muted: [] } } },
  ])
})

test('B7 quiet hours that hold requests back are mailed and recorded, and ending them needs nothing', async () => {
  const { page, age, mails, entries } = await newHome()
  expect((await page.mutate('notifications.saveSettings', { quiet_hours: night(false) })).status).toBe(200)
  expect(await mails()).toEqual(['The quiet hours of your wallet were changed'])
  await age()
  expect((await page.mutate('notifications.saveSettings', { quiet_hours: null })).status).toBe(200)
  const change = { what: 'notifications', passkey_id: null, means: 'magic_link' }
  expect(await entries()).toEqual([
    { payload: { ...change, from: { quiet_hours: null }, to: { quiet_hours: night(false) } } },
    { payload: { ...change, from: { quiet_hours: night(false) }, to: { quiet_hours: null } } },
  ])
})
