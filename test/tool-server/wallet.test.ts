/** The tools that look after a wallet, over stdio, against the real service. Decisions A2 to A5, A8, A8b, B20 to B23. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { Agent, exchange, newPrincipal, newSetupToken, Person, REDIRECT_URI } from '../support/actors'
import { type App, startApp } from '../support/app'
import { startHelper } from './helper'
import { openRelay } from './relay'
import { newHome, removeHomes, ToolHost, type ToolHostOptions, type ToolResult } from './tool-host'

let app: App
const started: ToolHost[] = []
/** One that never gets a registration. */
let unregistered: ToolHost
beforeAll(async () => {
  app = await startApp()
  unregistered = await start()
})
afterAll(async () => {
  await Promise.all(started.map((server) => server.close()))
  await app.close()
  await removeHomes()
})

/** A host that closes the page at once, so that calls do not wait for the person. */
async function start(options: ToolHostOptions = {}, home?: string): Promise<ToolHost> {
  const server = await ToolHost.start(home ?? (await newHome()), { onPage: () => 'cancel', ...options })
  started.push(server)
  return server
}

const walletRegistration = (setupToken: string, more: Record<string, unknown> = {}) => ({
  setup_token: setupToken,
  as_url: app.baseUrl,
  redirect_uris: [REDIRECT_URI],
  client_name: 'Household',
  purpose: 'Keeps an eye on agents',
  ...more,
})

interface Home {
  readonly tools: ToolHost
  readonly home: string
  readonly principalId: string
  readonly clientId: string
}

/** A home with a registration for the wallet. */
async function newWallet(scope?: string, options: ToolHostOptions = {}): Promise<Home> {
  const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
  const home = await newHome()
  const tools = await start(options, home)
  const setupToken = await newSetupToken(app, principalId)
  const made = await tools.call(
    'agent_wallet_register',
    walletRegistration(setupToken, scope === undefined ? {} : { scope }),
  )
  if (made.isError) throw new Error(made.texts.join('\n'))
  return { tools, home, principalId, clientId: String(made.data['client_id']) }
}

const way = (more: Record<string, unknown> = {}) => ({
  as_url: app.baseUrl,
  resource: app.baseUrl,
  redirect_uri: REDIRECT_URI,
  ...more,
})
const list = ({ tools }: Pick<Home, 'tools'>) => tools.call('agent_wallet_list_agents', way())
const revoke = ({ tools }: Pick<Home, 'tools'>, agentId: string) =>
  tools.call('agent_wallet_revoke_agent', way({ agent_client_id: agentId }))

async function decide({ principalId }: Pick<Home, 'principalId'>, decision: 'approve' | 'decline'): Promise<void> {
  const person = await Person.signIn(app, principalId)
  const [waiting] = await person.pending()
  const { status, text } = await person.decide(waiting?.['authorization_id'], decision)
  if (status !== 200) throw new Error(text)
}

/** What a call leads to once the person has approved what it asked for. */
async function approved(wallet: Pick<Home, 'principalId'>, call: () => Promise<ToolResult>): Promise<ToolResult> {
  const first = await call()
  expect(first.texts[0]).toMatch(/ failed: consent_required$/)
  await decide(wallet, 'approve')
  return call()
}

const directoryOf = (home: string) =>
  path.join(home, 'registrations', createHash('sha256').update(app.baseUrl).digest('hex'))
const requestsOf = async (clientId: string) =>
  (await app.platform.db.query(sql`SELECT 1 FROM pushed_requests WHERE client_id = ${clientId}`)).length

describe('agent_wallet_register', () => {
  test('B22 answers what the server made of it', async () => {
    const { principalId } = await newPrincipal(app)
    const tools = await start()
    const args = walletRegistration(await newSetupToken(app, principalId), { as_url: `${app.baseUrl}/` })
    const { data } = await tools.call('agent_wallet_register', args)
    expect(data).toEqual({
      ok: true,
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      principal_id: principalId,
      client_name: 'Household',
      purpose: 'Keeps an eye on agents',
      scope: 'wallet:read wallet:write',
      as_url: app.baseUrl,
    })
  })

  test.each([
    ['invalid_client_metadata', 'oid4ac:payment', { scope: 'wallet:read' }],
    ['invalid_redirect_uri', undefined, { redirect_uris: ['http://shop.example/back'] }],
    ['invalid_software_statement', undefined, { setup_token: 'A'.repeat(43) }],
  ])('B22 a refusal is the code alone: %s', async (code, allowed, more) => {
    const { principalId } = await newPrincipal(app)
    const args = walletRegistration(await newSetupToken(app, principalId, allowed), more)
    const { isError, texts } = await unregistered.call('agent_wallet_register', args)
    expect(isError).toBe(true)
    expect(texts[0]).toBe(`agent_wallet_register failed: ${code}`)
  })

  test('A2 A3 a home has one registration for paying and one for the wallet, and neither is replaced', async () => {
    const { tools, home, principalId } = await newWallet()
    const other = await newPrincipal(app)
    const agent = async () => ({
      setup_token: await newSetupToken(app, principalId),
      as_url: app.baseUrl,
      redirect_uris: [REDIRECT_URI],
    })
    expect((await tools.call('agent_register', await agent())).data['ok']).toBe(true)
    const directory = directoryOf(home)
    const contents = () =>
      ['client.json', 'wallet/client.json'].map((name) => readFileSync(path.join(directory, name), 'utf8'))
    const before = contents()
    expect(readdirSync(directory).toSorted()).toEqual(['assertion.key.json', 'client.json', 'dpop.key.json', 'wallet'])
    for (const name of readdirSync(path.join(directory, 'wallet'))) {
      expect(statSync(path.join(directory, 'wallet', name)).mode & 0o777).toBe(0o600)
    }
    const setupToken = await newSetupToken(app, other.principalId)
    const again = [
      await tools.call('agent_register', { ...(await agent()), setup_token: setupToken }),
      await tools.call('agent_wallet_register', walletRegistration(setupToken)),
    ]
    expect(again.map(({ texts }) => texts[0])).toEqual([
      'agent_register failed: already registered',
      'agent_wallet_register failed: already registered',
    ])
    expect(again[0]?.texts[1]).toContain(path.join(directory, 'client.json'))
    expect(again[1]?.texts[1]).toContain(path.join(directory, 'wallet', 'client.json'))
    expect(contents()).toEqual(before)
    // The token was not used up.
    const elsewhere = await start()
    expect((await elsewhere.call('agent_wallet_register', walletRegistration(setupToken))).isError).toBe(false)
  })

  test('A3 two at once make one registration', async () => {
    const { principalId } = await newPrincipal(app)
    const home = await newHome()
    const servers = [await start({}, home), await start({}, home)]
    const tokens = [await newSetupToken(app, principalId), await newSetupToken(app, principalId)]
    const results = await Promise.all(
      servers.map((tools, index) => tools.call('agent_wallet_register', walletRegistration(tokens[index] ?? ''))),
    )
    expect(results.filter(({ isError }) => isError)).toHaveLength(1)
    const rows = await app.platform.db.query(sql`SELECT id FROM agents WHERE principal_id = ${principalId}`)
    expect(rows).toHaveLength(1)
  })

  test('B20 another server than the one in use is refused before any request', async () => {
    const wallet = await newWallet()
    const elsewhere = { as_url: 'http://127.0.0.1:1' }
    const results = [
      await wallet.tools.call('agent_register', { setup_token: 'x', redirect_uris: [REDIRECT_URI], ...elsewhere }),
      await wallet.tools.call('agent_wallet_register', walletRegistration('x', elsewhere)),
      await wallet.tools.call('agent_wallet_list_agents', way(elsewhere)),
      await wallet.tools.call('agent_wallet_revoke_agent', way({ ...elsewhere, agent_client_id: 'x' })),
    ]
    for (const { texts } of results) {
      expect(texts[0]).toMatch(/ failed: as_url is not the authorization server of this agent$/)
    }
  })

  test('a model that chooses the first server reaches no service of this machine; a person who names it may', async () => {
    const register = (tools: ToolHost, url: string) =>
      Promise.all([
        tools.call('agent_register', { setup_token: 'x', redirect_uris: [REDIRECT_URI], as_url: url }),
        tools.call('agent_wallet_register', walletRegistration('x', { as_url: url })),
      ])
    const details = (results: readonly ToolResult[]) => results.map(({ texts }) => texts[0]?.split(' failed: ')[1])
    for (const port of [1, 22, 443]) {
      const refused = `refused address (port ${port})`
      expect(details(await register(unregistered, `http://127.0.0.1:${port}`))).toEqual([refused, refused])
    }
    const told = await start({ env: { COUNTERSIGN_AS_URL: 'http://127.0.0.1:1' } })
    expect(details(await register(told, 'http://127.0.0.1:1'))).toEqual(['fetch failed', 'fetch failed'])
  })

  test('C45 an address that can be no authorization server is an invalid argument', async () => {
    for (const url of [
      'http://shop.example',
      'https://as.example/?x=1',
      'ftp://as.example',
      'https://a:b@as.example',
    ]) {
      const { texts } = await unregistered.call('agent_wallet_register', walletRegistration('x', { as_url: url }))
      expect(texts[0]).toMatch(/^agent_wallet_register failed: invalid arguments: as_url: /)
    }
  })
})

describe('agent_wallet_list_agents', () => {
  test('A5 asks the person once, resumes the same request and lists their agents', async () => {
    const wallet = await newWallet()
    const first = await list(wallet)
    expect(first.texts[0]).toBe('agent_wallet_list_agents failed: consent_required')
    expect(first.texts[1]).toContain(`${app.baseUrl}/approve/`)
    expect(first.texts[1]).toMatch(/code \d\d\..* call again with the same arguments/)
    expect((await list(wallet)).texts).toEqual(first.texts)
    expect(await requestsOf(wallet.clientId)).toBe(1)
    await decide(wallet, 'approve')
    const { data } = await list(wallet)
    const [agent] = data['agents'] as Record<string, unknown>[]
    expect(agent).toEqual({
      id: wallet.clientId,
      client_id: wallet.clientId,
      label: 'Household',
      purpose: 'Keeps an eye on agents',
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      revoked: false,
      scopes: ['wallet:read', 'wallet:write'],
    })
    // Approved once, it is not asked for again.
    expect((await list(wallet)).isError).toBe(false)
  })

  test('A5 a host that takes progress is kept waiting until the person has approved', async () => {
    const wallet = await newWallet(undefined, { onPage: () => 'accept' })
    const messages: string[] = []
    const waiting = wallet.tools.call('agent_wallet_list_agents', way(), {
      onMessage: (message) => {
        if (messages.push(message) === 1) void decide(wallet, 'approve')
      },
    })
    expect((await waiting).data['agents']).toHaveLength(1)
    expect(messages[0]).toMatch(/may see your agents \(wallet:read\): open \S+\/approve\/\S+ — .* code \d\d\.$/)
  })

  test('A5 what the person declines is consent_denied', async () => {
    const wallet = await newWallet()
    await list(wallet)
    await decide(wallet, 'decline')
    expect((await list(wallet)).texts[0]).toBe('agent_wallet_list_agents failed: consent_denied')
  })

  test('A5 what ends because the person restricts processing was not declined by them', async () => {
    const wallet = await newWallet()
    await list(wallet)
    const person = await Person.signIn(app, wallet.principalId, 'privacy:dsar')
    expect((await person.call('POST', '/privacy/dsar/restriction')).status).toBe(200)
    expect((await list(wallet)).texts[0]).toBe('agent_wallet_list_agents failed: authorize failed: access_denied')
  })

  test('B16 what the person declines in the host ends in the wallet too', async () => {
    const wallet = await newWallet(undefined, { onPage: () => 'decline' })
    expect((await list(wallet)).texts[0]).toBe('agent_wallet_list_agents failed: consent_denied')
    expect(await requestsOf(wallet.clientId)).toBe(0)
  })

  test('A5 a code whose redemption did not get through is redeemed by the same call, and nobody is asked again', async () => {
    const relay = await openRelay()
    const away = await startApp({ env: { BASE_URL: relay.url } })
    relay.port = away.platform.config.port
    const helper = await startHelper(away, 'every_purchase', { limits: { POLL_FIRST_MS: 50 } })
    const args = { as_url: away.baseUrl, resource: away.baseUrl, redirect_uri: REDIRECT_URI }
    relay.spoil = ({ url }) => (url === '/oauth/token' ? ({ socket }) => socket.destroy() : null)
    const lost = await helper.host.call('agent_wallet_list_agents', args)
    expect(lost.texts[0]).toBe('agent_wallet_list_agents failed: token failed: fetch failed')
    relay.spoil = null
    relay.asked.length = 0
    expect((await helper.host.call('agent_wallet_list_agents', args)).data).toMatchObject({ agents: [{}, {}] })
    expect(relay.asked.filter((line) => line.includes('/oauth/par'))).toEqual([])
    expect(readdirSync(path.join(helper.host.home, 'sessions'))).toEqual([])
    // One that was redeemed, but whose answer was lost, is answered again.
    relay.spoil = ({ url }, body) =>
      url === '/oauth/token'
        ? async (request, response) => {
            const answer = await relay.ask(request, body)
            if (answer.status === 200) response.destroy()
            else response.writeHead(answer.status, answer.headers).end(answer.body)
          }
        : null
    expect((await helper.host.call('agent_wallet_list_agents', args)).isError).toBe(true)
    relay.spoil = null
    relay.asked.length = 0
    expect((await helper.host.call('agent_wallet_list_agents', args)).data).toMatchObject({ agents: [{}, {}] })
    expect(relay.asked.filter((line) => line.includes('/oauth/par'))).toEqual([])
    await helper.host.close()
    await Promise.all([away.close(), relay.close()])
  })

  test('A2 without a registration that has the scope nothing is sent', async () => {
    expect((await list({ tools: unregistered })).texts[0]).toBe(
      'agent_wallet_list_agents failed: agent not registered yet',
    )
    const wallet = await newWallet('audit:read')
    expect((await list(wallet)).texts[0]).toBe('agent_wallet_list_agents failed: insufficient_scope (need wallet:read)')
    expect((await revoke(wallet, 'x')).texts[0]).toBe(
      'agent_wallet_revoke_agent failed: insufficient_scope (need wallet:write)',
    )
    expect(await requestsOf(wallet.clientId)).toBe(0)
  })

  test('B21 the resource goes to the server as it is', async () => {
    const { tools } = await newWallet()
    const { texts } = await tools.call('agent_wallet_list_agents', way({ resource: 'https://shop.example' }))
    expect(texts[0]).toBe('agent_wallet_list_agents failed: PAR failed: 400 invalid_target')
  })
})

describe('confirmation by e-mail', () => {
  interface Outbox {
    readonly messages: readonly { readonly to: string; readonly links: readonly string[] }[]
  }

  /** A port that nobody listens at, so that no other suite's listener is in the way. */
  async function newRedirectUri(): Promise<string> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return `http://127.0.0.1:${port}/oid4ac/callback`
  }

  async function confirmationsTo(email: string): Promise<URL[]> {
    const { json } = await exchange<Outbox>(`${app.baseUrl}/sandbox/outbox`, {
      headers: { accept: 'application/json' },
    })
    const links = json.messages.flatMap((message) => (message.to === email ? message.links : []))
    return links.filter((link) => link.includes('/magic-link?')).map((link) => new URL(link))
  }

  test('A8b what was approved before is confirmed in the mail, while the tool listens at its redirect URI', async () => {
    const { principalId, email } = await newPrincipal(app, { magic_link_gate: true })
    const tools = await start()
    const redirectUri = await newRedirectUri()
    const args = walletRegistration(await newSetupToken(app, principalId), { redirect_uris: [redirectUri] })
    await tools.call('agent_wallet_register', args)
    const ask = () => tools.call('agent_wallet_list_agents', way({ redirect_uri: redirectUri }))
    await approved({ principalId }, ask)
    const asking = ask()
    let links: URL[] = []
    while (links.length === 0) links = await confirmationsTo(email)
    const token = links[0]?.searchParams.get('token')
    const { headers } = await exchange(`${app.baseUrl}/oauth/magic-link/confirm?token=${token}`)
    const follow = () => exchange(headers.get('location') ?? '').catch(() => null)
    while ((await follow())?.status !== 200);
    expect((await asking).data['agents']).toHaveLength(1)
    expect(await confirmationsTo(email)).toHaveLength(1)
  })
})

describe('agent_wallet_revoke_agent', () => {
  test('A8 revokes once, and reports the second time as a conflict', async () => {
    const wallet = await newWallet()
    const agent = await Agent.register(app, wallet.principalId)
    await agent.buy()
    const { data } = await approved(wallet, () => revoke(wallet, agent.clientId))
    expect(data).toEqual({
      ok: true,
      client_id: agent.clientId,
      revoked_at: expect.any(String),
      families_revoked: 1,
    })
    const again = await revoke(wallet, agent.clientId)
    expect(again.texts[0]).toBe('agent_wallet_revoke_agent failed: 409 conflict')
  })

  test("another person's agent is 404 not_found", async () => {
    const wallet = await newWallet()
    const theirs = await Agent.register(app, (await newPrincipal(app)).principalId)
    const { texts } = await approved(wallet, () => revoke(wallet, theirs.clientId))
    expect(texts[0]).toBe('agent_wallet_revoke_agent failed: 404 not_found')
    expect((await revoke(wallet, '../agents')).texts[0]).toBe('agent_wallet_revoke_agent failed: 404 not_found')
  })

  test('an agent that has been revoked itself gets the step that refused it', async () => {
    const wallet = await newWallet()
    await approved(wallet, () => revoke(wallet, wallet.clientId))
    expect((await list(wallet)).texts[0]).toBe('agent_wallet_list_agents failed: PAR failed: 401 invalid_client')
  })
})
