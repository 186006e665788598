import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, clientAssertion, exchange, newPrincipal, newWalletClient } from '../actors'
import { type App, startApp } from '../app'

let app: App
let agent: Agent
beforeAll(async () => {
  app = await startApp()
  agent = await newAgent()
})
afterAll(() => app.close())

async function newAgent(walletClientId?: string) {
  const options = {
    approval_rule: 'above_limits',
    ...(walletClientId === undefined ? {} : { wallet_client_id: walletClientId }),
  } as const
  return Agent.register(app, (await newPrincipal(app, options)).principalId)
}

type Caller = Parameters<typeof clientAssertion>[1]

async function ask(endpoint: 'introspect' | 'revoke', caller: Caller, form: Record<string, string | undefined>) {
  const all = {
    client_id: caller.clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await clientAssertion(app, caller),
    ...form,
  }
  const body = new URLSearchParams(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  return exchange(`${app.baseUrl}/oauth/${endpoint}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: body.toString(),
  })
}

describe('introspection', () => {
  test('I1 an active access token tells its claims, whatever the hint says', async () => {
    const tokens = await agent.buy()
    for (const hint of [undefined, 'refresh_token', 'nonsense']) {
      const answer = await ask('introspect', agent, { token: tokens.access_token, token_type_hint: hint })
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.json).toMatchObject({
        active: true,
        iss: app.baseUrl,
        sub: agent.clientId,
        client_id: agent.clientId,
        token_type: 'DPoP',
        cnf: { jkt: agent.dpopKey.jkt },
        mandate_id: tokens.mandate_id,
        authorization_details: [{ type: 'oid4ac_mandate' }],
      })
    }
    const refresh = await ask('introspect', agent, { token: tokens.refresh_token })
    expect(refresh.json).toMatchObject({ active: true, client_id: agent.clientId })
  })

  test('I2, I8 what is no living token is plainly inactive', async () => {
    const { code } = await agent.code()
    const tokens = await agent.buy()
    const changed = `${tokens.access_token.slice(0, -2)}AA`
    for (const token of ['x', code, changed, tokens.mandate_jwt, 'y'.repeat(5_000)]) {
      expect((await ask('introspect', agent, { token })).json).toEqual({ active: false })
    }
  })

  test('I4, I5 a missing parameter is 422 with both kinds of words; a bad caller is 401', async () => {
    const missing = await ask('introspect', agent, { token: undefined })
    expect([missing.status, missing.json]).toMatchObject([
      422,
      { error: 'invalid_request', detail: [{ loc: ['body', 'token'] }] },
    ])
    const stranger = await ask('introspect', { ...agent, key: (await newAgent()).key }, { token: 'x' })
    expect([stranger.status, stranger.json['error']]).toEqual([401, 'invalid_client'])
  })

  test("I6 an agent knows its own tokens, a wallet client its tenant's, nobody else's", async () => {
    const wallet = await newWalletClient(app)
    const tenantAgent = await newAgent(wallet.clientId)
    const tokens = await tenantAgent.buy({ merchant: 'https://shop.example' })
    expect((await ask('introspect', wallet, { token: tokens.access_token })).json).toMatchObject({
      active: true,
      client_id: tenantAgent.clientId,
    })
    expect((await ask('introspect', agent, { token: tokens.access_token })).json).toEqual({ active: false })
    expect((await ask('introspect', await newWalletClient(app), { token: tokens.refresh_token })).json).toEqual({
      active: false,
    })
  })
})

describe('revocation', () => {
  test.each(['access_token', 'refresh_token'] as const)(
    'V1, V2 revoking the %s ends the family everywhere',
    async (kind) => {
      const tokens = await agent.buy()
      const answer = await ask('revoke', agent, { token: tokens[kind] })
      expect([answer.status, answer.text]).toEqual([200, ''])
      expect((await ask('introspect', agent, { token: tokens.access_token })).json).toEqual({ active: false })
      expect((await agent.refresh(tokens.refresh_token)).json).toMatchObject({ error: 'invalid_grant' })
      expect((await agent.settle(tokens.access_token, tokens.mandate_jwt, `after-${kind}`)).status).toBe(401)
    },
  )

  test('V3 to V7 unknown, foreign and malformed requests', async () => {
    const tokens = await agent.buy()
    const other = await newAgent()
    expect((await ask('revoke', agent, { token: 'unknown', token_type_hint: 'nonsense' })).status).toBe(200)
    expect((await ask('revoke', other, { token: tokens.refresh_token })).status).toBe(200)
    expect((await ask('introspect', agent, { token: tokens.refresh_token })).json).toMatchObject({ active: true })
    expect((await ask('revoke', agent, { token: undefined })).json).toMatchObject({ error: 'invalid_request' })
    expect((await ask('revoke', { ...agent, key: other.key }, { token: tokens.refresh_token })).status).toBe(401)
  })

  test('one audit entry per family, however often it is revoked', async () => {
    const tokens = await agent.buy()
    await Promise.all(Array.from({ length: 8 }, () => ask('revoke', agent, { token: tokens.refresh_token })))
    const entries = await app.platform.db.query(
      `SELECT seq FROM audit_entries WHERE event = 'oid4ac.token.revoked' AND payload LIKE '%revocation_request%'
          AND payload LIKE '%' || (SELECT family_id FROM mandates WHERE id = $1) || '%'`,
      [tokens.mandate_id],
    )
    expect(entries).toHaveLength(1)
  })
})
