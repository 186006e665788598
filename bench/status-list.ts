/**
 * Reads of a long status list: at rest, and while mandates are continually revoked, each of which renews the list:
 *   DATABASE_URL=postgres://… npm run bench:status-list -- [--mandates 1000000] [--seconds 20] [--per-second 10] [--profile <directory>]
 * One in a hundred of the mandates is revoked. The role in the URL must be able to create databases; filling the tables
 * takes a minute for a million.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { inflateSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import { STATUS, statusAt } from '../server/base/protocol/status-list'
import { MANDATE_PLACES } from '../server/oauth/mandates/status-index'
import { Agent, must, newWalletClient, operate } from '../test/support/actors'
import { concurrently } from './support/concurrently'
import { withClient } from './support/databases'
import { letPeoplePay, MERCHANT } from './support/full-tables'
import { measure, measureUntil, type Prepared, percentiles, type Result, rowOf } from './support/load'
import { withPayingServer } from './support/paying-server'
import { reportFigures } from './support/results'
import type { Server } from './support/servers'
import { signedForm } from './support/signed-form'

const { values } = parseArgs({
  options: {
    mandates: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '20' },
    'per-second': { type: 'string', default: '10' },
    connections: { type: 'string', default: '16' },
    profile: { type: 'string' },
  },
})
const [mandates, connections] = [Number(values.mandates), Number(values.connections)]
const [seconds, perSecond] = [Number(values.seconds), Number(values['per-second'])]

const PORT = 4222
const REVOKED_OF = 100
/** The goals for the public endpoint, in milliseconds. */
const GOALS = { p95: 30, p99: 80 } as const

const read: Prepared = {
  method: 'GET',
  path: '/oauth/status-list',
  headers: { accept: 'application/statuslist+jwt' },
}
const reading = { connections, accepts: (status: number) => status === 200 }
const alone = { connections: 1, accepts: (status: number) => status === 200 }

/** Inserts mandates at random places of the list, each with its own token family; one in a hundred is revoked. */
async function fillMandates(databaseUrl: string, clientId: string): Promise<void> {
  const statements = [
    `CREATE TEMP TABLE places AS
     SELECT row_number() OVER () AS n, place
       FROM (SELECT place FROM generate_series(0, ${MANDATE_PLACES - 1}) place ORDER BY random() LIMIT ${mandates}) drawn`,
    `INSERT INTO token_families (id, client_id, principal_id, tenant_id, kind, jkt, scope, resources, authorization_details,
                                 mandate_id, auth_time, created_at, expires_at)
     SELECT 'old-' || n, id, principal_id, tenant_id, 'payment', 'jkt', '[]', '[]', '[]', 'old-' || n, now(), now(),
            now() + interval '1 day'
       FROM places, clients WHERE id = '${clientId}'`,
    `INSERT INTO mandates (id, family_id, client_id, principal_id, tenant_id, merchant_audience, amount_minor, currency, jkt,
                           status_index, issued_at, expires_at, revoked_at)
     SELECT 'old-' || n, 'old-' || n, id, principal_id, tenant_id, '${MERCHANT}', 10, 'EUR', 'jkt', place, now(),
            now() + interval '300 seconds', CASE WHEN n % ${REVOKED_OF} = 0 THEN now() END
       FROM places, clients WHERE id = '${clientId}'`,
    'UPDATE status_lists SET version = version + 1, places_used = (SELECT count(*) FROM mandates)',
    'VACUUM (ANALYZE)',
  ]
  await withClient(databaseUrl, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

/** A mandate that can be revoked: the signed request for it, and its place in the list. */
interface Revocation {
  readonly request: Prepared
  readonly place: number
}

async function buyRevocation(agent: Agent): Promise<Revocation> {
  const { mandate_jwt: mandate, refresh_token: token } = await agent.buy({ merchant: MERCHANT, amount_minor: 10 })
  const parameters = { token, token_type_hint: 'refresh_token' }
  const claims = decodeJwt<{ status: { status_list: { idx: number } } }>(mandate.split('~')[0] ?? '')
  return {
    request: await signedForm(agent, '/oauth/revoke', { parameters, proof: false }),
    place: claims.status.status_list.idx,
  }
}

function statusesOf(token: string): Buffer {
  const { status_list: list } = decodeJwt<{ status_list: { lst: string } }>(token)
  return inflateSync(Buffer.from(list.lst, 'base64url'))
}

const isRevoked = (bytes: Buffer, place: number) => statusAt({ bits: 1, bytes }, place) === STATUS.invalid

function countRevoked(statuses: Buffer): number {
  let count = 0
  for (let place = 0; place < statuses.length * 8; place += 1) if (isRevoked(statuses, place)) count += 1
  return count
}

interface Revoked {
  /** How long the revocation took, in milliseconds. */
  readonly revocation: number
  /** How long the first read after it took, in milliseconds. */
  readonly firstRead: number
}

/** Revokes a mandate, and checks that the first read afterwards shows it. */
async function revokeAndRead(server: Server, { request, place }: Revocation): Promise<Revoked> {
  const revocation = await measure(server, [request], alone)
  const { result, outcomes } = await measure(server, [read], alone)
  if (!isRevoked(statusesOf(outcomes[0] ?? ''), place)) throw new Error(`place ${place} is not revoked in the list`)
  return { revocation: revocation.result.p50, firstRead: result.p50 }
}

/** Starts revocations at a fixed rate per second, however long each takes. */
async function revokeAll(server: Server, revocations: readonly Revocation[]) {
  const revoked = await Promise.all(
    revocations.map(async (revocation, index) => {
      await delay((index * 1000) / perSecond)
      return revokeAndRead(server, revocation)
    }),
  )
  return {
    revocations: percentiles(revoked.map((one) => one.revocation)),
    firstReads: percentiles(revoked.map((one) => one.firstRead)),
  }
}

type Times = Pick<Result, 'p50' | 'p95' | 'p99'>

function report(measured: Readonly<Record<string, Times>>): void {
  reportFigures(
    Object.entries(measured).flatMap(([what, times]) =>
      (['p95', 'p99'] as const).map((figure) => ({
        what: `status list of ${mandates} mandates, ${what}: ${figure}`,
        figure: `${times[figure].toFixed(1)} ms (p50 ${times.p50.toFixed(1)} ms)`,
        goal: `at most ${GOALS[figure]} ms`,
        met: times[figure] <= GOALS[figure],
      })),
    ),
  )
}

async function openAgent(server: Server, databaseUrl: string): Promise<Agent> {
  const { clientId: tenantId } = await newWalletClient(server)
  const created = await operate(server, 'POST', '/principals', { wallet_client_id: tenantId })
  await letPeoplePay(databaseUrl)
  const agent = await Agent.register(server, must(created, 201)['principal_id'] ?? '')
  await fillMandates(databaseUrl, agent.clientId)
  return agent
}

/** Reads without a pause for the given seconds. */
const readFor = (server: Server) =>
  measureUntil(server, read, { ...reading, until: AbortSignal.timeout(seconds * 1000) })

/** Reads without a pause while mandates are revoked. Returns the figures of both. */
async function readWhileRevoking(server: Server, revocations: readonly Revocation[]) {
  const ended = new AbortController()
  const reads = measureUntil(server, read, { ...reading, until: ended.signal })
  const revoked = await revokeAll(server, revocations).finally(() => ended.abort())
  return { reads: await reads, revoked }
}

const timesRow = (what: string, { p50, p95, p99 }: Times) => ({
  what,
  'p50 ms': Number(p50.toFixed(1)),
  'p95 ms': Number(p95.toFixed(1)),
  'p99 ms': Number(p99.toFixed(1)),
})

await withPayingServer({ port: PORT, profile: values.profile }, async ({ server, databaseUrl }) => {
  const began = performance.now()
  const agent = await openAgent(server, databaseUrl)
  console.log(`tables filled in ${Math.round((performance.now() - began) / 1000)} s`)
  const { outcomes } = await measure(server, [read], alone)
  const revoked = countRevoked(statusesOf(outcomes[0] ?? ''))
  if (revoked !== Math.floor(mandates / REVOKED_OF)) throw new Error(`the list has ${revoked} revoked mandates`)
  console.log(`the list has ${revoked} revoked mandates; its token takes ${outcomes[0]?.length} bytes`)

  const rest = await readFor(server)
  const each = seconds * perSecond
  const bought = await concurrently(Array.from({ length: 2 * each }), connections, () => buyRevocation(agent))
  const quiet = await revokeAll(server, bought.slice(0, each))
  const busy = await readWhileRevoking(server, bought.slice(each))
  console.table([
    { ...timesRow('reads at rest', rest), ...rowOf(rest) },
    { ...timesRow('reads while mandates are revoked', busy.reads), ...rowOf(busy.reads) },
    timesRow('revocations with no reads beside them', quiet.revocations),
    timesRow('revocations beside reads', busy.revoked.revocations),
  ])
  report({
    'at rest': rest,
    [`while ${perSecond} a second are revoked`]: busy.reads,
    'first read after a revocation, beside others': busy.revoked.firstReads,
    'first read after a revocation, with no others': quiet.firstReads,
  })
})
