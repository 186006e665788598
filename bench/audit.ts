/**
 * The cost of proofs and appends of a long audit chain, in one run against a PostgreSQL server:
 *   DATABASE_URL=postgres://… npm run bench:audit [-- --entries 1000000] [--appends 1000]
 * The role in the URL must be able to create databases. Appends to a chain of 1,000 entries and to the long one take turns.
 * Ends with 1 when a median is above its limit: 50 ms for a proof, 4 kB for a proof of one entry, and 10 % more for an
 * append to the long chain than to the short one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Platform } from '../server/base/core/platform'
import { sql } from '../server/base/core/sql'
import { composePlatform } from '../server/base/platform/compose'
import { checkpointTenant, proveConsistency, proveInclusion, recordAudit } from '../server/shared/audit'
import { withDatabases } from './support/databases'
import { fillChain, paymentRecord } from './support/full-tables'

const { values } = parseArgs({
  options: {
    entries: { type: 'string', default: '1000000' },
    appends: { type: 'string', default: '1000' },
    proofs: { type: 'string', default: '200' },
  },
})
const [entries, appends, proofs] = [Number(values.entries), Number(values.appends), Number(values.proofs)]
const SHORT = 1_000
const PROOF_MILLISECONDS = 50
const PROOF_BYTES = 4_000
const APPEND_RATIO = 1.1

/** Returns the milliseconds of each run of `work`. */
async function time(count: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let at = 0; at < count; at += 1) {
    const start = performance.now()
    await work(at)
    taken.push(performance.now() - start)
  }
  return taken.toSorted((one, other) => one - other)
}

const quantile = (taken: readonly number[], share: number): number =>
  taken[Math.floor(share * (taken.length - 1))] ?? Number.NaN
const median = (taken: readonly number[]): number => quantile(taken, 0.5)

function describe(taken: readonly number[]): string {
  const at = (share: number): string => quantile(taken, share).toFixed(2)
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms`
}

/** Prints whether a figure is within its limit; if not, the exit code of the run is 1. */
function reportFigure(what: string, figure: number, limit: number): void {
  const passes = figure <= limit
  if (!passes) process.exitCode = 1
  console.log(`${passes ? 'PASS' : 'FAIL'} ${what}: ${figure.toFixed(2)}, at most ${limit}`)
}

const randomPlace = (size: number): number => 1 + Math.floor(Math.random() * size)

async function measureProofs(platform: Platform, tenantId: string): Promise<void> {
  let bytes = 0
  const inclusion = await time(proofs, async () => {
    const proof = await proveInclusion(platform, { tenantId, seq: randomPlace(entries) })
    if (proof === null) throw new Error('there is no proof')
    bytes = Math.max(bytes, JSON.stringify(proof).length)
  })
  console.log(`proof of one entry of ${entries}: ${describe(inclusion)}, at most ${bytes} bytes`)
  reportFigure('milliseconds of a proof of one entry', median(inclusion), PROOF_MILLISECONDS)
  reportFigure('bytes of a proof of one entry', bytes, PROOF_BYTES)
  const consistency = await time(proofs, async () => {
    const [from = 1, to = 1] = [randomPlace(entries), randomPlace(entries)].toSorted((one, other) => one - other)
    const proof = await proveConsistency(platform, { tenantId, from, to })
    if (proof === null) throw new Error('there is no proof')
  })
  console.log(`consistency of two trees: ${describe(consistency)}`)
  reportFigure('milliseconds of a consistency proof', median(consistency), PROOF_MILLISECONDS)
}

async function measureAppends({ db }: Platform, [short, long]: readonly [string, string]): Promise<void> {
  const append = (tenantId: string) => (at: number) =>
    db.transaction((tx) => recordAudit(tx, paymentRecord(tenantId, at)))
  const taken = new Map([short, long].map((tenantId): [string, number[]] => [tenantId, []]))
  await time(100, append(short))
  for (let round = 0; round < 20; round += 1) {
    for (const tenantId of [short, long]) taken.get(tenantId)?.push(...(await time(appends / 20, append(tenantId))))
  }
  const sortedOf = (tenantId: string) => (taken.get(tenantId) ?? []).toSorted((one, other) => one - other)
  const [toShort, toLong] = [sortedOf(short), sortedOf(long)]
  console.log(`append to ${SHORT} entries: ${describe(toShort)}`)
  console.log(`append to ${entries} entries: ${describe(toLong)}`)
  reportFigure('ratio of an append to the long chain', median(toLong) / median(toShort), APPEND_RATIO)
}

async function run(platform: Platform): Promise<void> {
  await fillChain(platform.db, 'short', SHORT)
  const [filled] = await time(1, () => fillChain(platform.db, 'long', entries))
  console.log(`filled ${entries} entries in ${((filled ?? 0) / 1_000).toFixed(1)} s`)
  await platform.db.query(sql`ANALYZE audit_entries`)
  const [first] = await time(1, () => checkpointTenant(platform, 'long'))
  console.log(`first checkpoint, over all of them: ${((first ?? 0) / 1_000).toFixed(1)} s`)
  await measureProofs(platform, 'long')
  await measureAppends(platform, ['short', 'long'])
  const [next] = await time(1, () => checkpointTenant(platform, 'long'))
  console.log(`next checkpoint, over ${appends} new entries: ${(next ?? 0).toFixed(0)} ms`)
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))
try {
  await withDatabases(process.env['DATABASE_URL'] ?? '', ['audit_bench'], async (urls) => {
    const { platform, close } = await composePlatform({
      PORT: '4190',
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      LOG_LEVEL: 'error',
      DATABASE_URL: urls.audit_bench,
    })
    try {
      await run(platform)
    } finally {
      await close()
    }
  })
} finally {
  rmSync(dataDir, { recursive: true })
}
