import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  Agent,
  ALL_SCOPES,
  type Answer,
  countStatuses,
  exchange,
  newKey,
  newPrincipal,
  newSetupToken,
  Person,
} from '../support/actors'
import { type Cluster, createDatabase, many, query, startCluster } from './cluster'

describe('two processes on PostgreSQL', () => {
  let databaseUrl: string
  let cluster: Cluster
  beforeAll(async () => {
    databaseUrl = await createDatabase()
    cluster = await startCluster({ size: 2, databaseUrl })
  })
  afterAll(() => cluster.stop())

  const readyAgent = async (limits: Record<string, unknown> = {}) => {
    const { principalId } = await newPrincipal(cluster, { approval_rule: 'above_limits', limits })
    return Agent.register(cluster, principalId)
  }

  test('G3 32 registrations with one setup token make one client', async () => {
    const { principalId } = await newPrincipal(cluster)
    const token = await newSetupToken(cluster, principalId)
    const keys = await many(32, () => newKey())
    const answers = await Promise.all(
      keys.map((key) =>
        exchange(`${cluster.baseUrl}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            redirect_uris: ['http://127.0.0.1/cb'],
            jwks: { keys: [key.jwk] },
            scope: ALL_SCOPES,
            software_statement: token,
          }),
        }),
      ),
    )
    expect(countStatuses(answers)).toEqual({ 201: 1, 400: 31 })
    expect(
      answers
        .filter(({ status }) => status === 400)
        .every(({ json }) => json['error'] === 'invalid_software_statement'),
    ).toBe(true)
  })

  test('A8, T3 32 redirects with one request_uri mint one code; 32 redemptions of it give one token set', async () => {
    const agent = await readyAgent()
    const { form, verifier } = await agent.purchase()
    const pushed = await agent.push(form)
    const redirects = await many(32, () => agent.authorize(pushed.json.request_uri))
    expect(countStatuses(redirects)).toEqual({ 302: 1, 400: 31 })
    const code = redirects.find(({ status }) => status === 302)?.result['code'] ?? ''
    const redeemed = await many(32, () => agent.redeem(code, verifier))
    expect(countStatuses(redeemed)).toEqual({ 200: 1, 400: 31 })
    const winner = redeemed.find(({ status }) => status === 200)
    expect((await agent.refresh(winner?.json.refresh_token ?? '')).json).toMatchObject({ error: 'invalid_grant' })
  })

  test('R3 32 refreshes of one token have one successor, and none survives the reuse', async () => {
    const agent = await readyAgent()
    const tokens = await agent.buy()
    const refreshed = await many(32, () => agent.refresh(tokens.refresh_token))
    expect(countStatuses(refreshed)).toEqual({ 200: 1, 400: 31 })
    const successor = refreshed.find(({ status }) => status === 200)?.json.refresh_token ?? ''
    expect((await agent.refresh(successor)).status).toBe(400)
  })

  test('200 parallel settlements under a limit of ten stop at exactly ten', async () => {
    const agent = await readyAgent({ daily_cap_minor: 12_000, currency: 'EUR' })
    const bought: Awaited<ReturnType<Agent['buy']>>[] = []
    while (bought.length < 200) bought.push(...(await many(20, () => agent.buy())))
    const answers = await Promise.all(
      bought.map((one, index) => agent.settle(one.access_token, one.mandate_jwt, `cap-${index}`)),
    )
    expect(countStatuses(answers)).toEqual({ 200: 10, 403: 190 })
    expect(answers.filter(({ status }) => status === 403).every(({ json }) => json['limit'] === 'daily_cap')).toBe(true)
    const [ledger] = await query<{ total: string }>(
      databaseUrl,
      `SELECT coalesce(sum(h.amount_minor), 0) AS total FROM sandbox_processor_charges h
         JOIN settlements s ON s.id = h.settlement_id WHERE s.principal_id = $1`,
      [agent.principalId],
    )
    expect(Number(ledger?.total)).toBe(12_000)
  })

  test('SIGKILL during settlements loses nothing acknowledged and charges nothing twice', async () => {
    const agent = await readyAgent()
    const bought: Awaited<ReturnType<Agent['buy']>>[] = []
    while (bought.length < 60) bought.push(...(await many(20, () => agent.buy())))
    const settle = (index: number) => {
      const one = bought[index]
      if (one === undefined) throw new Error('no such purchase')
      return agent.settle<Record<string, string>>(one.access_token, one.mandate_jwt, `crash-${index}`).catch(() => null)
    }
    let answered = 0
    const first = await Promise.all(
      bought.map(async (_, index) => {
        const answer = await settle(index)
        answered += 1
        if (answered === 12) await cluster.kill(0)
        return answer
      }),
    )
    await cluster.restart(0)
    const final = await many(bought.length, (index) => untilDefinitive(() => settle(index)))
    for (const [index, answer] of final.entries()) {
      expect(answer.status, answer.text).toBe(200)
      const before = first[index]
      if (before?.status === 200) expect(answer.text).toBe(before.text)
    }
    const charges = await query<{ settlement_id: string; count: string }>(
      databaseUrl,
      `SELECT h.settlement_id, count(*) AS count FROM sandbox_processor_charges h JOIN settlements s ON s.id = h.settlement_id
        WHERE s.principal_id = $1 GROUP BY 1`,
      [agent.principalId],
    )
    expect(charges).toHaveLength(60)
    expect(charges.every(({ count }) => Number(count) === 1)).toBe(true)
    const person = await Person.signIn(cluster, agent.principalId)
    const history = await person.call<{ total_count: number }>('GET', '/wallet/payment-history?limit=100')
    expect(history.json.total_count).toBe(60)
  })
})

/** Repeats with the same key while the answer is ambiguous, as the interface tells clients to. */
async function untilDefinitive(
  work: () => Promise<Answer<Record<string, string>> | null>,
): Promise<Answer<Record<string, string>>> {
  const deadline = Date.now() + 90_000
  while (Date.now() < deadline) {
    const answer = await work()
    if (answer !== null && answer.status < 500 && answer.json['error'] !== 'idempotency_in_flight') return answer
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('no definitive answer')
}
