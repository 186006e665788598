/**
 * CPU time per request of mixed traffic with one process and with several on one port, including their supervisor:
 *   DATABASE_URL=postgres://… REDIS_URL=redis://… npm run bench:workers -- [--workers 1,2,4] [--purchases 1000] [--warm-ups 300]
 * Measured at saturation, and at half the rate that saturates one process: there all configurations begin the same
 * number of purchases per second, and the database and the load leave the cores the same time. Warm-ups are purchases
 * for each process before the clock starts, so that its code is compiled. The role in DATABASE_URL must be able to
 * create databases.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Crowd, withCrowd } from './support/crowd'
import { cpuOf, familyOf, sumOverFamily } from './support/load'
import { buyAtPace, buyInTurns, countOf, newTimes } from './support/purchases'
import { reportFigures } from './support/results'

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,2,4' },
    purchases: { type: 'string', default: '1000' },
    'warm-ups': { type: 'string', default: '300' },
  },
})
const [purchases, warmUps] = [Number(values.purchases), Number(values['warm-ups'])]

const PORT = 4202
const SHOPPERS = 50
const GOAL = 1.1
const SHARE_OF_SATURATION = 0.5
const LOOK_EVERY_MS = 500
const IDLE_MS = 50
const READY_WITHIN_MS = 60_000

interface Cost {
  readonly workers: number
  readonly perSecond: number
  /** The CPU time per request in milliseconds, of all processes. */
  readonly saturated: number
  readonly atPace: number
}

const cpuOfAll = ({ server }: Crowd) => sumOverFamily(server.pid, cpuOf)

/** Waits until all workers have started, since one answers before the others. */
async function untilStarted(crowd: Crowd, workers: number): Promise<void> {
  const giveUpAt = performance.now() + READY_WITHIN_MS
  const processes = workers === 1 ? 1 : workers + 1
  let before = 0
  for (;;) {
    const cpu = cpuOfAll(crowd)
    if (familyOf(crowd.server.pid).length === processes && cpu - before < IDLE_MS) return
    if (performance.now() > giveUpAt) throw new Error(`${workers} workers have not started`)
    before = cpu
    await delay(LOOK_EVERY_MS)
  }
}

async function costOf(crowd: Crowd, workers: number, first?: Cost): Promise<Cost> {
  await untilStarted(crowd, workers)
  await buyInTurns(crowd, { purchases: warmUps * workers })
  const before = cpuOfAll(crowd)
  const { perSecond, requests } = await buyInTurns(crowd, { purchases })
  const between = cpuOfAll(crowd)
  const times = newTimes()
  await buyAtPace(crowd, times, { perSecond: (first?.perSecond ?? perSecond) * SHARE_OF_SATURATION, purchases })
  const [saturated, atPace] = [(between - before) / requests, (cpuOfAll(crowd) - between) / countOf(times)]
  return { workers, perSecond, saturated, atPace }
}

if (!process.env['REDIS_URL']) throw new Error('REDIS_URL must name a Redis server, which workers share')
const costs: Cost[] = []
for (const [index, workers] of values.workers.split(',').map(Number).entries()) {
  const options = { port: PORT + index, shoppers: SHOPPERS, env: { WORKERS: String(workers) } }
  await withCrowd(options, async (crowd) => void costs.push(await costOf(crowd, workers, costs[0])))
}
const [first, ...others] = costs
if (first === undefined) throw new Error('--workers names none')
console.table(
  costs.map(({ workers, perSecond, saturated, atPace }) => ({
    workers,
    'purchases/s': Number(perSecond.toFixed(1)),
    'CPU ms/request': Number(saturated.toFixed(2)),
    'at the same pace': Number(atPace.toFixed(2)),
  })),
)
reportFigures(
  others.map(({ workers, saturated, atPace }) => ({
    what: `CPU per request with WORKERS=${workers} in that with ${first.workers}, at the same pace`,
    figure: `${(atPace / first.atPace).toFixed(2)} (${atPace.toFixed(2)} ms, ${first.atPace.toFixed(2)} ms; saturated ${(saturated / first.saturated).toFixed(2)})`,
    goal: `at most ${GOAL}`,
    met: atPace / first.atPace <= GOAL,
  })),
)
