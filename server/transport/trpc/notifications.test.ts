import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Browser, dataOf, refusalOf } from '@/test/support/browser'
import { useChannels } from '@/test/support/channels-in-use'
import type { Person } from '@/test/support/money-fixture'
import { openPortalFixture, type PortalFixture } from '@/test/support/portal-fixture'
import { applyDispute } from '../../money/payments'
import { type Preferences, readMessages } from '../../shared/notifications'

const PHONE = '+353861112223'
const EMAIL = 'ada@demo.test'

let fixture: PortalFixture
let ada: Person
let page: Browser
beforeAll(async () => {
  fixture = await openPortalFixture()
  ada = fixture.ada
  page = await fixture.openPage()
})
beforeEach(async () => {
  await choose({ email_enabled: true, rcs_enabled: true, rcs_phone_e164: PHONE })
  await mute([])
})
afterAll(() => fixture.close())

const choose = (choice: Partial<Preferences>) => useChannels(fixture.platform, ada.principalId, choice)
const mute = (muted: readonly string[]) => page.mutate('notifications.saveEvents', { muted })

/** Returns the messages that are written during `work`, as channel and subject or text. */
async function toldWhile(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Set((await readMessages(fixture.platform, 1_000)).map(({ id }) => id))
  await work()
  const all = await readMessages(fixture.platform, 1_000)
  return all
    .filter(({ id, to }) => !before.has(id) && (to === EMAIL || to === PHONE))
    .map(({ channel, text }) => `${channel}: ${text.split(/[.\n]/, 1)[0]?.slice(0, 24) ?? ''}`)
    .toSorted()
}

async function pay(): Promise<string> {
  const answer = await fixture.settle(await fixture.mandate(ada, { amountMinor: 1_250 }))
  const { payment_intent_id: id } = JSON.parse(answer.body) as { payment_intent_id: string }
  return id
}

const channelsOf = (told: readonly string[]) => told.map((line) => line.split(':', 1)[0])

test('the chosen notifications are read again, in one order and without doubles', async () => {
  expect(dataOf(await page.query('notifications.events'))).toEqual({ muted: [] })
  const chosen = ['disputes:rcs', 'payments:email', 'disputes:rcs']
  expect(dataOf(await mute(chosen))).toEqual({ muted: ['payments:email', 'disputes:rcs'] })
  expect(dataOf(await page.query('notifications.events'))).toEqual({ muted: ['payments:email', 'disputes:rcs'] })
})

test.each([['approvals:email'], ['security:email'], ['payments:fax'], ['']])(
  'the notification %j cannot be switched off',
  async (entry) => {
    const refused = await mute([entry])
    expect(refused.status).toBe(400)
    expect(dataOf(await page.query('notifications.events'))).toEqual({ muted: [] })
  },
)

test('a payment is notified on the channels that are left for it, and a dispute on its own', async () => {
  expect(channelsOf(await toldWhile(pay))).toEqual(['email', 'rcs'])
  await mute(['payments:email', 'disputes:email', 'disputes:rcs'])
  let id = ''
  expect(
    channelsOf(
      await toldWhile(async () => {
        id = await pay()
      }),
    ),
  ).toEqual(['rcs'])
  const dispute = (status: 'pending' | 'won') =>
    fixture.platform.db.transaction((tx) =>
      applyDispute(tx, { paymentIntentId: id, status, platform: fixture.platform, now: fixture.clock.now() }),
    )
  expect(await toldWhile(() => dispute('pending'))).toEqual([])
  await mute([])
  expect(channelsOf(await toldWhile(() => dispute('won')))).toEqual(['email', 'rcs'])
})

test('a test message takes the channel that is tried, when that is on; three are enough for each', async () => {
  const send = (channel: 'email' | 'rcs') => page.mutate('notifications.sendTest', { channel })
  const accepted = (to: string) => ({ outcome: 'accepted', to, at: fixture.clock.now().toISOString() })
  expect(dataOf(await send('email'))).toEqual(accepted(EMAIL))
  expect(dataOf(await send('rcs'))).toEqual(accepted(PHONE))
  expect(await toldWhile(() => send('email'))).toEqual(['email: You asked for a test mes'])
  await choose({ email_enabled: false })
  expect(refusalOf(await send('email'))).toMatchObject({ error: 'conflict' })
  expect(refusalOf(await send('rcs'))).toMatchObject({ error: 'conflict' })
  expect(refusalOf(await send('email'))).toMatchObject({ error: 'rate_limited' })
})
