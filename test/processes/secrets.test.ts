import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '@/server/base/core/sql'
import { openDatabase } from '@/server/base/platform/database/client'
import { exchange, must } from '../support/actors'
import { type Collector, startCollector } from '../support/collector'
import { type Cluster, startCluster, stopMember, until } from './cluster'
import { openOwnKeys } from './own-keys'
import { useEverything } from './secrets-in-use'

/** V8 cuts strings in snapshots at 1024 characters unless it is told otherwise, and then a long token is not found. */
const UNCUT =
  "data:text/javascript,import{setFlagsFromString}from'node:v8';setFlagsFromString('--heap-snapshot-string-limit=100000')"
const SNAPSHOT_MS = 60_000
const given = {
  keyEncryptionKey: randomBytes(32).toString('hex'),
  webhook: `whsec_${randomBytes(32).toString('base64url')}`,
  callback: randomBytes(32).toString('base64url'),
  metricsToken: randomBytes(32).toString('base64url'),
}

let server: Cluster
let collector: Collector
let snapshots: string
let log = ''
/** What only its holder and the server may know, by name, in the forms in which it may be written. */
let secrets: ReadonlyMap<string, readonly string[]>
/** Where each value was found besides. */
let refusals: string
let outbox: string
let tables: ReadonlyMap<string, string>
let heap: ReadonlySet<string>

beforeAll(async () => {
  snapshots = await mkdtemp(path.join(os.tmpdir(), 'countersign-heap-'))
  collector = await startCollector()
  server = await startCluster({
    size: 1,
    databaseUrl: null,
    stdout: 'pipe',
    env: {
      LOG_LEVEL: 'debug',
      KEY_ENCRYPTION_KEY: given.keyEncryptionKey,
      PROCESSOR_WEBHOOK_SECRET: given.webhook,
      RCS_CALLBACK_SECRET: given.callback,
      METRICS_TOKEN: given.metricsToken,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots} --import=${UNCUT}`,
    },
  })
  member().stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const used = await useEverything(server, given)
  refusals = await refuseAll(used)
  outbox = (await exchange(`${server.baseUrl}/sandbox/outbox`, { headers: { accept: 'application/json' } })).text
  const snapshot = await takeSnapshot()
  await Promise.all(server.members.map((one) => stopMember(one)))
  const stored = await readDatabase()
  tables = stored.tables
  secrets = new Map([...used, ...stored.keys].map(([name, value]) => [name, formsOf(value)]))
  heap = await searchSnapshot(snapshot)
})
afterAll(async () => {
  await server.stop()
  await collector.close()
  await rm(snapshots, { recursive: true, force: true })
})

function member() {
  const [one] = server.members
  if (one === undefined) throw new Error('no server')
  return one.process
}

/** Presents every secret in each place of a request where it does not belong; what is answered to that. */
async function refuseAll(used: ReadonlyMap<string, string>): Promise<string> {
  const answers = await Promise.all(
    [...used.values()].flatMap((value) => {
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

/** Has the server write its heap to a file, after a garbage collection. */
async function takeSnapshot(): Promise<string> {
  member().kill('SIGUSR2')
  const [file = ''] = await until(
    () => readdir(snapshots),
    (names) => names.length > 0,
    SNAPSHOT_MS,
  )
  // The thread that writes the snapshot is the one that answers, so that the snapshot is complete by then.
  must(await exchange(`${server.baseUrl}/healthz`), 200)
  return path.join(snapshots, file)
}

/** What the heap holds of the secrets, by name. */
async function searchSnapshot(file: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const longest = Math.max(...[...secrets.values()].flat().map(({ length }) => length))
  let seam = ''
  for await (const chunk of createReadStream(file, { highWaterMark: 4_194_304, encoding: 'latin1' })) {
    const text = seam + String(chunk)
    for (const name of namesIn(text)) found.add(name)
    seam = text.slice(-longest)
  }
  return found
}

/** Every row of every table as text, by the table's name, and the private keys that the server has made. */
async function readDatabase() {
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
    return {
      tables: new Map(names.map(({ name }, at) => [name, rows[at]?.[0]?.text ?? ''])),
      keys: await openOwnKeys(db, given.keyEncryptionKey),
    }
  } finally {
    await db.close()
  }
}

/** The forms in which a secret may be written: as it is, as its characters in hex, and the bytes that it encodes. */
function formsOf(value: string): string[] {
  const forms = [value, Buffer.from(value).toString('hex')]
  const isHex = /^[\da-f]{64}$/.test(value)
  if (!isHex && !/^[\w-]{22,43}$/.test(value)) return forms
  const bytes = Buffer.from(value, isHex ? 'hex' : 'base64url')
  return [...forms, bytes.toString('hex'), bytes.toString('base64url'), bytes.toString('base64').replace(/=+$/, '')]
}

/** The names of the secrets that the text holds in any form. */
function namesIn(text: string): string[] {
  return [...secrets].flatMap(([name, forms]) => (forms.some((form) => text.includes(form)) ? [name] : []))
}

test('the log holds no secret, even where everything is logged', () => {
  expect(log).toContain('"requestId"')
  expect(namesIn(log)).toEqual([])
})

test('no trace holds a secret', () => {
  expect(collector.text()).toContain('POST /oauth/token')
  expect(namesIn(collector.text())).toEqual([])
})

test('no refusal repeats what was presented', () => {
  expect(refusals).toContain('invalid_token')
  expect(namesIn(refusals)).toEqual([])
})

test('no table holds a secret in a form that can be used', () => {
  const remains = new Set([
    // The card processor of the sandbox is part of the server: these are the tables of the processor, which has made it.
    'sandbox_processor_intents: client secret of a card',
    'sandbox_processor_replies: client secret of a card',
    // It names the request, also to those who made it. It is random, opens the request only until it is answered or five
    // minutes old, and what it was answered with only to the backend that made it.
    'presentation_requests: handle of a presentation request',
    'presentation_requests: handle of an open presentation request',
  ])
  expect(tables.get('token_families')).not.toBe('')
  const found = [...tables].flatMap(([table, text]) => namesIn(text).map((name) => `${table}: ${name}`))
  expect(found.filter((place) => !remains.has(place)).toSorted()).toEqual([])
})

test('the outbox holds the links that were mailed, and no other secret', () => {
  expect(namesIn(outbox)).toEqual([
    'token in a sign-in link',
    'token in a link that undoes a passkey',
    'token in a link that confirms an address',
    'token in a link that undoes an address',
    // The carrier sends it back when the person presses a button of the message.
    'token in a question to a phone',
  ])
})

test('the memory holds no secret that was used, beyond what has to stay', () => {
  const remains = new Set([
    // Every request of the operator, and every one for metrics, is compared with them.
    'operator token',
    'token that reads metrics',
    // The signatures of the card processor and of the phone service are verified with them.
    'webhook secret',
    'callback secret',
    // The server seals and opens with it. As text it stands in the copy of the environment that @next/env makes.
    'key encryption key',
    // The promise of a lazily loaded page module refers to the request that loaded it. The cookie is replaced within the hour.
    'session cookie of the first page',
  ])
  expect([...heap].filter((name) => !remains.has(name))).toEqual([])
  expect(heap).toContain('operator token')
})
