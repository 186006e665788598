import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { openDatabase } from '@/server/base/platform/database/client'
import { Agent, exchange, must, newPrincipal, newSetupToken, Person } from '../support/actors'
import { type Cluster, startCluster, stopMember, until } from './cluster'

/** V8 cuts strings in snapshots at 1024 characters unless it is told otherwise, and then a long token is not found. */
const UNCUT =
  "data:text/javascript,import{setFlagsFromString}from'node:v8';setFlagsFromString('--heap-snapshot-string-limit=100000')"
const SNAPSHOT_MS = 60_000

let server: Cluster
let snapshots: string
let log = ''
/** What only its holder and the server may know, by name. */
let secrets: ReadonlyMap<string, string>
/** Where each value was found besides. */
let refusals: string
let outbox: string
let tables: ReadonlyMap<string, string>
let heap: ReadonlySet<string>

beforeAll(async () => {
  snapshots = await mkdtemp(path.join(os.tmpdir(), 'countersign-heap-'))
  server = await startCluster({
    size: 1,
    databaseUrl: null,
    stdout: 'pipe',
    env: {
      LOG_LEVEL: 'debug',
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots} --import=${UNCUT}`,
    },
  })
  member().stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  secrets = await useEverything()
  refusals = await refuseEverything()
  outbox = (await exchange(`${server.baseUrl}/sandbox/outbox`, { headers: { accept: 'application/json' } })).text
  heap = await searchHeap()
  await Promise.all(server.members.map((one) => stopMember(one)))
  tables = await readTables()
})
afterAll(async () => {
  await server.stop()
  await rm(snapshots, { recursive: true, force: true })
})

function member() {
  const [one] = server.members
  if (one === undefined) throw new Error('no server')
  return one.process
}

/** Uses each kind of secret as its holder would, in flows that succeed. */
async function useEverything(): Promise<Map<string, string>> {
  const { principalId, email } = await newPrincipal(server, { approval_rule: 'every_purchase' })
  const person = await Person.signIn(server, principalId)
  const setupToken = await newSetupToken(server, principalId)
  const agent = await Agent.register(server, principalId)
  const { form, verifier } = await agent.purchase()
  const pushed = must(await agent.push(form), 201)
  await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
  const { result } = await agent.authorize(pushed.request_uri)
  const tokens = must(await agent.redeem(result['code'] ?? '', verifier), 200)
  must(await agent.settle(tokens.access_token, tokens.mandate_jwt, 'order-1'), 200)
  const refreshed = must(await agent.refresh(tokens.refresh_token), 200)
  const first = await signIn(email)
  const { cookie, linkToken } = await signIn(email)
  return new Map([
    ['wallet token', person.token],
    ['setup token', setupToken],
    ['pushed request handle', pushed.request_uri],
    ['authorization code', result['code'] ?? ''],
    ['code verifier', verifier],
    ['access token', tokens.access_token],
    ['mandate', tokens.mandate_jwt],
    ['refresh token', tokens.refresh_token],
    ['next refresh token', refreshed.refresh_token],
    ['token in a sign-in link', linkToken],
    ['session cookie of the first page', first.cookie],
    ['session cookie', cookie],
    ['operator token', server.operatorToken],
  ])
}

/** Signs in to the portal by a mailed link, with the cookies of one browser. */
async function signIn(email: string): Promise<{ cookie: string; linkToken: string }> {
  const cookies = new Map<string, string>()
  const ask = async <T>(address: string, body?: Record<string, unknown>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await exchange<T>(`${server.baseUrl}/api/auth/${address}`, {
      headers: { cookie, origin: server.baseUrl, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return answer
  }
  must(await ask('sign-in-link', { email }), 202)
  const read = () =>
    exchange<{ messages: { to: string; links: string[] }[] }>(`${server.baseUrl}/sandbox/outbox`, {
      headers: { accept: 'application/json' },
    })
  const linkOf = (answer: Awaited<ReturnType<typeof read>>) =>
    answer.json.messages.find(({ to, links }) => to === email && links.some((link) => link.includes('#token=')))
      ?.links[0]
  const mail = await until(read, (answer) => linkOf(answer) !== undefined, 10_000)
  const linkToken = new URL(linkOf(mail) ?? '').hash.replace('#token=', '')
  const { csrfToken } = (await ask<{ csrfToken: string }>('csrf')).json
  must(await ask('callback/magic-link', { csrfToken, token: linkToken }), 200)
  must(await ask('../..'), 200)
  return { cookie: cookies.get('countersign.session') ?? '', linkToken }
}

/** Presents every secret in each place of a request where it does not belong; what is answered to that. */
async function refuseEverything(): Promise<string> {
  const answers = await Promise.all(
    [...secrets.values()].flatMap((value) => {
      const query = encodeURIComponent(value)
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const body = JSON.stringify({ mandate: value, software_statement: value, idempotency_key: value })
      return [
        exchange(`${server.baseUrl}/oauth/authorize?request_uri=${query}&client_id=${query}`),
        exchange(`${server.baseUrl}/oauth/token`, {
          method: 'POST',
          headers: form,
          body: `grant_type=x&code=${query}`,
        }),
        exchange(`${server.baseUrl}/oauth/introspect`, { method: 'POST', headers: form, body: `token=${query}` }),
        exchange(`${server.baseUrl}/wallet/agents`, { headers: { authorization: `DPoP ${value}`, dpop: value } }),
        exchange(`${server.baseUrl}/operator/switches`, { headers: { authorization: `Basic ${value}` } }),
        exchange(`${server.baseUrl}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      ]
    }),
  )
  // The last request to the sign-in routes, and to a page, stays referenced until the next one.
  for (const address of ['/api/auth/csrf', '/sign-in']) must(await exchange(server.baseUrl + address), 200)
  return answers.map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n')
}

/** What the heap holds of the secrets, by name; garbage is collected before the snapshot is taken. */
async function searchHeap(): Promise<ReadonlySet<string>> {
  member().kill('SIGUSR2')
  const [file = ''] = await until(
    () => readdir(snapshots),
    (names) => names.length > 0,
    SNAPSHOT_MS,
  )
  // The thread that writes the snapshot is the one that answers, so that the snapshot is complete by then.
  must(await exchange(`${server.baseUrl}/healthz`), 200)
  const found = new Set<string>()
  let seam = ''
  for await (const chunk of createReadStream(path.join(snapshots, file), {
    highWaterMark: 4_194_304,
    encoding: 'latin1',
  })) {
    const text = seam + String(chunk)
    for (const [name, value] of secrets) if (text.includes(value)) found.add(name)
    seam = text.slice(-Math.max(...[...secrets.values()].map(({ length }) => length)))
  }
  return found
}

/** Every row of every table as text, by the table's name. */
async function readTables(): Promise<Map<string, string>> {
  const db = await openDatabase({ databaseUrl: null, dataDir: server.dataDir, databasePoolSize: 1 })
  try {
    const names = await db.query<{ name: string }>(
      sql`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    )
    const rows = await Promise.all(
      names.map(({ name }) =>
        db.query<{ text: string | null }>(sql`SELECT string_agg(t::text, ' ') AS text FROM ${sql.raw(name)} t`),
      ),
    )
    return new Map(names.map(({ name }, at) => [name, rows[at]?.[0]?.text ?? '']))
  } finally {
    await db.close()
  }
}

/** The names of the secrets that the text holds, as they are or as bytes. */
function namesIn(text: string): string[] {
  const holds = (value: string) => text.includes(value) || text.includes(Buffer.from(value).toString('hex'))
  return [...secrets].flatMap(([name, value]) => (holds(value) ? [name] : []))
}

test('the log holds no secret, even where everything is logged', () => {
  expect(log).toContain('"requestId"')
  expect(namesIn(log)).toEqual([])
})

test('no refusal repeats what was presented', () => {
  expect(refusals).toContain('invalid_token')
  expect(namesIn(refusals)).toEqual([])
})

test('no table holds a secret in a form that can be used', () => {
  expect(tables.get('token_families')).not.toBe('')
  const found = [...tables].flatMap(([table, text]) => namesIn(text).map((name) => `${table}: ${name}`))
  expect(found.toSorted()).toEqual([])
})

test('the outbox holds the links that were mailed, and no other secret', () => {
  expect(namesIn(outbox)).toEqual(['token in a sign-in link'])
})

test('the memory holds no secret that was used, beyond what has to stay', () => {
  const remains = new Set([
    // Every request of the operator is compared with it.
    'operator token',
    // The promise of a lazily loaded page module refers to the request that loaded it. The cookie is replaced within the hour.
    'session cookie of the first page',
  ])
  expect([...heap].filter((name) => !remains.has(name))).toEqual([])
  expect(heap).toContain('operator token')
})
