import { randomUUID } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  ALL_SCOPES,
  type Answer,
  clientAssertion,
  clientForm,
  countStatuses,
  dpopProof,
  exchange,
  newKey,
  newPrincipal,
  newSetupToken,
  newWalletClient,
  Person,
  type PrincipalOptions,
  REDIRECT_URI,
  type TokenAnswer,
} from '../support/actors'
import { at, type Cable, type Cluster, createDatabase, layCable, many, query, startCluster, until } from './cluster'

const [A, B] = [0, 1]
const PAIRS: [from: string, to: string, first: number, second: number][] = [
  ['A', 'B', A, B],
  ['B', 'A', B, A],
]
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The members in turn. */
const inTurn = (index: number) => at(index % 2)

type Form = Record<string, string | readonly string[] | undefined>
type Outcome = Pick<Answer<object>, 'status' | 'json'>

const errorOf = (json: object) => ('error' in json ? String(json.error) : '')
const outcomeOf = ({ status, json }: Outcome) => `${status} ${errorOf(json)}`.trim()

function countOutcomes(answers: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[outcomeOf(answer)] = (counts[outcomeOf(answer)] ?? 0) + 1
  return counts
}

async function newAgent(cluster: Cluster, options: PrincipalOptions = {}): Promise<Agent> {
  const { principalId } = await newPrincipal(cluster, { approval_rule: 'above_limits', ...options })
  return Agent.register(cluster, principalId)
}

const codeGrant = ({ code, verifier }: { code: string; verifier: string }): Form => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: REDIRECT_URI,
  code_verifier: verifier,
})
const refreshGrant = (token: string): Form => ({ grant_type: 'refresh_token', refresh_token: token })

const ask = (agent: Agent, endpoint: 'introspect' | 'revoke', token: string, member: number) =>
  agent.mint<{ active?: boolean }>(`/oauth/${endpoint}`, { token }, at(member))
const refresh = (agent: Agent, token: string, member: number) =>
  agent.mint<TokenAnswer>('/oauth/token', refreshGrant(token), at(member))
const settle = (agent: Agent, { access_token: token, mandate_jwt: mandate }: TokenAnswer, member: number) =>
  agent.call('POST', '/settlement/settle', token, { mandate, idempotency_key: randomUUID() }, at(member))

/** The person's own request to end an agent. */
async function revokeAgent({ target, key, token }: Person, agent: Agent, member: number): Promise<Answer> {
  const url = `${target.baseUrl}/wallet/agents/${agent.clientId}/revoke`
  const dpop = await dpopProof(target, key, { method: 'POST', url, accessToken: token })
  return exchange(url, { method: 'POST', headers: { authorization: `DPoP ${token}`, dpop, ...at(member) } })
}

describe('two processes on one PostgreSQL', () => {
  let databaseUrl: string
  let cable: Cable
  let cluster: Cluster
  beforeAll(async () => {
    databaseUrl = await createDatabase()
    cable = await layCable(databaseUrl)
    cluster = await startCluster({ size: 2, databaseUrl: cable.databaseUrl })
  })
  afterAll(async () => {
    await cluster.stop()
    cable.close()
  })

  describe('sixteen times the same at once', () => {
    /** Requests that are good but for what they share. */
    const requests: Record<string, (agent: Agent) => Promise<Form>> = {
      '/oauth/par': async (agent) => (await agent.purchase()).form,
      '/oauth/token': async (agent) => codeGrant(await agent.code()),
      '/oauth/introspect': async () => ({ token: 'unknown' }),
      '/oauth/revoke': async () => ({ token: 'unknown' }),
    }
    const paths = Object.keys(requests)
    const prepare = (path: string, agent: Agent) => (requests[path] ?? (async () => ({})))(agent)

    test.each([
      ['/oauth/par', { 201: 1, '401 invalid_client': 15 }],
      ['/oauth/token', { 200: 1, '401 invalid_client': 15 }],
      ['/oauth/introspect', { 200: 1, '401 invalid_client': 15 }],
    ])('C7 one assertion at %s succeeds once', async (path, expected) => {
      const agent = await newAgent(cluster)
      const form = { ...(await prepare(path, agent)), client_assertion: await agent.assertion() }
      const answers = await many(16, (index) => agent.mint<Partial<TokenAnswer>>(path, form, inTurn(index)))
      expect(countOutcomes(answers)).toEqual(expected)
      await expectActive(agent, answers)
    })

    test('C7 one assertion, at four endpoints, succeeds once', async () => {
      const agent = await newAgent(cluster)
      const assertion = await agent.assertion()
      const forms = await Promise.all(paths.map((path) => prepare(path, agent)))
      const answers = await many(16, (index) => {
        const turn = Math.floor(index / 2) % 4
        return agent.mint(paths[turn] ?? '', { ...forms[turn], client_assertion: assertion }, inTurn(index))
      })
      expect(countOutcomes(answers)['401 invalid_client']).toBe(15)
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    })

    test.each([
      ['/oauth/par', { 201: 1, '400 invalid_dpop_proof': 15 }],
      ['/oauth/token', { 200: 1, '400 invalid_dpop_proof': 15 }],
    ])('D19 one proof at %s succeeds once', async (path, expected) => {
      const agent = await newAgent(cluster)
      const form = await prepare(path, agent)
      await agent.freshNonce()
      const dpop = await agent.proof('POST', cluster.baseUrl + path)
      const answers = await many(16, (index) =>
        agent.mint<Partial<TokenAnswer>>(path, form, { dpop, ...inTurn(index) }),
      )
      expect(countOutcomes(answers)).toEqual(expected)
      await expectActive(agent, answers)
    })

    test.each(paths)(
      'C7, D19 eight requests at %s, each sent four times to the byte, are eight successes',
      async (path) => {
        const agent = await newAgent(cluster)
        await agent.freshNonce()
        const sent = await many(8, async () => ({
          body: await clientForm(cluster, agent, await prepare(path, agent)),
          dpop: await agent.proof('POST', cluster.baseUrl + path),
        }))
        const answers = await many(32, (index) => {
          const { body = '', dpop = '' } = sent[(index * 5) % 8] ?? {}
          const headers = { ...FORM, dpop, ...inTurn(Math.floor(index / 8)) }
          return exchange(cluster.baseUrl + path, { method: 'POST', headers, body })
        })
        const success = path === '/oauth/par' ? 201 : 200
        expect(countOutcomes(answers)).toEqual({ [success]: 8, '401 invalid_client': 24 })
      },
    )

    test('D19, X7 one proof at a resource endpoint succeeds once', async () => {
      const agent = await newAgent(cluster)
      const { access_token: token, mandate_jwt: mandate } = await agent.buy()
      const url = `${cluster.baseUrl}/settlement/settle`
      const dpop = await agent.proof('POST', url, { accessToken: token })
      const body = { mandate, idempotency_key: 'one-proof' }
      const answers = await many(16, (index) =>
        agent.call('POST', '/settlement/settle', token, body, { dpop, ...inTurn(index) }),
      )
      expect(countOutcomes(answers)).toEqual({ 200: 1, '401 invalid_token': 15 })
      const refused = answers.filter(({ status }) => status === 401)
      for (const { headers } of refused) expect(headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"')
    })

    /** A replayed assertion or proof is not a second redemption: the winner keeps its tokens. */
    async function expectActive(agent: Agent, answers: readonly Answer<Partial<TokenAnswer>>[]): Promise<void> {
      const token = answers.find(({ status }) => status < 300)?.json.refresh_token
      if (token !== undefined) expect((await agent.refresh(token)).status).toBe(200)
    }

    test('A8, A13 one mailed link gives one code', async () => {
      const { principalId, email } = await newPrincipal(cluster, {
        approval_rule: 'above_limits',
        magic_link_gate: true,
      })
      const agent = await Agent.register(cluster, principalId)
      const { form, verifier } = await agent.purchase()
      const pushed = await agent.push(form)
      expect((await agent.authorize(pushed.json.request_uri)).status).toBe(202)
      const outbox = await exchange<{ messages: { to: string; links: string[] }[] }>(
        `${cluster.baseUrl}/sandbox/outbox`,
        { headers: { accept: 'application/json' } },
      )
      const link = new URL(outbox.json.messages.find(({ to }) => to === email)?.links[0] ?? '')
      const confirm = `${cluster.baseUrl}/oauth/magic-link/confirm${link.search}`
      const answers = await many(16, (index) => exchange(confirm, { headers: inTurn(index) }))
      expect(countOutcomes(answers)).toEqual({ 302: 1, '400 invalid_request': 15 })
      for (const { status, json } of answers) {
        if (status === 400)
          expect(json['error_description']).toBe('This link was used before: each link confirms once.')
      }
      const location = answers.find(({ status }) => status === 302)?.headers.get('location') ?? ''
      const code = new URL(location).searchParams.get('code') ?? ''
      expect((await agent.redeem(code, verifier)).status).toBe(200)
    })
  })

  describe('what one process has revoked', () => {
    const cases = PAIRS.flatMap(([from, to, first, second]) =>
      (['refresh_token', 'access_token'] as const).map((kind) => ({ kind, from, to, first, second })),
    )
    test.each(cases)('V1, V2, I9 a $kind revoked at $from is refused at $to', async ({ kind, first, second }) => {
      const agent = await newAgent(cluster)
      const tokens = await agent.buy()
      expect((await ask(agent, 'introspect', tokens.access_token, second)).json.active).toBe(true)
      const revoked = await ask(agent, 'revoke', tokens[kind], first)
      expect([revoked.status, revoked.text]).toEqual([200, ''])
      const [access, refreshed, resource, renewed] = await Promise.all([
        ask(agent, 'introspect', tokens.access_token, second),
        ask(agent, 'introspect', tokens.refresh_token, second),
        settle(agent, tokens, second),
        refresh(agent, tokens.refresh_token, second),
      ])
      expect([access.text, refreshed.text]).toEqual(['{"active":false}', '{"active":false}'])
      expect([outcomeOf(resource), outcomeOf(renewed)]).toEqual(['401 invalid_token', '400 invalid_grant'])
    })

    /** R13 leaves it to the server which of them a revoked agent's refresh token gets. */
    const REFUSED = ['401 invalid_client', '400 invalid_grant']
    type Revoke = (member: number) => Promise<Answer<object>>
    type Prepare = (agent: Agent, tokens: TokenAnswer) => Promise<Revoke>
    const revokeRefreshToken: Prepare = async (agent, tokens) => (member) =>
      ask(agent, 'revoke', tokens.refresh_token, member)
    const endAgent = async (agent: Agent): Promise<Revoke> => {
      const person = await Person.signIn(cluster, agent.principalId)
      return (member) => revokeAgent(person, agent, member)
    }
    type Question = (
      asked: { agent: Agent; tokens: TokenAnswer; form: Form },
      member: number,
    ) => Promise<Answer<object>>
    const questions: [name: string, prepare: Prepare, question: Question, late: string][] = [
      [
        'V1, I9 introspection',
        revokeRefreshToken,
        ({ agent, tokens }, member) => ask(agent, 'introspect', tokens.access_token, member),
        '200 {"active":false}',
      ],
      [
        'C18 PAR',
        endAgent,
        ({ agent, form }, member) => agent.mint('/oauth/par', form, at(member)),
        '401 invalid_client',
      ],
    ]
    test.each(questions)(
      '%s at a busy process knows of every revocation that was answered elsewhere',
      async (_name, prepare, question, expected) => {
        const agent = await newAgent(cluster)
        const asked = { agent, tokens: await agent.buy(), form: (await agent.purchase()).form }
        const revoke = await prepare(agent, asked.tokens)
        let isRevoked = false
        const askUntilLate = async (): Promise<Answer<object>> => {
          for (;;) {
            const isLate = isRevoked
            const answer = await question(asked, B)
            if (isLate) return answer
          }
        }
        const asking = many(16, askUntilLate)
        await question(asked, A)
        const revoked = await revoke(A)
        isRevoked = true
        expect(revoked.status, revoked.text).toBe(200)
        for (const { status, json, text } of await asking) expect(`${status} ${errorOf(json) || text}`).toBe(expected)
      },
    )

    test.each(PAIRS)(
      'C18, R13 an agent revoked in the wallet at %s is refused at %s',
      async (_from, _to, first, second) => {
        const agent = await newAgent(cluster)
        const { form } = await agent.purchase()
        const [tokens, fresh] = [await agent.buy(), await agent.code()]
        const person = await Person.signIn(cluster, agent.principalId)
        expect((await agent.mint('/oauth/par', form, at(second))).status).toBe(201)
        expect((await revokeAgent(person, agent, first)).status).toBe(200)
        const answers = await Promise.all([
          agent.mint('/oauth/par', form, at(second)),
          agent.mint('/oauth/token', codeGrant(fresh), at(second)),
          ask(agent, 'introspect', tokens.access_token, second),
          ask(agent, 'revoke', tokens.refresh_token, second),
        ])
        expect(countOutcomes(answers)).toEqual({ '401 invalid_client': 4 })
        expect(outcomeOf(await settle(agent, tokens, second))).toBe('401 invalid_token')
        const refreshed = outcomeOf(await refresh(agent, tokens.refresh_token, second))
        expect(REFUSED).toContain(refreshed)
      },
    )

    const revocations: [what: string, prepare: Prepare][] = [
      ['the refresh token', revokeRefreshToken],
      ['the access token', async (agent, tokens) => (member) => ask(agent, 'revoke', tokens.access_token, member)],
      ['the agent', endAgent],
    ]
    test.each(revocations)(
      'V8, R3 no token survives when %s is revoked during refreshes, twenty times',
      async (_what, prepare) => {
        await many(20, async (round) => {
          const agent = await newAgent(cluster)
          const first = await agent.buy()
          const revoke = await prepare(agent, first)
          const [issued, revoked] = await Promise.all([refreshUntilRefused(agent, first), revoke(round % 2)])
          expect(revoked.status, revoked.text).toBe(200)
          await expectDead(agent, issued)
        })
      },
    )

    /** Every answer that was given, newest first. */
    async function refreshUntilRefused(agent: Agent, first: TokenAnswer): Promise<TokenAnswer[]> {
      const issued = [first]
      for (let turn = 0; turn < 50; turn += 1) {
        const answer = await refresh(agent, issued[0]?.refresh_token ?? '', turn % 2)
        if (answer.status === 200) issued.unshift({ ...first, ...answer.json })
        else {
          expect(REFUSED).toContain(outcomeOf(answer))
          return issued
        }
      }
      throw new Error('the revocation changed nothing')
    }

    test('R13 no token survives when the agent is revoked during a redemption, twenty times', async () => {
      await many(20, async (round) => {
        const agent = await newAgent(cluster)
        const grant = codeGrant(await agent.code())
        const revoke = await endAgent(agent)
        const [redeemed, revoked] = await Promise.all([
          agent.mint<TokenAnswer>('/oauth/token', grant, inTurn(round)),
          revoke((round + 1) % 2),
        ])
        expect(revoked.status, revoked.text).toBe(200)
        expect(['200', ...REFUSED]).toContain(outcomeOf(redeemed))
        await expectDead(agent, redeemed.status === 200 ? [redeemed.json] : [])
      })
    })

    /** Newest first, since trying an exchanged refresh token would itself end the family. */
    async function expectDead(agent: Agent, issued: readonly TokenAnswer[]): Promise<void> {
      expect(await countActiveFamilies(agent)).toBe(0)
      for (const [turn, one] of issued.entries()) {
        const answers = [
          await ask(agent, 'introspect', one.access_token, turn % 2),
          await ask(agent, 'introspect', one.refresh_token, turn % 2),
          await settle(agent, one, turn % 2),
          await refresh(agent, one.refresh_token, turn % 2),
        ]
        const dead = ['{"active":false}', 'invalid_client', 'invalid_token', 'invalid_grant']
        for (const { json, text } of answers) expect(dead).toContain(errorOf(json) || text)
      }
    }

    async function countActiveFamilies(agent: Agent): Promise<number> {
      const text = 'SELECT count(*)::int AS count FROM token_families WHERE client_id = $1 AND revoked_at IS NULL'
      const [row] = await query<{ count: number }>(databaseUrl, text, [agent.clientId])
      return row?.count ?? -1
    }
  })

  describe('one Idempotency-Key', () => {
    const grants: [name: string, prepare: (agent: Agent) => Promise<Form>, refreshTokens: number][] = [
      ['a redemption', async (agent) => codeGrant(await agent.code()), 1],
      ['a refresh', async (agent) => refreshGrant((await agent.buy()).refresh_token), 2],
    ]

    test.each(grants)(
      'T15, R4 %s sent eight times at once is one issuance with one answer',
      async (_name, prepare, refreshTokens) => {
        const agent = await newAgent(cluster)
        const body = await clientForm(cluster, agent, await prepare(agent))
        const key = randomUUID()
        const answers = await many(8, (index) => sendKeyed(agent, { key, body, member: index % 2 }))
        const [granted, waiting] = [
          answers.filter(({ status }) => status === 200),
          answers.filter(({ status }) => status !== 200),
        ]
        expect(new Set(granted.map(({ text }) => text)).size).toBe(1)
        for (const answer of waiting) {
          expect([outcomeOf(answer), answer.headers.get('retry-after')]).toEqual(['409 idempotency_in_flight', '1'])
        }
        expect(await countIssued(agent)).toEqual({ families: 1, refresh_tokens: refreshTokens })
        for (const member of [A, B]) expect((await sendKeyed(agent, { key, body, member })).text).toBe(granted[0]?.text)
        expect((await agent.refresh(granted[0]?.json.refresh_token ?? '')).status).toBe(200)
      },
    )

    test('T16 of two parallel bodies under one key one is answered, and the other code stays usable', async () => {
      const agent = await newAgent(cluster)
      const forms = [codeGrant(await agent.code()), codeGrant(await agent.code())] as const
      const bodies = await Promise.all(forms.map((form) => clientForm(cluster, agent, form)))
      const key = randomUUID()
      const answers = await many(8, (index) =>
        sendKeyed(agent, { key, body: bodies[index >> 2] ?? '', member: index % 2 }),
      )
      const [winner, loser] = answers.findIndex(({ status }) => status === 200) < 4 ? [0, 1] : [1, 0]
      const of = (one: number) => answers.slice(4 * one, 4 * one + 4)
      expect(countOutcomes(of(winner))).toEqual({ 200: 4 })
      expect(countOutcomes(of(loser))).toEqual({ '409 idempotency_conflict': 4 })
      expect((await agent.mint('/oauth/token', forms[loser] ?? {})).status).toBe(200)
    })

    test('T15, R4 an answer lost between PostgreSQL and the server is given to the repeat', async () => {
      const agent = await newAgent(cluster)
      const body = await clientForm(cluster, agent, codeGrant(await agent.code()))
      const key = randomUUID()
      cable.loseCommitOf(key)
      const lost = await sendKeyed(agent, { key, body, member: A })
      expect([outcomeOf(lost), lost.headers.get('retry-after')]).toEqual(['503 service_unavailable', '1'])
      const repeated = await sendKeyed(agent, { key, body, member: B })
      expect(repeated.status, repeated.text).toBe(200)
      expect((await sendKeyed(agent, { key, body, member: A })).text).toBe(repeated.text)
      expect(await countIssued(agent)).toEqual({ families: 1, refresh_tokens: 1 })
      expect((await settle(agent, repeated.json, B)).status).toBe(200)
    })

    async function sendKeyed(agent: Agent, { key, body, member }: { key: string; body: string; member: number }) {
      const url = `${cluster.baseUrl}/oauth/token`
      const headers = { ...FORM, 'idempotency-key': key, dpop: await agent.proof('POST', url), ...at(member) }
      return exchange<TokenAnswer>(url, { method: 'POST', headers, body })
    }

    async function countIssued(agent: Agent): Promise<unknown> {
      const text = `SELECT count(DISTINCT f.id)::int AS families, count(t.token_hash)::int AS refresh_tokens
                      FROM token_families f LEFT JOIN refresh_tokens t ON t.family_id = f.id WHERE f.client_id = $1`
      const [row] = await query(databaseUrl, text, [agent.clientId])
      return row
    }
  })

  describe('while PostgreSQL cannot be reached', () => {
    const harms: [name: string, harm: () => void][] = [
      ['breaks connections', () => cable.cut()],
      ['does not answer', () => cable.silence()],
    ]
    afterEach(() => cable.mend())

    test.each(harms)(
      'H18, V9 a database that %s turns every answer into 503, loses nothing, and is found again',
      async (_name, harm) => {
        const world = await buildWorld()
        harm()
        const requests = [A, B].flatMap((member) => allRequests(world, member))
        const answers = await Promise.all(requests.map((send) => send()))
        expect(countOutcomes(answers)).toEqual({ '503 service_unavailable': requests.length })
        for (const { headers } of answers) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
        for (const member of [A, B]) expect((await get('/oauth/jwks.json', member)).status).toBe(200)
        cable.mend()
        for (const member of [A, B]) await until(async () => (await get('/readyz', member)).status, is200, 10_000)
        await expectUnharmed(world)
      },
    )

    const is200 = (status: number) => status === 200
    const get = (path: string, member: number) => exchange(cluster.baseUrl + path, { headers: at(member) })

    async function buildWorld() {
      const agent = await newAgent(cluster)
      const { form, verifier } = await agent.purchase()
      const { request_uri: requestUri } = (await agent.push(form)).json
      const tokens = await agent.buy()
      const person = await Person.signIn(cluster, agent.principalId)
      const setupToken = await newSetupToken(cluster, agent.principalId)
      return { agent, form, verifier, requestUri, tokens, code: await agent.code(), person, setupToken }
    }
    const KEYED = { 'idempotency-key': 'unreachable' }
    type World = Awaited<ReturnType<typeof buildWorld>>

    function allRequests(world: World, member: number): (() => Promise<Answer<object>>)[] {
      const { agent, form, requestUri, tokens, code, person } = world
      const presented = new URLSearchParams({ client_id: agent.clientId, request_uri: requestUri }).toString()
      return [
        () => agent.mint('/oauth/par', form, at(member)),
        () => agent.mint('/oauth/token', codeGrant(code), at(member)),
        () => agent.mint('/oauth/token', codeGrant(code), { ...KEYED, ...at(member) }),
        () => refresh(agent, tokens.refresh_token, member),
        () => ask(agent, 'introspect', tokens.access_token, member),
        () => ask(agent, 'revoke', tokens.refresh_token, member),
        () => settle(agent, tokens, member),
        () => revokeAgent(person, agent, member),
        () => register(world, member),
        () => get(`/oauth/authorize?${presented}`, member),
        () => get(`/oauth/par/${requestUri}/status`, member),
        () => get(`/oauth/magic-link/confirm?token=${'x'.repeat(43)}`, member),
      ]
    }

    async function register({ setupToken }: World, member?: number): Promise<Answer> {
      const { jwk } = await newKey()
      const metadata = { redirect_uris: [REDIRECT_URI], jwks: { keys: [jwk] }, scope: ALL_SCOPES }
      return exchange(`${cluster.baseUrl}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(member === undefined ? {} : at(member)) },
        body: JSON.stringify({ ...metadata, software_statement: setupToken }),
      })
    }

    /** What was refused meanwhile has used nothing up. */
    async function expectUnharmed(world: World): Promise<void> {
      const { agent, requestUri, verifier, tokens, code } = world
      expect((await ask(agent, 'introspect', tokens.access_token, A)).json.active).toBe(true)
      expect((await refresh(agent, tokens.refresh_token, B)).status).toBe(200)
      expect((await agent.mint('/oauth/token', codeGrant(code), KEYED)).status).toBe(200)
      const { result } = await agent.authorize(requestUri)
      expect((await agent.redeem(result['code'] ?? '', verifier)).status).toBe(200)
      expect((await settle(agent, tokens, A)).status).toBe(200)
      expect((await register(world)).status).toBe(201)
    }
  })
})

const STORES: [name: string, redisUrl: string][] = [
  ['PostgreSQL', ''],
  ...(process.env['TEST_REDIS_URL'] ? [['Redis', process.env['TEST_REDIS_URL']] as [string, string]] : []),
]

describe.each(STORES)('two processes that tell each other through %s', (_name, redisUrl) => {
  const PER_MINUTE = 20
  /** How long a process may take to notice what another one did to the signing keys. */
  const NOTICED_WITHIN_MS = 2_000
  let cluster: Cluster
  beforeAll(async () => {
    const env = { REDIS_URL: redisUrl, REQUESTS_PER_MINUTE: String(PER_MINUTE) }
    cluster = await startCluster({ size: 2, databaseUrl: await createDatabase(), env })
  })
  afterAll(() => cluster.stop())

  const expectQuota = (answers: readonly Answer<object>[], status: number, count: number) => {
    expect(countStatuses(answers)).toEqual({ [status]: count, 429: answers.length - count })
    const waits = answers.filter((answer) => answer.status === 429).map(({ headers }) => headers.get('retry-after'))
    for (const wait of waits) expect([Number(wait) >= 1, Number(wait) <= 60]).toEqual([true, true])
  }

  test('P23 of sixty parallel pushed requests exactly twenty are accepted', async () => {
    const agent = await newAgent(cluster)
    const { form } = await agent.purchase()
    await agent.freshNonce()
    expectQuota(await many(60, (index) => agent.mint('/oauth/par', form, inTurn(index))), 201, PER_MINUTE)
  })

  test('of thirty parallel reads of the audit range exactly ten are answered', async () => {
    const wallet = await newWalletClient(cluster, 'audit:read')
    const url = `${cluster.baseUrl}/audit/${wallet.clientId}/range?client_id=${wallet.clientId}`
    const read = async (index: number) => {
      const authorization = `PrivateKeyJwt ${await clientAssertion(cluster, wallet)}`
      return exchange(url, { headers: { authorization, ...inTurn(index) } })
    }
    expectQuota(await many(30, read), 200, 10)
  })

  test('of four hundred parallel requests at most three hundred are served, and hardly fewer', async () => {
    const url = `${cluster.baseUrl}/oauth/magic-link/confirm?token=unknown`
    const answers = await many(400, (index) => exchange(url, { headers: inTurn(index) }))
    const served = countStatuses(answers)[400] ?? 0
    expect(served).toBeLessThanOrEqual(300)
    // Each process may hold a hundredth of the quota that it took in advance.
    expect(served).toBeGreaterThanOrEqual(294)
    expectQuota(answers, 400, served)
  })

  const kidOf = (jwt: string) => decodeProtectedHeader(jwt.split('~')[0] ?? '').kid ?? ''
  const kidsAt = async (member: number) => {
    const answer = await exchange<{ keys: { kid: string }[] }>(`${cluster.baseUrl}/oauth/jwks.json`, {
      headers: at(member),
    })
    return answer.json.keys.map(({ kid }) => kid)
  }
  const operateAtA = <T>(path: string) =>
    exchange<T>(`${cluster.baseUrl}/operator${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${cluster.operatorToken}`, 'content-type': 'application/json', ...at(A) },
      body: '{}',
    })
  const buyAt = async (agent: Agent, member: number) => {
    const { json } = await agent.mint<TokenAnswer>('/oauth/token', codeGrant(await agent.code()), at(member))
    return json
  }

  test('K2, J6 five rotations break no verification while agents buy at one process and pay at the other', async () => {
    const early = await newAgent(cluster)
    const before = await buyAt(early, A)
    const kids = new Set<string>()
    for (let turn = 0; turn < 5; turn += 1) {
      const agents = await many(4, () => newAgent(cluster))
      const shopping = agents.map((agent, index) => shop(agent, index % 2))
      await rotateAtA()
      for (const kid of (await Promise.all(shopping)).flat()) kids.add(kid)
      // All of them may have been served before the rotation, or after it.
      for (const kid of await shop(await newAgent(cluster), A)) kids.add(kid)
    }
    expect(kids.size).toBeGreaterThanOrEqual(10)
    for (const member of [A, B]) expect(await kidsAt(member)).toEqual(expect.arrayContaining([...kids]))
    expect((await ask(early, 'introspect', before.access_token, B)).json.active).toBe(true)
    expect((await settle(early, before, B)).status).toBe(200)
  })

  /** Buys at one member and uses what it got at the other; gives the keys that signed it. */
  async function shop(agent: Agent, member: number): Promise<string[]> {
    const other = 1 - member
    const tokens = await buyAt(agent, member)
    const signed = [kidOf(tokens.access_token), kidOf(tokens.mandate_jwt)]
    expect(await kidsAt(other)).toEqual(expect.arrayContaining(signed))
    expect((await ask(agent, 'introspect', tokens.access_token, other)).json.active).toBe(true)
    const settled = await settle(agent, tokens, other)
    expect(settled.status, settled.text).toBe(200)
    const renewed = await refresh(agent, tokens.refresh_token, other)
    expect((await ask(agent, 'introspect', renewed.json.access_token, member)).json.active).toBe(true)
    return signed
  }

  async function rotateAtA(): Promise<void> {
    const { status, json } = await operateAtA<{ rotated: { purpose: string; next: string }[] }>('/signing-keys/rotate')
    expect(status).toBe(200)
    // The federation's keys are in the entity configuration alone.
    const next = json.rotated.filter(({ purpose }) => purpose !== 'federation').map((key) => key.next)
    await until(
      () => kidsAt(B),
      (kids) => next.every((kid) => kids.includes(kid)),
      NOTICED_WITHIN_MS,
    )
  }

  test('K2 a key blocked at one process invalidates what it signed at the other', async () => {
    const agent = await newAgent(cluster)
    const tokens = await buyAt(agent, B)
    const kid = kidOf(tokens.access_token)
    expect((await ask(agent, 'introspect', tokens.access_token, B)).json.active).toBe(true)
    expect((await operateAtA(`/signing-keys/${kid}/block`)).status).toBe(200)
    await until(
      () => kidsAt(B),
      (kids) => !kids.includes(kid),
      NOTICED_WITHIN_MS,
    )
    expect((await ask(agent, 'introspect', tokens.access_token, B)).text).toBe('{"active":false}')
    expect(outcomeOf(await settle(agent, tokens, B))).toBe('401 invalid_token')
    const renewed = await refresh(agent, tokens.refresh_token, B)
    expect(kidOf(renewed.json.access_token)).not.toBe(kid)
    expect((await ask(agent, 'introspect', renewed.json.access_token, A)).json.active).toBe(true)
  })
})
