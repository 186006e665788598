/**
 * The whole product under mixed traffic: the times of the requests of purchases while the server is busy, the growth of
 * its memory, and the purchases per second at which it is saturated:
 *   DATABASE_URL=postgres://… [REDIS_URL=redis://…] npm run bench:mix -- [--minutes 10] [--purchases 1000000]
 *     [--shoppers 50] [--saturation-seconds 25] [--database embedded]
 * Saturation is measured by agents that buy as fast as they are served. Then purchases begin at fixed times, however long
 * the earlier ones take. The load signs as it goes, on the same machine. The role in DATABASE_URL must be able to create
 * databases.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Crowd, withCrowd, withEmbeddedCrowd } from './support/crowd'
import { cpuOf, median, memoryOf, percentiles, sumOverFamily } from './support/load'
import { buyAtPace, buyInTurns, countOf, newTimes, requestKinds, type Times } from './support/purchases'
import { type Figure, reportFigures } from './support/results'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    purchases: { type: 'string', default: '1000000' },
    shoppers: { type: 'string', default: '50' },
    'saturation-seconds': { type: 'string', default: '25' },
    database: { type: 'string', default: 'postgres' },
  },
})
const minutes = Number(values.minutes)
const saturationSeconds = Number(values['saturation-seconds'])

const PORT = 4200
const WARM_UP_SECONDS = 20
const SHARE_OF_SATURATION = 0.7
const SAMPLE_EVERY_MS = 5_000
const MEMORY_GOAL = 1.1

const goals = [
  { kind: 'par', what: 'POST /oauth/par', p95: 120, p99: 250 },
  { kind: 'token', what: 'POST /oauth/token', p95: 180, p99: 350 },
  { kind: 'verify-mandate', what: 'POST /merchant_test/verify-mandate', p95: 40, p99: 120 },
  { kind: 'status list', what: 'GET /oauth/status-list', p95: 30, p99: 80 },
  { kind: 'charge', what: 'POST /merchant_test/charge', p95: 800, p99: 1_500 },
] as const

/** Returns the server's memory in megabytes, every five seconds while `work` runs. */
async function sampleMemory({ server }: Crowd, work: () => Promise<void>): Promise<number[]> {
  const samples: number[] = []
  const over = new AbortController()
  const watch = async () => {
    while (!over.signal.aborted) {
      samples.push(sumOverFamily(server.pid, memoryOf))
      await delay(SAMPLE_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  await Promise.all([work().finally(() => over.abort()), watch()])
  return samples
}

function memoryFigure(samples: readonly number[]): Figure {
  const warmUp = Math.ceil(Math.min(samples.length / 10, 60_000 / SAMPLE_EVERY_MS))
  const warm = samples.slice(Math.min(warmUp, samples.length - 1))
  const tenth = Math.ceil(warm.length / 10)
  const [first, last] = [median(warm.slice(0, tenth)), median(warm.slice(-tenth))]
  const ratio = last / first
  return {
    what: `memory in the last tenth of ${minutes} minutes in that of the first, ${values.database}`,
    figure: `${ratio.toFixed(2)} (${Math.round(last)} MB, ${Math.round(first)} MB)`,
    goal: `at most ${MEMORY_GOAL}`,
    met: ratio <= MEMORY_GOAL,
  }
}

function report(times: Times, samples: readonly number[]): void {
  const rounded = (ms: number) => Number(ms.toFixed(1))
  console.table(
    requestKinds.map((kind) => {
      const { p50, p95, p99 } = percentiles(times[kind])
      const max = times[kind].reduce((most, time) => Math.max(most, time), 0)
      const count = times[kind].length
      return { kind, count, p50: rounded(p50), p95: rounded(p95), p99: rounded(p99), max: rounded(max) }
    }),
  )
  const latencies = goals.map((goal) => {
    const { p50, p95, p99 } = percentiles(times[goal.kind])
    return {
      what: `${goal.what} at 70 % of saturation, ${values.database}`,
      figure: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      goal: `p95 ${goal.p95} ms, p99 ${goal.p99} ms`,
      met: p95 <= goal.p95 && p99 <= goal.p99,
    }
  })
  reportFigures([...latencies, memoryFigure(samples)])
}

async function run(crowd: Crowd): Promise<void> {
  await buyInTurns(crowd, { seconds: WARM_UP_SECONDS })
  const saturated = await buyInTurns(crowd, { seconds: saturationSeconds })
  const perSecond = saturated.perSecond * SHARE_OF_SATURATION
  console.log(`saturated at ${saturated.perSecond.toFixed(1)} purchases a second; now ${perSecond.toFixed(1)}`)
  const purchases = Math.min(Number(values.purchases), Math.ceil(perSecond * minutes * 60))
  const times = newTimes()
  const [began, cpuBefore] = [performance.now(), sumOverFamily(crowd.server.pid, cpuOf)]
  const samples = await sampleMemory(crowd, () => buyAtPace(crowd, times, { perSecond, purchases }))
  const [elapsed, cpuMs] = [performance.now() - began, sumOverFamily(crowd.server.pid, cpuOf) - cpuBefore]
  report(times, samples)
  const cores = (cpuMs / elapsed).toFixed(2)
  console.log(`${purchases} purchases in ${countOf(times)} requests, ${cores} cores of the server in use.`)
}

const options = { port: PORT, shoppers: Number(values.shoppers) }
await (values.database === 'embedded' ? withEmbeddedCrowd(options, run) : withCrowd(options, run))
