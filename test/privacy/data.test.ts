/** Decisions D51 and D53 to D57: what a person gets of their data, how it travels, and what a repeated request gets. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import { PermanentFailure } from '@/server/base/core/permanent-failure'
import { sql } from '@/server/base/core/sql'
import { jobHandlers, startJobs } from '@/server/jobs'
import { readDeadJobs, retryDeadJob, runDueJobs } from '@/server/shared/queue'
import { claimJobs } from '@/server/shared/queue/store'
import { MAIL_DATA_JOB, mailData } from '@/server/surfaces/privacy'
import type { portabilityDump } from '@/server/surfaces/privacy/dump-schema'
import { listStoredRequests } from '@/server/surfaces/privacy/list-requests'
import { buyBook } from '../evidence/purchases'
import { Agent, exchange, must, newPrincipal, newWalletClient, Person } from '../support/actors'
import { type App, startApp } from '../support/app'
import { ask, newPerson, outboxOf, runJobs } from './requests'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const auditOf = (principalId: string) =>
  app.platform.db.query(
    sql`SELECT 1 FROM audit_entries WHERE principal_id = ${principalId} AND event = 'oid4ac.privacy.access'`,
  )
const requestsOf = (principalId: string) =>
  app.platform.db.query<{ kind: string; result: string; completed_at: Date | null }>(
    sql`SELECT kind, result, completed_at FROM privacy_requests WHERE principal_id = ${principalId} ORDER BY requested_at`,
  )
/** A process takes the job, gets so far with it, and ends before it has said so; its lease runs out. */
async function takeAndEnd(work: (payload: string) => Promise<void>): Promise<void> {
  const now = app.clock.now()
  const leaseUntil = new Date(now.getTime() + 60_000)
  const lease = { leaseUntil, latestLease: new Date(now.getTime() + 300_000), most: 1 }
  const [job] = await claimJobs(app.platform.db, { kinds: [MAIL_DATA_JOB], now, ...lease })
  expect(job).toBeDefined()
  await work(job?.payload ?? '')
  app.clock.advance({ seconds: 61 })
}
const keyed = (key: string, body?: string) => ({
  headers: { 'idempotency-key': key },
  ...(body === undefined ? {} : { body }),
})

describe.each([
  ['access', 86_400],
  ['portability', 3_600],
] as const)('the Idempotency-Key of %s', (right, keptSeconds) => {
  test('D51 the same bytes again, marked, without a second mail, entry or count', async () => {
    const { principalId, email, person } = await newPerson(app)
    const first = await ask(app, person.token, right, keyed('k'))
    const again = await ask(app, person.token, right, keyed('k'))
    expect([first.status, again.status, again.text === first.text]).toEqual([200, 200, true])
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true'])
    for (const name of ['content-type', 'content-disposition', 'cache-control']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name))
    }
    await runJobs(app)
    await runJobs(app)
    expect(await requestsOf(principalId)).toHaveLength(1)
    expect(await auditOf(principalId)).toHaveLength(right === 'access' ? 1 : 0)
    expect(await outboxOf(app, email)).toHaveLength(right === 'access' ? 1 : 0)
  })

  test('D51 another body is a conflict, bad or good; a bad one under a new key is a bad one', async () => {
    const { person } = await newPerson(app)
    must(await ask(app, person.token, right, keyed('k')), 200)
    for (const body of ['{}', '{"x":1}']) {
      const refused = await ask(app, person.token, right, keyed('k', body))
      expect([refused.status, refused.json['error']]).toEqual([409, 'idempotency_conflict'])
    }
    const bad = await ask(app, person.token, right, keyed('new', '{"x":1}'))
    expect([bad.status, bad.json['error']]).toEqual([400, 'invalid_request'])
    expect((await ask(app, person.token, right, keyed('new', '{}'))).status).toBe(200)
  })

  test("D51 a key is one person's and one right's, and has 1 to 255 characters", async () => {
    const [one, other] = [await newPerson(app), await newPerson(app)]
    const first = await ask(app, one.person.token, right, keyed('k'))
    const second = await ask(app, other.person.token, right, keyed('k'))
    expect([first.status, second.status, second.text === first.text]).toEqual([200, 200, false])
    const third = await ask(app, one.person.token, right === 'access' ? 'portability' : 'access', keyed('k'))
    expect([third.status, third.headers.get('idempotent-replayed')]).toEqual([200, null])
    expect((await ask(app, one.person.token, right, keyed('x '.repeat(127)))).status).toBe(200)
    for (const key of ['', 'x'.repeat(256), 'é']) {
      const refused = await ask(app, one.person.token, right, keyed(key))
      expect([key, refused.status, refused.json['error']]).toEqual([key, 400, 'invalid_request'])
    }
  })

  test('D51 of many at once one runs and all get its answer, also beyond the ten of the day', async () => {
    const { principalId, person } = await newPerson(app)
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(app, person.token, right, keyed('k'))))
    for (const { status, json } of answers)
      expect(status === 200 || json['error'] === 'idempotency_in_flight').toBe(true)
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
    expect(await requestsOf(principalId)).toHaveLength(1)
  })

  test('D51 an answer that cannot be kept leaves no request, mail or entry, and the next try counts once', async () => {
    const { principalId, email, person } = await newPerson(app)
    const sealing = vi.spyOn(app.platform.sealer, 'seal').mockImplementationOnce(() => {
      throw new Error('the process ends here')
    })
    onTestFinished(() => sealing.mockRestore())
    expect((await ask(app, person.token, right, keyed('k'))).status).toBe(500)
    expect([await requestsOf(principalId), await auditOf(principalId)]).toEqual([[], []])
    expect((await ask(app, person.token, right, keyed('k'))).status).toBe(200)
    await runJobs(app)
    expect(await requestsOf(principalId)).toHaveLength(1)
    expect(await outboxOf(app, email)).toHaveLength(right === 'access' ? 1 : 0)
  })

  test('D51 a refusal is not kept, and the answer is kept sealed for its time', async () => {
    const { principalId, person } = await newPerson(app)
    const first = await ask(app, person.token, right, keyed('k'))
    const [row] = await app.platform.db.query<{ sealed_reply: string; row: string }>(
      sql`SELECT sealed_reply, to_jsonb(r)::text AS row FROM privacy_replies r WHERE principal_id = ${principalId}`,
    )
    expect(row?.row).not.toContain(String(first.json['request_id']))
    app.clock.advance({ seconds: keptSeconds - 5 })
    const late = await Person.signIn(app, principalId, 'privacy:dsar')
    expect((await ask(app, late.token, right, keyed('k'))).text).toBe(first.text)
    app.clock.advance({ seconds: 6 })
    const fresh = await ask(app, late.token, right, keyed('k'))
    expect([fresh.status, fresh.text === first.text]).toEqual([200, false])
  })
})

test('D51 the header is ignored elsewhere', async () => {
  const { principalId, person } = await newPerson(app)
  for (const body of ['{"display_name":"Ada"}', '{"display_name":"Eve"}']) {
    expect((await ask(app, person.token, 'rectification', keyed('k', body))).status).toBe(200)
  }
  expect(await requestsOf(principalId)).toHaveLength(2)
})

describe('access', () => {
  test('D53 D55 answers at once, and one mail leaves with the data as a file', async () => {
    const { principalId, email, person } = await newPerson(app)
    const before = app.clock.now().getTime()
    const answer = must(await ask(app, person.token, 'access'), 200)
    expect(answer).toEqual({ status: 'queued', request_id: expect.any(String), estimated_delivery: expect.any(String) })
    const ahead = Date.parse(String(answer['estimated_delivery'])) - before
    expect(String(answer['estimated_delivery'])).toMatch(/Z$/)
    expect([ahead > 0, ahead <= 86_400_000 + 5_000]).toEqual([true, true])
    await runJobs(app)
    const [mail, ...others] = await outboxOf(app, email)
    expect(others).toEqual([])
    expect(mail?.data?.request_id).toBe(answer['request_id'])
    expect(mail?.data?.dump).toMatchObject({
      request_id: answer['request_id'],
      principal: { principal_id: principalId },
    })
    expect(`${mail?.subject} ${mail?.text}`).not.toMatch(new RegExp(`${email}|${principalId}`))
    expect(await requestsOf(principalId)).toMatchObject([{ kind: 'access', result: 'mailed' }])
  })

  test('D53 the mail of the sandbox leaves within ten seconds, by the jobs of the server', async () => {
    const { email, person } = await newPerson(app)
    const stop = startJobs(app.platform)
    onTestFinished(stop)
    const asked = performance.now()
    must(await ask(app, person.token, 'access'), 200)
    await vi.waitFor(async () => expect(await outboxOf(app, email)).toHaveLength(1), { interval: 200, timeout: 10_000 })
    expect(performance.now() - asked).toBeLessThan(10_000)
  })

  test('D55 the job survives the process that took it, and mails once however often it is begun', async () => {
    const { principalId, email, person } = await newPerson(app)
    const { request_id: id } = must(await ask(app, person.token, 'access'), 200)
    await takeAndEnd(() => Promise.resolve())
    await takeAndEnd((payload) => mailData(app.platform, JSON.parse(payload)))
    await runJobs(app)
    const mails = await outboxOf(app, email)
    expect(mails.map(({ data }) => data?.request_id)).toEqual([id])
    expect(await requestsOf(principalId)).toMatchObject([{ result: 'mailed' }])
  })

  test('D54 without an address it is refused, audited and counted not at all', async () => {
    const { principalId, person } = await newPerson(app)
    await app.platform.db.query(sql`UPDATE principals SET email = NULL WHERE id = ${principalId}`)
    const refused = await ask(app, person.token, 'access', keyed('k'))
    expect([refused.status, refused.json]).toMatchObject([
      400,
      { error: 'invalid_request', error_description: 'There is no e-mail address to send to.' },
    ])
    expect([await auditOf(principalId), await requestsOf(principalId)]).toEqual([[], []])
    await app.platform.db.query(sql`UPDATE principals SET email = 'back@example.com' WHERE id = ${principalId}`)
    expect((await ask(app, person.token, 'access', keyed('k'))).status).toBe(200)
  })

  test('D55 the data of a person who was erased first is dropped', async () => {
    const { principalId, email, person } = await newPerson(app)
    must(await ask(app, person.token, 'access'), 200)
    must(await ask(app, person.token, 'erasure'), 200)
    await runJobs(app)
    const mails = await outboxOf(app, email)
    expect(mails.filter(({ data }) => data !== undefined)).toEqual([])
    expect(await requestsOf(principalId)).toMatchObject([
      { kind: 'access', result: 'dropped', completed_at: expect.any(Date) },
      { kind: 'erasure', result: 'erased' },
    ])
  })

  test('D55 a mail that cannot be made has failed once its job is given up, until an operator has it tried again', async () => {
    const { principalId, email, person } = await newPerson(app)
    const { request_id: id } = must(await ask(app, person.token, 'access'), 200)
    const failing = { [MAIL_DATA_JOB]: () => Promise.reject(new PermanentFailure('no dump')) }
    const listed = () => listStoredRequests(app.platform.db, principalId)
    expect(await listed()).toMatchObject([{ result: 'queued', completed_at: null }])
    await runDueJobs(app.platform, failing)
    expect(await listed()).toMatchObject([{ request_id: id, result: 'failed', completed_at: null }])
    const [job] = await readDeadJobs(app.platform.db, 1)
    await retryDeadJob(app.platform.db, { id: job?.id ?? '', now: app.clock.now() })
    expect(await listed()).toMatchObject([{ result: 'queued' }])
    await runJobs(app)
    expect(await listed()).toMatchObject([{ result: 'mailed', completed_at: expect.any(String) }])
    expect(await outboxOf(app, email)).toHaveLength(1)
  })

  test('D55 a mail that the carrier refuses for good has failed, and keeps the data no longer', async () => {
    const { principalId, email, person } = await newPerson(app)
    const { request_id: id } = must(await ask(app, person.token, 'access'), 200)
    const refuse = () => Promise.reject(new PermanentFailure('550 no such person'))
    const platform = { ...app.platform, mailer: { carriesRcs: true, deliver: refuse } }
    await runDueJobs(platform, jobHandlers)
    await runDueJobs(platform, jobHandlers)
    const listed = () => listStoredRequests(app.platform.db, principalId)
    expect(await listed()).toMatchObject([{ request_id: id, result: 'failed', completed_at: null }])
    expect((await outboxOf(app, email)).map(({ data }) => data)).toEqual([{ dropped: true }])
    const [job] = await readDeadJobs(app.platform.db, 1)
    await retryDeadJob(app.platform.db, { id: job?.id ?? '', now: app.clock.now() })
    await runJobs(app)
    expect(await listed()).toMatchObject([{ result: 'failed' }])
  })
})

describe('what is told', () => {
  let home: Awaited<ReturnType<typeof householdWithHistory>>
  beforeAll(async () => {
    home = await householdWithHistory()
  })

  async function householdWithHistory() {
    const phone = '+353861234567'
    const limits = { daily_cap_minor: 50_000, single_txn_cap_minor: 2_000, currency: 'EUR' }
    const { principalId, email } = await newPrincipal(app, {
      approval_rule: 'above_limits',
      limits,
      rcs_phone_e164: phone,
    })
    const person = await Person.signIn(app, principalId, 'wallet:read wallet:write audit:read privacy:dsar')
    const agent = await Agent.register(app, principalId, { client_name: 'Shopper', purpose: 'Buys books' })
    const tokens = await agent.buy({ amount_minor: 1_200 })
    must(await agent.settle(tokens.access_token, tokens.mandate_jwt, `told-${agent.clientId}`), 200)
    await agent.push((await agent.purchase({ amount_minor: 9_000 })).form)
    const rule = { merchant_audience: 'https://shop.example', verdict: 'deny' }
    expect((await person.call('POST', '/wallet/merchant-rules', rule)).status).toBeLessThan(300)
    const stranger = await Agent.register(app, (await newPrincipal(app)).principalId)
    await app.platform.db.query(
      sql`INSERT INTO merchant_rules (tenant_id, merchant_audience, client_id, verdict, updated_at)
          SELECT tenant_id, 'https://tenant.example', id, 'allow', now() FROM clients
           WHERE id = ANY (${[agent.clientId, stranger.clientId]}::text[])`,
    )
    must(await ask(app, person.token, 'objection'), 200)
    return { principalId, email, phone, person, agent, tokens }
  }

  async function readDump(): Promise<Record<string, unknown>> {
    must(await ask(app, home.person.token, 'access'), 200)
    await runJobs(app)
    return (await outboxOf(app, home.email)).find(({ data }) => data !== undefined)?.data?.dump ?? {}
  }

  test('D56 the access dump holds every part, and nothing of anybody else', async () => {
    const stranger = await newPerson(app)
    const dump = await readDump()
    expect(dump).toMatchObject({
      schema_version: 1,
      profile: { email: home.email, created_at: expect.any(String) },
      flags: { erased: false, processing_restricted: false, marketing_objected: true },
      limits: { daily_cap_minor: 50_000, single_txn_cap_minor: 2_000, currency: 'EUR' },
      notifications: { rcs_phone_e164: home.phone, muted: [] },
      cards: [{ brand: expect.any(String), last4: expect.any(String), exp_year: expect.any(Number) }],
      payments: [{ amount_minor: 1_200, currency: 'EUR', mandate_id: home.tokens.mandate_id }],
      consents: [{ amount_minor: 9_000, status: 'pending' }],
      limit_bumps: [{ amount_minor: 9_000 }],
      merchant_rules: [{ merchant_audience: 'https://shop.example', verdict: 'deny' }],
      tenant_merchant_rules: [
        { merchant_audience: 'https://tenant.example', client_id: home.agent.clientId, verdict: 'allow' },
      ],
      agent_spending: [{ client_id: home.agent.clientId, currency: 'EUR', spent_minor: 1_200, reserved_minor: 0 }],
      passkeys: [],
      messages: expect.arrayContaining([expect.objectContaining({ channel: 'email', kind: 'consent' })]),
      agent_clients: [{ client_id: home.agent.clientId, label: 'Shopper', purpose: 'Buys books' }],
      privacy_requests: expect.arrayContaining([expect.objectContaining({ kind: 'objection', result: 'objected' })]),
    })
    const { about } = dump as { about: Record<string, unknown[]> }
    for (const part of ['purposes', 'recipients', 'retention', 'rights']) expect(about[part]?.length).toBeGreaterThan(0)
    expect(JSON.stringify(dump)).not.toContain(stranger.principalId)
  })

  test('D56 no secret, hash or key of the tables stands in it', async () => {
    const { audit_chain_entries: _, ...dump } = await readDump()
    const text = JSON.stringify(dump)
    const secrets = await app.platform.db.query<{ value: string }>(
      sql`SELECT unnest(ARRAY[r.token_hash, f.jkt]) AS value FROM refresh_tokens r JOIN token_families f ON f.id = r.family_id
           WHERE f.principal_id = ${home.principalId}
          UNION SELECT unnest(ARRAY[approval_handle]) FROM consents WHERE principal_id = ${home.principalId}
          UNION SELECT unnest(ARRAY[handle_hash, code_challenge, jkt]) FROM pushed_requests WHERE principal_id = ${home.principalId}
          UNION SELECT rcs_token_hash FROM limit_bumps WHERE principal_id = ${home.principalId} AND rcs_token_hash IS NOT NULL
          UNION SELECT registration_token_hash FROM clients WHERE principal_id = ${home.principalId}
          UNION SELECT token_hash FROM setup_tokens WHERE principal_id = ${home.principalId}
          UNION SELECT sealed_content FROM messages WHERE principal_id = ${home.principalId}`,
    )
    expect(secrets.length).toBeGreaterThan(6)
    for (const { value } of secrets) expect(text).not.toContain(value)
    expect(text).not.toMatch(/"(\w*_hash|\w*secret\w*|jkt|sealed_\w+|public_key|signature|challenge)":(?!null)/)
  })

  test('D56 nothing that a wallet app signed or proved its key with stands in it', async () => {
    const { person } = await buyBook(app, 'wallet')
    const { token } = await Person.signIn(app, person.principalId, 'privacy:dsar')
    must(await ask(app, token, 'access'), 200)
    await runJobs(app)
    const [row] = await app.platform.db.query<{ email: string; credential_id: string }>(
      sql`SELECT p.email, e.credential_id FROM principals p JOIN approval_evidence e ON e.principal_id = p.id
          WHERE p.id = ${person.principalId}`,
    )
    const dump = (await outboxOf(app, row?.email ?? '')).find(({ data }) => data !== undefined)?.data?.dump ?? {}
    expect(dump['approval_evidence']).toEqual([
      {
        authorization_id: expect.any(String),
        method: 'wallet_presentation',
        display: expect.objectContaining({ amount_minor: 1_200 }),
        credential_id: row?.credential_id,
        created_at: expect.any(String),
      },
    ])
    expect(JSON.stringify(dump)).not.toMatch(/eyJ[\w-]+\./)
  })

  test('D56 the schema of the database has no table about people that the dump leaves out', async () => {
    const dump = await readDump()
    const tables = await app.platform.db.query<{ table_name: string }>(
      sql`SELECT DISTINCT c.table_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
           WHERE c.table_schema = current_schema() AND c.column_name IN ('principal_id', 'client_id', 'agent_client_id')
             AND t.table_type = 'BASE TABLE'`,
    )
    const toldAs: Record<string, string> = {
      clients: 'agent_clients',
      audit_entries: 'audit_chain_entries',
      wallet_limits: 'limits',
      spend_counters: 'spending',
      card_mandates: 'cards',
      principal_merchant_rules: 'merchant_rules',
      portal_sessions: 'sessions',
      notification_preferences: 'notifications',
      notification_events: 'notifications',
      merchant_rules: 'tenant_merchant_rules',
      agent_spend_counters: 'agent_spending',
    }
    // Random numbers that live for minutes, hashes of tokens, sums and answers that repeat what stands here, what stands for the
    // processor's books, and the certificate of this server.
    const leftOut = new Set([
      'webauthn_challenges',
      'refresh_tokens',
      'payment_counters',
      'privacy_replies',
      'idempotent_replies',
      'sandbox_processor_intents',
      'relying_party',
    ])
    const missing = tables
      .map(({ table_name: name }) => name)
      .filter((name) => !leftOut.has(name) && !((toldAs[name] ?? name) in dump))
    expect(missing).toEqual([])
  })

  test('D57 portability has the five members of its schema, as a file, and all entries, oldest first', async () => {
    const answer = await ask<z.output<typeof portabilityDump>>(app, home.person.token, 'portability')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(Object.keys(answer.json).toSorted()).toEqual([
      'agent_clients',
      'audit_chain_entries',
      'principal',
      'request_id',
      'schema_version',
    ])
    expect(answer.json.principal).toEqual({
      principal_id: home.principalId,
      wallet_operator: await tenantNameOf(home.principalId),
      email: home.email,
      display_name: 'Sandbox person',
    })
    const seqs = answer.json.audit_chain_entries.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    const [stored] = await app.platform.db.query<{ n: number }>(
      sql`SELECT count(*)::int AS n FROM audit_entries WHERE principal_id = ${home.principalId}`,
    )
    expect(seqs).toHaveLength(stored?.n ?? -1)
  })

  test('D57 the wallet operator in both dumps is the name of the tenant', async () => {
    const { clientId } = await newWalletClient(app)
    await app.platform.db.query(sql`UPDATE clients SET name = 'Purse & Partners' WHERE id = ${clientId}`)
    const { email, person } = await newPerson(app, { wallet_client_id: clientId })
    const taken = must(await ask<z.output<typeof portabilityDump>>(app, person.token, 'portability'), 200)
    expect(taken.principal.wallet_operator).toBe('Purse & Partners')
    must(await ask(app, person.token, 'access'), 200)
    await runJobs(app)
    const dump = (await outboxOf(app, email)).find(({ data }) => data !== undefined)?.data?.dump
    expect(dump).toMatchObject({ principal: { wallet_operator: 'Purse & Partners' } })
  })

  test('D57 the schema is public, closed, and says of the dump what the dump is', async () => {
    const url = `${app.baseUrl}/privacy/dsar/portability-schema.json`
    const answer = await exchange(url)
    expect(answer.headers.get('content-type')).toBe('application/schema+json')
    expect(answer.headers.get('cache-control')).toMatch(/^public/)
    const schema = answer.json as { $schema: string; $id: string; properties: object }
    expect([schema.$schema, schema.$id]).toEqual(['https://json-schema.org/draft/2020-12/schema', url])
    expect(openObjects(schema, '')).toEqual(['/properties/audit_chain_entries/items/properties/payload'])
    const { json: dump } = await ask(app, home.person.token, 'portability')
    const parse = z.fromJSONSchema(schema as never)
    expect(parse.safeParse(dump).success).toBe(true)
    expect(parse.safeParse({ ...dump, more: 1 }).success).toBe(false)
    const { principal } = dump as { principal: object }
    expect(parse.safeParse({ ...dump, principal: { ...principal, phone: '+1' } }).success).toBe(false)
  })
})

const tenantNameOf = async (principalId: string) => {
  const [row] = await app.platform.db.query<{ name: string }>(
    sql`SELECT c.name FROM principals p JOIN clients c ON c.id = p.tenant_id WHERE p.id = ${principalId}`,
  )
  return row?.name
}

/** The places of all objects that take unknown members. */
function openObjects(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isOpen =
    'type' in schema &&
    schema.type === 'object' &&
    (schema as { additionalProperties?: unknown }).additionalProperties !== false
  const within = Object.entries(schema).flatMap(([name, value]) => openObjects(value, `${place}/${name}`))
  return isOpen ? [place, ...within] : within
}
