/** Decision D59: while processing is restricted nothing is issued or charged, and what is the person's own stays theirs. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { WalletCall } from '@/server/base/core/call'
import { installFailpoints } from '@/server/base/core/failpoints'
import { sql } from '@/server/base/core/sql'
import { PORTAL_TENANT_ID } from '@/server/shared/principals'
import { liftRestriction, listPrivacyRequests } from '@/server/surfaces/privacy'
import { Agent, must, newPrincipal, Person, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'
import { ask } from './requests'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const SCOPE = 'wallet:read wallet:write audit:read privacy:dsar'

async function newHome(rule: 'above_limits' | 'every_purchase' = 'above_limits') {
  const limits = { single_txn_cap_minor: 5_000, currency: 'EUR' }
  const { principalId } = await newPrincipal(app, { approval_rule: rule, limits })
  return {
    principalId,
    agent: await Agent.register(app, principalId),
    person: await Person.signIn(app, principalId, SCOPE),
  }
}
const restrict = (person: Person) => ask(app, person.token, 'restriction')
const pushOf = async (agent: Agent, amount_minor = 1_000) => agent.push((await agent.purchase({ amount_minor })).form)

function inPortal(principalId: string, minutesAgo = 0): WalletCall {
  const now = app.clock.now()
  const authenticatedAt = new Date(now.getTime() - minutesAgo * 60_000)
  const session = { id: 'session', method: 'magic_link', authenticatedAt } as const
  const actor = { kind: 'wallet', principalId, tenantId: PORTAL_TENANT_ID, via: 'portal', session } as const
  return { platform: app.platform, requestId: 'request', now, actor }
}

describe('from the answer on', () => {
  test('D59 D63 pushing, redeeming and refreshing are 400 access_denied, and settling what was not admitted 403', async () => {
    const { agent, person } = await newHome()
    const bought = await agent.buy()
    const { code, verifier } = await agent.code()
    for (let n = 0; n < 2; n += 1) {
      const answer = await restrict(person)
      expect([answer.status, answer.json]).toEqual([200, { processing_restricted: true }])
    }
    const { form } = await agent.walletAccess('wallet:read')
    const refusals = [
      await pushOf(agent),
      await agent.push(form),
      await agent.redeem(code, verifier),
      await agent.refresh(bought.refresh_token),
    ]
    const barred = {
      error: 'access_denied',
      error_description: 'The person was erased or has restricted the processing of their data.',
    }
    for (const { status, json } of refusals) expect([status, json]).toMatchObject([400, barred])
    const settled = await agent.settle(bought.access_token, bought.mandate_jwt, 'not-admitted')
    expect([settled.status, settled.json]).toMatchObject([403, barred])
  })

  test('D59 a settlement that was admitted is repeated', async () => {
    const { agent, person } = await newHome()
    const bought = await agent.buy()
    const settle = () => agent.settle(bought.access_token, bought.mandate_jwt, 'admitted')
    const first = must(await settle(), 200)
    must(await restrict(person), 200)
    expect(must(await settle(), 200)).toEqual(first)
  })

  test('D59 every question has ended: purchases, wallet accesses and limit requests', async () => {
    const { agent, person } = await newHome()
    const pushed = must(await pushOf(agent, 9_000), 201)
    must(await agent.push((await agent.walletAccess('wallet:read')).form), 201)
    const waiting = await person.pending()
    expect(waiting).toHaveLength(2)
    must(await restrict(person), 200)
    expect(await person.pending()).toEqual([])
    expect((await person.call('GET', '/wallet/limit-bumps')).json).toEqual({ limit_bumps: [] })
    for (const consent of waiting) {
      expect((await person.decide(consent['authorization_id'], 'approve')).status).toBe(409)
    }
    expect((await agent.authorize(pushed.request_uri)).result).toMatchObject({ error: 'access_denied' })
  })

  test('D59 reading, the rights and revoking stay possible', async () => {
    const { agent, person } = await newHome()
    must(await restrict(person), 200)
    for (const path of ['/wallet/agents', '/wallet/limits', '/wallet/payment-history', '/wallet/audit-chain']) {
      expect([path, (await person.call('GET', path)).status]).toEqual([path, 200])
    }
    must(await ask(app, person.token, 'access'), 200)
    must(await ask(app, person.token, 'portability'), 200)
    must(await ask(app, person.token, 'objection'), 200)
    must(await ask(app, person.token, 'rectification', { body: '{"display_name":"Ada"}' }), 200)
    expect((await person.call('POST', `/wallet/agents/${agent.clientId}/revoke`)).status).toBe(200)
  })
})

/** Both ways to tokens, each with what it needs. */
async function grantsOf(agent: Agent) {
  const { code, verifier } = await agent.code()
  const { refresh_token } = await agent.buy()
  await agent.freshNonce()
  return [
    { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI },
    { grant_type: 'refresh_token', refresh_token },
  ]
}

/** Waits for what should not come while something is held: a moment, or until it comes all the same. */
const aMoment = (unwanted: Promise<unknown>) => Promise.race([unwanted, delay(100)])

describe('a restriction that races', () => {
  test('D59 with issuing waits for what is being issued', async () => {
    for (const place of [0, 1]) {
      const { agent, person } = await newHome()
      const grant = (await grantsOf(agent))[place] ?? {}
      const order: string[] = []
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const reached = new Promise<void>((resolve) => {
        installFailpoints(async (name) => {
          if (name !== 'token.before_commit') return
          resolve()
          await held
          order.push('issued')
        })
      })
      onTestFinished(() => installFailpoints(() => undefined))
      const minting = agent.mint('/oauth/token', grant, { 'idempotency-key': 'held' })
      await reached
      const restricting = restrict(person).then((answer) => order.push(`restricted ${answer.status}`))
      await aMoment(restricting)
      release()
      expect((await minting).status).toBe(200)
      await restricting
      expect(order).toEqual(['issued', 'restricted 200'])
    }
  })

  test('D59 with a question leaves none that waits', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { agent, person } = await newHome('every_purchase')
      await agent.freshNonce()
      const [restricted, pushed] = await Promise.all([restrict(person), pushOf(agent)])
      expect(restricted.status).toBe(200)
      expect([201, 400]).toContain(pushed.status)
      expect(await person.pending()).toEqual([])
    }
  })
})

test('D59 it is lifted in the portal by a confirmed session, which leaves an entry and ends each request for it, and not over HTTP', async () => {
  const { principalId, agent, person } = await newHome()
  for (let n = 0; n < 2; n += 1) must(await restrict(person), 200)
  await expect(liftRestriction(inPortal(principalId, 16), {})).rejects.toMatchObject({ code: 'step_up_required' })
  expect((await pushOf(agent)).status).toBe(400)
  expect(await liftRestriction(inPortal(principalId), {})).toEqual({ processing_restricted: false })
  expect((await pushOf(agent)).status).toBe(201)
  expect(await listPrivacyRequests(inPortal(principalId))).toMatchObject([
    { kind: 'restriction', result: 'lifted' },
    { kind: 'restriction', result: 'lifted' },
  ])
  const entries = await app.platform.db.query<{ payload: string }>(
    sql`SELECT payload FROM audit_entries WHERE principal_id = ${principalId} AND event = 'oid4ac.policy.changed'`,
  )
  expect(entries.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
    expect.objectContaining({ what: 'processing', from: 'restricted', to: 'active', means: 'magic_link' }),
  ])
  const paths = await fetch(`${app.baseUrl}/openapi.json`).then((answer) => answer.text())
  expect(paths).not.toMatch(/restriction\/lift|unrestrict/)
})
