/**
 * The time that the server takes for each page of the portal when the person has many payments, on PostgreSQL:
 *   TEST_DATABASE_URL=postgres://… npm run bench:pages -- [--payments 100000] [--rounds 40] [--page payments]
 * The role must be able to create databases. Times are of the whole HTML, one request after the other and four at a time.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { openDemoSession } from '../scripts/portal/session'
import { openDatabase } from '../server/base/platform/database/client'
import { demoPerson } from '../server/surfaces/seed/demo-person'
import { withDatabases } from './support/databases'
import { measure, type Result } from './support/load'
import { type FullWallet, fillWallet } from './support/pages-wallet'
import { baseUrlOf, type Server, startCountersign, stopServer } from './support/servers'

const PORT = 4160
const SLOW_MS = 100
const WARM_UPS = 5
const SIZE = { days: 400, agents: 50, merchants: 20, approvals: 200 }

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '40' },
    page: { type: 'string' },
  },
})
const rounds = Number(values.rounds)

interface Row {
  readonly 'p50 ms': number
  readonly 'p95 ms': number
  readonly '4 at a time, p50 ms': number
  readonly '4 at a time, p95 ms': number
  readonly 'CPU ms': number
}

function pagesOf(wallet: FullWallet): ReadonlyMap<string, string> {
  const { agentId, paymentId, authorizationId, merchant } = wallet
  return new Map([
    ['home', '/'],
    ['approvals', '/approvals'],
    ['approvals, decided', '/approvals?tab=decided'],
    ['limit requests', '/approvals?tab=limits'],
    ['approve, decided', `/approve/${authorizationId}`],
    ['agents', '/agents'],
    ['agents/new', '/agents/new'],
    ['agent', `/agents/${agentId}`],
    ['limits', '/limits'],
    ['merchants', '/merchants'],
    ['payments', '/payments'],
    ['payments of one agent', `/payments?agent=${agentId}`],
    ['payments at one merchant', `/payments?merchant=${encodeURIComponent(merchant)}`],
    ['payments with words', '/payments?q=shop-7'],
    ['spending, twelve months', '/payments?tab=spending&period=last_12_months'],
    ['spending by merchant', '/payments?tab=spending&per=merchant'],
    ['payments, disputed', '/payments?status=disputed_pending'],
    ['payment', `/payments/${paymentId}`],
    ['cards', '/cards'],
    ['activity', '/activity'],
    ['activity of one agent', `/activity?agent=${agentId}`],
    ['developers', '/developers'],
    ['settings/notifications', '/settings/notifications'],
    ['settings/security', '/settings/security'],
    ['settings/security/activity', '/settings/security/activity'],
    ['settings/credentials', '/settings/credentials'],
    ['settings/privacy', '/settings/privacy'],
    ['settings/age', '/settings/age'],
    ['settings/privacy/erase', '/settings/privacy/erase'],
  ])
}

async function measurePages(server: Server, wallet: FullWallet): Promise<ReadonlyMap<string, Row>> {
  const { name, value } = await openDemoSession(server.baseUrl)
  const headers = { cookie: `${name}=${value}`, accept: 'text/html', 'accept-encoding': 'gzip' }
  const rows = new Map<string, Row>()
  const pages = pagesOf(wallet)
  if (values.page !== undefined && !pages.has(values.page)) throw new Error(`no page is called "${values.page}"`)
  for (const [page, address] of pages) {
    if (values.page !== undefined && values.page !== page) continue
    const ask = async (count: number, connections: number): Promise<Result> => {
      const requests = Array.from({ length: count }, () => ({ method: 'GET', path: address, headers }))
      return (await measure(server, requests, { connections, accepts: (status) => status === 200 })).result
    }
    await ask(WARM_UPS, 1)
    const [alone, together] = [await ask(rounds, 1), await ask(rounds * 2, 4)]
    const row = {
      'p50 ms': rounded(alone.p50),
      'p95 ms': rounded(alone.p95),
      '4 at a time, p50 ms': rounded(together.p50),
      '4 at a time, p95 ms': rounded(together.p95),
      'CPU ms': rounded(alone.cpuMs),
    }
    console.log(`  ${page}: ${row['p50 ms']} ms`)
    rows.set(page, row)
  }
  return rows
}

const rounded = (ms: number) => Number(ms.toFixed(1))

async function run(databaseUrl: string): Promise<ReadonlyMap<string, Row>> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
  const server = await startCountersign({ port: PORT, lane: 'direct', dataDir, databaseUrl })
  try {
    const db = await openDatabase({ databaseUrl, dataDir: '', databasePoolSize: 1 })
    console.log(`${baseUrlOf(PORT)}: ${demoPerson.displayName} gets ${values.payments} payments`)
    const began = performance.now()
    const wallet = await fillWallet(db, { ...SIZE, payments: Number(values.payments) })
    await db.close()
    console.log(`filled in ${Math.round((performance.now() - began) / 1000)} s`)
    return await measurePages(server, wallet)
  } finally {
    await stopServer(server)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const serverUrl = process.env['TEST_DATABASE_URL'] ?? process.env['DATABASE_URL'] ?? ''
const rows = await withDatabases(serverUrl, ['bench_pages'], ({ bench_pages: url }) => run(url))
console.table(Object.fromEntries(rows))
const slow = [...rows].filter(([, row]) => row['p95 ms'] > SLOW_MS).map(([page]) => page)
console.log(
  slow.length === 0
    ? `No page takes more than ${SLOW_MS} ms at p95.`
    : `Slower than ${SLOW_MS} ms at p95: ${slow.join(', ')}`,
)
