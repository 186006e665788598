/** Decision D28: what an idempotent repeat at the token endpoint answers when the person may get no tokens any more. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, type Answer, clientForm, exchange, newPrincipal, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const outcome = ({ status, json }: Answer) => [status, json['error']]

describe('an idempotent repeat at the token endpoint', () => {
  async function redeemed() {
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const agent = await Agent.register(app, principalId)
    const { code, verifier } = await agent.code()
    const body = await clientForm(app, agent, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    })
    const url = `${app.baseUrl}/oauth/token`
    const send = async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': 'key-1' }
      return exchange(url, { method: 'POST', headers: { ...headers, dpop: await agent.proof('POST', url) }, body })
    }
    return { principalId, send }
  }

  test('D28 the repeat is access_denied once the person has restricted processing, and answers again afterwards', async () => {
    const { principalId, send } = await redeemed()
    const first = await send()
    expect([first.status, (await send()).text]).toEqual([200, first.text])
    await app.platform.db.query(sql`UPDATE principals SET processing_restricted = true WHERE id = ${principalId}`)
    const refused = await send()
    expect(outcome(refused)).toEqual([400, 'access_denied'])
    expect(refused.text).not.toContain('access_token')
    await app.platform.db.query(sql`UPDATE principals SET processing_restricted = false WHERE id = ${principalId}`)
    expect((await send()).text).toBe(first.text)
  })

  test('D28 the repeat after an erasure hands out nothing', async () => {
    const { principalId, send } = await redeemed()
    expect((await send()).status).toBe(200)
    await app.platform.db.query(sql`UPDATE principals SET erased = true WHERE id = ${principalId}`)
    expect(outcome(await send())).toEqual([401, 'invalid_client'])
  })
})
