import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '@/test/support/browser'
import { openPortalFixture, type PortalFixture } from '@/test/support/portal-fixture'

let fixture: PortalFixture
let page: Browser
beforeAll(async () => {
  fixture = await openPortalFixture()
  page = await fixture.openPage()
})
afterAll(() => fixture.close())

const cursorOf = (value: unknown) => ({ cursor: Buffer.from(JSON.stringify(value)).toString('base64url') })
const MOMENT = '2026-11-21T10:00:00.000Z'

test.each<[string, string, Record<string, unknown>]>([
  ['a cursor that is no text of ours', 'payments.list', { cursor: 'nonsense' }],
  ['a cursor of another shape', 'payments.list', cursorOf({ at: MOMENT })],
  ['a cursor at no time', 'payments.list', cursorOf(['yesterday', 'pi_1'])],
  ['a cursor in the year 0', 'payments.list', cursorOf(['0000-01-01T00:00:00.000Z', 'pi_1'])],
  ['a cursor with a NUL', 'payments.list', cursorOf([MOMENT, 'pi\u0000'])],
  ['an agent with a NUL', 'payments.list', { agent: '\u0000' }],
  ['a merchant with a NUL', 'payments.list', { merchant: 'https://\u0000.example' }],
  ['words with a NUL', 'payments.list', { q: '\u0000' }],
  ['a day that no month has', 'payments.list', { from: '2026-02-31T00:00:00.000Z' }],
  ['the year 0', 'payments.list', { to: '0000-01-01T23:59:59.999Z' }],
  ['an agent with a NUL', 'activity.list', { agent: 'a\u0000' }],
  ['a position beyond every number', 'activity.list', { before: 1e300 }],
  ['an event of nobody', 'activity.list', { event: 'nonsense' }],
  ['an id with a NUL', 'payments.one', { id: '\u0000' }],
  ['an id with a NUL', 'payments.stepUp', { id: '\u0000' }],
])('%s is answered 400: %s', async (_what, procedure, input) => {
  expect((await page.query(procedure, input)).status).toBe(400)
})

test.each([
  ['an id of nobody', 'payments.stepUp', { id: 'unknown' }, 404],
  ['an agent with half a character', 'payments.list', { agent: '\ud800' }, 200],
  ['the end of all numbers', 'activity.list', { before: Number.MAX_SAFE_INTEGER }, 200],
  ['the last year', 'payments.list', { from: '9999-12-31T00:00:00.000Z' }, 200],
  ['the first year', 'payments.list', { from: '0001-01-01T00:00:00.000Z' }, 200],
])('%s is answered', async (_what, procedure, input, status) => {
  expect((await page.query(procedure, input)).status).toBe(status)
})
