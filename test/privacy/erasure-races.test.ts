/** D61: whatever meets an erasure, nothing personal comes back, nobody waits for each other in a circle, and nothing is a 5xx. */
import { expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { jobHandlers } from '@/server/jobs'
import { runDueJobs } from '@/server/shared/queue'
import { withApp } from '../oauth/setup'
import {
  Agent,
  type Answer,
  countStatuses,
  exchange,
  must,
  newKey,
  newPrincipal,
  newSetupToken,
  Person,
  REDIRECT_URI,
} from '../support/actors'
import type { App } from '../support/app'
import { Browser, mailedToken } from '../support/browser'
import { scanDatabase } from './scan'

let app: App
withApp((started) => {
  app = started
})

const PEOPLE = 4

interface Meeting {
  readonly canary: string
  readonly erase: () => Promise<Answer>
  readonly others: readonly (() => Promise<{ readonly status: number }>)[]
}

/** A person with everything under way that may meet an erasure. */
async function prepare(index: number): Promise<Meeting> {
  const canary = `canary-${index}-quixotina`
  const email = `${canary}@canary.test`
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  await app.platform.db.query(
    sql`UPDATE principals SET email = ${email}, display_name = ${canary} WHERE id = ${principalId}`,
  )
  const metadata = { client_name: canary, purpose: canary }
  const agent = await Agent.register(app, principalId, metadata)
  const items = [{ sku: canary, qty: 1, unit_price_minor: 1200 }]
  const bought = await agent.buy({ line_items: items })
  const { code, verifier } = await agent.code({ line_items: items })
  const pushed = must(await agent.push((await agent.purchase({ line_items: items })).form), 201)
  const asking = await agent.purchase({ line_items: items })
  must(await agent.push((await agent.walletAccess('wallet:read')).form), 201)
  const person = await Person.signIn(app, principalId, 'wallet:read wallet:write privacy:dsar')
  const [waiting] = await person.pending()
  const setupToken = await newSetupToken(app, principalId)
  const browser = new Browser(app.platform)
  app.clock.advance({ seconds: 1 })
  await browser.post('/api/auth/sign-in-link', { email })
  const token = await mailedToken(app.platform, email)
  const phone = { rcs_enabled: true, rcs_phone_e164: `+35387555${1000 + index}`, email_enabled: true }
  return {
    canary,
    erase: () => person.call('POST', '/privacy/dsar/erasure'),
    others: [
      () => agent.settle(bought.access_token, bought.mandate_jwt, canary),
      () => agent.redeem(code, verifier),
      () => agent.refresh(bought.refresh_token),
      () => agent.authorize(pushed.request_uri),
      () => agent.push(asking.form),
      () => person.decide(waiting?.['authorization_id'], 'approve'),
      () => person.call('PUT', '/wallet/notifications', phone),
      () => person.call('PUT', '/wallet/limits', { daily_cap_minor: 1 }),
      () => person.call('POST', '/privacy/dsar/rectification', { display_name: canary }),
      () => person.call('POST', '/privacy/dsar/access'),
      () => browser.confirm(token),
      () => registerWith(setupToken, metadata),
    ],
  }
}

/** Registers another agent with the setup token. */
async function registerWith(setupToken: string, metadata: Record<string, unknown>) {
  const { jwk } = await newKey()
  const body = { ...metadata, software_statement: setupToken, redirect_uris: [REDIRECT_URI], jwks: { keys: [jwk] } }
  return exchange(`${app.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, token_endpoint_auth_method: 'private_key_jwt' }),
  })
}

const count = async (statement: ReturnType<typeof sql>) =>
  (await app.platform.db.query<{ n: number }>(sql`SELECT count(*) AS n FROM ${statement}`))[0]?.n

test('D61 an erasure that meets everything else at once leaves nothing of the person', async () => {
  const meetings: Meeting[] = []
  for (let index = 0; index < PEOPLE; index += 1) meetings.push(await prepare(index))
  const statuses: number[] = []
  await Promise.all(
    meetings.map(async ({ erase, others }, index) => {
      // The erasure starts among them, at another place for each person.
      const all = others.toSpliced(index * 3, 0, erase)
      for (const { status } of await Promise.all(all.map((one) => one()))) statuses.push(status)
    }),
  )
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect(await count(sql`principals WHERE erased`)).toBe(PEOPLE)
  app.clock.advance({ seconds: 61 })
  await runDueJobs(app.platform, jobHandlers)
  await runDueJobs(app.platform, jobHandlers)
  expect(await scanDatabase(app.platform, ['quixotina', '35387555'])).toEqual([])
  const ofErased = sql`principal_id IN (SELECT id FROM principals WHERE erased)`
  expect(await count(sql`clients WHERE revoked_at IS NULL AND ${ofErased}`)).toBe(0)
  expect(await count(sql`token_families WHERE revoked_at IS NULL AND ${ofErased}`)).toBe(0)
  expect(await count(sql`mandates WHERE revoked_at IS NULL AND ${ofErased}`)).toBe(0)
  expect(await count(sql`portal_sessions WHERE ${ofErased}`)).toBe(0)
})

test('D61 of ten erasures at once one is made, and the others are refused', async () => {
  const { principalId } = await newPrincipal(app)
  const person = await Person.signIn(app, principalId, 'privacy:dsar')
  const answers = await Promise.all(Array.from({ length: 10 }, () => person.call('POST', '/privacy/dsar/erasure')))
  expect(countStatuses(answers)).toEqual({ 200: 1, 401: 9 })
  const erasures = await count(
    sql`audit_entries WHERE event = 'oid4ac.privacy.erasure' AND principal_id = ${principalId}`,
  )
  expect(erasures).toBe(1)
})
