/** Decision E36: a session that ends says why, and an open request keeps it from idling out. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSIVE_HEADER } from '@/server/base/contract/request-headers'
import { signInPath } from '@/server/base/core/sign-in-input'
import { sql } from '@/server/base/core/sql'
import { revokeAllSessions } from '@/server/identity/sessions'
import { SESSION_ROTATION_GRACE_SECONDS, SESSION_ROTATION_SECONDS } from '@/server/identity/sessions/contract'
import { readEnd } from '@/server/identity/sessions/input'
import { Browser, dataOf, insertConsent } from '../support/browser'
import { openPortalFixture, type PortalFixture } from '../support/portal-fixture'

let fixture: PortalFixture
beforeAll(async () => {
  fixture = await openPortalFixture()
})
afterAll(() => fixture.close())

/** Another window of the same browser, or a copy of its cookies. */
function windowOf(browser: Browser): Browser {
  const other = new Browser(fixture.platform)
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  return other
}

/** What a page learns when it reads again: null while it is signed in. */
async function endOf(browser: Browser): Promise<unknown> {
  const reply = await browser.send('/api/trpc/session.me', { headers: { [PASSIVE_HEADER]: '1' } })
  if (reply.status === 200) return null
  expect(reply.status).toBe(401)
  const { data } = reply.json['error'] as { data: { error: string; members: Record<string, unknown> } }
  expect(data.error).toBe('invalid_token')
  return data.members
}

const minutes = (count: number) => fixture.clock.advance(count * 60)

describe('why a session ended', () => {
  test('E36 it was not used for fifteen minutes', async () => {
    const page = await fixture.openPage()
    minutes(14)
    expect(await endOf(page)).toBeNull()
    minutes(1)
    expect(await endOf(page)).toEqual({ ended: 'idle' })
  })

  test('E36 its person signed out in another window, or ended it from another device', async () => {
    const page = await fixture.openPage()
    const other = windowOf(page)
    await page.signOut()
    expect(await endOf(other)).toEqual({ ended: 'window' })

    const [phone, desk] = [await fixture.openPage(), await fixture.openPage()]
    const sessions = dataOf<{ id: string; this_one: boolean }[]>(await desk.query('security.sessions'))
    for (const { id, this_one: own } of sessions) if (!own) await desk.mutate('security.endSession', { id })
    expect([await endOf(phone), await endOf(desk)]).toEqual([{ ended: 'window' }, null])
  })

  test('E36 its person signed out everywhere', async () => {
    const [page, other, third] = [await fixture.openPage(), await fixture.openPage(), await fixture.openPage()]
    await third.mutate('security.endOtherSessions')
    expect([await endOf(page), await endOf(other)]).toEqual([{ ended: 'everywhere' }, { ended: 'everywhere' }])
    const fourth = await fixture.openPage()
    await fourth.mutate('session.signOutEverywhere')
    expect([await endOf(third), await endOf(fourth)]).toEqual([{ ended: 'everywhere' }, { ended: 'everywhere' }])
  })

  test('E36 it was ended for security: by the service, for a copied cookie, or after twelve hours', async () => {
    const page = await fixture.openPage()
    await revokeAllSessions(fixture.platform, fixture.ada.principalId)
    expect(await endOf(page)).toEqual({ ended: 'security' })

    const used = await fixture.openPage()
    const copy = windowOf(used)
    for (let passed = 0; passed <= SESSION_ROTATION_SECONDS; passed += 600) {
      await used.query('session.me')
      fixture.clock.advance(600)
    }
    fixture.clock.advance(SESSION_ROTATION_GRACE_SECONDS)
    expect([await endOf(copy), await endOf(used)]).toEqual([{ ended: 'security' }, { ended: 'security' }])

    const long = await fixture.openPage()
    for (let passed = 0; passed < 12 * 60; passed += 10) {
      expect((await long.query('session.me')).status).toBe(200)
      minutes(10)
    }
    expect(await endOf(long)).toEqual({ ended: 'security' })
  })

  test('E36 nothing is said without a session of this installation', async () => {
    const page = await fixture.openPage()
    const stranger = new Browser(fixture.platform)
    expect(await endOf(stranger)).toEqual({})
    stranger.cookies.set('countersign.session', 'a.b.c.d.e')
    expect(await endOf(stranger)).toEqual({})
    await fixture.platform.db.query(sql`DELETE FROM portal_sessions`)
    expect(await endOf(page)).toEqual({})
  })

  test('E36 the stream of changes says it as it ends', async () => {
    const [page, other] = [await fixture.openPage(), await fixture.openPage()]
    const stream = await page.open('/api/trpc/session.changes')
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    await other.mutate('session.signOutEverywhere')
    let text = ''
    for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
      text += part.value
      if (text.includes('request_id')) break
    }
    await reader?.cancel()
    expect(text).toContain('"members":{"ended":"everywhere"}')
  })

  test('E36 a page is left for an address that holds its path and one short word', () => {
    expect(signInPath('/limits', 'idle')).toBe('/sign-in?next=%2Flimits&ended=idle')
    expect(signInPath('/', 'everywhere')).toBe('/sign-in?ended=everywhere')
    expect([signInPath('/', null), signInPath('/cards', null)]).toEqual(['/sign-in', '/sign-in?next=%2Fcards'])
    for (const word of ['hacked', '', 'constructor', ['idle'], undefined]) expect(readEnd(word)).toBeNull()
    expect(readEnd('security')).toBe('security')
  })
})

describe('the page of a request', () => {
  /** The page reads by itself, in the background. */
  const look = (page: Browser, id: string) => {
    const input = encodeURIComponent(JSON.stringify({ id }))
    return page.send(`/api/trpc/approvals.one?input=${input}`, { headers: { [PASSIVE_HEADER]: '1' } })
  }

  test('E36 keeps the session alive until the request has run out, and no longer', async () => {
    const page = await fixture.openPage()
    const id = await insertConsent(fixture.platform, fixture.ada, { lifetimeSeconds: 40 * 60 })
    for (let passed = 0; passed < 40; passed += 10) {
      expect((await look(page, id)).status).toBe(200)
      minutes(10)
    }
    // It ran out just now: from here on only the person keeps the session alive.
    expect(dataOf(await look(page, id))).toMatchObject({ status: 'expired' })
    minutes(4)
    expect((await look(page, id)).status).toBe(200)
    minutes(1)
    expect(await endOf(page)).toEqual({ ended: 'idle' })
  })

  test('E36 does not keep it alive once the request is decided', async () => {
    const page = await fixture.openPage()
    const id = await insertConsent(fixture.platform, fixture.ada, { lifetimeSeconds: 40 * 60 })
    const declined = await page.mutate('approvals.decide', { authorization_id: id, decision: 'decline' })
    expect(declined.status).toBe(200)
    minutes(10)
    expect((await look(page, id)).status).toBe(200)
    minutes(5)
    expect(await endOf(page)).toEqual({ ended: 'idle' })
  })

  test("E36 does not keep it alive with somebody else's request or an unknown one", async () => {
    const page = await fixture.openPage()
    const id = await insertConsent(fixture.platform, fixture.eve, { lifetimeSeconds: 40 * 60 })
    minutes(10)
    for (const other of [id, fixture.platform.random.uuid()]) expect((await look(page, other)).status).toBe(404)
    minutes(5)
    expect(await endOf(page)).toEqual({ ended: 'idle' })
  })

  test('E36 does not outlive the twelve hours of a session', async () => {
    const page = await fixture.openPage()
    const id = await insertConsent(fixture.platform, fixture.ada, { lifetimeSeconds: 13 * 60 * 60 })
    for (let passed = 0; passed < 12 * 60; passed += 10) {
      expect((await look(page, id)).status).toBe(200)
      minutes(10)
    }
    expect(await endOf(page)).toEqual({ ended: 'security' })
  })
})
