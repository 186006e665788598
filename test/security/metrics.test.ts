/** Contract 7: what `/metrics` says, and to whom. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { counters, histograms } from '@/server/base/core/telemetry'
import { Agent, exchange, must, newPrincipal, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { openTestDatabase } from '../support/database'

const METRICS_TOKEN = randomBytes(32).toString('hex')

let app: App
beforeAll(async () => {
  app = await startApp({ env: { METRICS_TOKEN } })
})
afterAll(() => app.close())

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function scrape({ baseUrl }: App = app): Promise<string> {
  const answer = await fetch(`${baseUrl}/metrics`, bearer(METRICS_TOKEN))
  expect(answer.status).toBe(200)
  return answer.text()
}

/** The values of one metric by its labels, as the text writes them. */
function valuesOf(report: string, name: string): Record<string, number> {
  const lines = report.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
}

/** What the counter has gained by the work, by labels. */
async function gained(name: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = valuesOf(await scrape(), name)
  await work()
  const after = Object.entries(valuesOf(await scrape(), name))
  return Object.fromEntries(
    after.flatMap(([labels, value]) =>
      value === (before[labels] ?? 0) ? [] : [[labels, value - (before[labels] ?? 0)]],
    ),
  )
}

describe('/metrics', () => {
  test('is for the operator token and METRICS_TOKEN, in the text format of Prometheus', async () => {
    for (const token of [METRICS_TOKEN, app.operatorToken]) {
      const answer = await fetch(`${app.baseUrl}/metrics`, bearer(token))
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ])
      expect(await answer.text()).toMatch(/^# HELP countersign_http_requests?_/m)
    }
  })

  test.each([
    ['nothing', {}],
    ['another token', bearer(METRICS_TOKEN.slice(1))],
    ['an empty token', { headers: { authorization: 'Bearer ' } }],
  ])('answers 401 to %s, also in an open sandbox', async (_, init) => {
    expect(await exchange(`${app.baseUrl}/metrics`, init)).toMatchObject({
      status: 401,
      json: { error: 'invalid_token' },
    })
  })

  test('METRICS_TOKEN opens nothing else', async () => {
    for (const path of ['/operator/switches', '/operator/jobs', '/operator/retention']) {
      expect(await exchange(app.baseUrl + path, bearer(METRICS_TOKEN))).toMatchObject({ status: 401 })
    }
  })

  test('answers under any name or address, as Prometheus uses those of the machine', async () => {
    const headers = { host: '10.1.2.3:9999', ...bearer(METRICS_TOKEN).headers }
    const status = await new Promise((resolve) =>
      get(`${app.baseUrl}/metrics`, { headers }, (answer) => resolve(answer.resume().statusCode)),
    )
    expect(status).toBe(200)
  })
})

test('docs/operating.md lists every metric with its labels', async () => {
  const labels = Object.fromEntries(
    Object.values({ ...counters, ...histograms }).map((metric) => [metric.name, metric.labels]),
  )
  const rows = [...readFileSync('docs/operating.md', 'utf8').matchAll(/^\| `(countersign_\w+)` +\| (.+?) +\|/gm)]
  const listed = rows.map(
    ([, name = '', cell = '']) => [name, [...cell.matchAll(/`(\w+)`/g)].map(([, label]) => label)] as const,
  )
  const served = [...(await scrape()).matchAll(/^# HELP (countersign_\w+)/gm)].map(([, name = '']) => name)
  expect(listed.map(([name]) => name).toSorted()).toEqual(served.toSorted())
  expect(listed).toEqual(expect.arrayContaining(Object.entries(labels)))
})

describe('the numbers', () => {
  test('a purchase is counted by its audit entries, once, however often it is repeated', async () => {
    const { principalId } = await newPrincipal(app, { approval_rule: 'every_purchase' })
    const [agent, person] = [await Agent.register(app, principalId), await Person.signIn(app, principalId)]
    const gain = await gained('countersign_audit_entries_total', async () => {
      const { form, verifier } = await agent.purchase()
      const { request_uri } = must(await agent.push(form), 201)
      await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
      const { result } = await agent.authorize(request_uri)
      const tokens = must(await agent.redeem(result['code'] ?? '', verifier), 200)
      for (const _ of [1, 2]) must(await agent.settle(tokens.access_token, tokens.mandate_jwt, 'order-1'), 200)
    })
    expect(gain).toMatchObject({
      '{event="oid4ac.consent.approved"}': 1,
      '{event="oid4ac.payment.succeeded"}': 1,
    })
  })

  test('what is rolled back is not counted', async () => {
    const gain = await gained('countersign_audit_entries_total', async () => {
      const broken = app.platform.db.transaction(async (tx) => {
        tx.count('auditEntries', { event: 'oid4ac.payment.succeeded' })
        throw new Error('broken')
      })
      await expect(broken).rejects.toThrow('broken')
    })
    expect(gain).toEqual({})
  })

  test('requests are timed by operation and status, and refusals counted by error', async () => {
    const ask = () => exchange(`${app.baseUrl}/wallet/limits`)
    expect(await gained('countersign_http_request_duration_seconds_count', ask)).toMatchObject({
      '{operation="readLimits",status="401"}': 1,
    })
    expect(await gained('countersign_http_refusals_total', ask)).toEqual({
      '{operation="readLimits",error="invalid_token"}': 1,
    })
  })

  test('no text of a caller becomes a label', async () => {
    const word = 'xq-chosen-by-the-caller'
    const gain = await gained('countersign_http_refusals_total', async () => {
      await exchange(`${app.baseUrl}/wallet/${word}`)
      await exchange(`${app.baseUrl}/${word}/../oauth/${word}?${word}=${word}`, { method: 'PROPFIND' })
      await exchange(`${app.baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { host: word },
        body: new URLSearchParams({ grant_type: word, client_id: word }),
      })
    })
    expect(Object.keys(gain).length).toBeGreaterThan(0)
    expect(await scrape()).not.toContain(word)
  })

  test('the card processor is timed by method and outcome', async () => {
    const gain = await gained('countersign_processor_request_duration_seconds_count', () =>
      app.platform.processor.retrievePaymentIntent('pi_unknown'),
    )
    expect(gain).toEqual({ '{method="retrievePaymentIntent",outcome="ok"}': 1 })
  })

  test('addresses from others are timed by outcome, without their names', async () => {
    const ask = () =>
      app.platform.outbound.get('http://localhost:9/xq-secret-path', { accept: '*/*' }).catch(() => undefined)
    expect(await gained('countersign_outbound_request_duration_seconds_count', ask)).toEqual({
      '{outcome="failed"}': 1,
    })
  })

  test('transactions are timed by outcome', async () => {
    const gain = await gained('countersign_database_transaction_duration_seconds_count', async () => {
      await app.platform.db.transaction(async (tx) => tx.query(sql`SELECT 1 AS one`))
      await app.platform.db.transaction(async () => Promise.reject(new Error('broken'))).catch(() => undefined)
    })
    expect(gain).toMatchObject({ '{outcome="committed"}': expect.any(Number), '{outcome="rolled_back"}': 1 })
  })
})

test('without a database /metrics still answers, and says so', async () => {
  const database = await openTestDatabase()
  const alone = await startApp({ env: { METRICS_TOKEN }, database })
  await database.close()
  const report = await scrape(alone)
  expect(valuesOf(report, 'countersign_states_readable')).toEqual({ '': 0 })
  expect(valuesOf(report, 'process_resident_memory_bytes')).toEqual({ '': expect.any(Number) })
  await alone.close()
})
