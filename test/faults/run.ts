/** `npm run faults -- --minutes N [--seed S] [--settlements M]`: settles under random faults and says what broke. */
import { parseArgs } from 'node:util'
import { readCount } from '../support/count'
import { runCampaign } from './campaign'
import { newSeed } from './random'

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    settlements: { type: 'string' },
    members: { type: 'string', default: '2' },
    workers: { type: 'string', default: '16' },
  },
})

if (!process.env['TEST_DATABASE_URL']) {
  say('Set TEST_DATABASE_URL to a PostgreSQL role that may create databases, and optionally TEST_REDIS_URL.')
  process.exit(2)
}

const seed = Number(values.seed ?? newSeed())
say(`seed: ${seed}`)
const report = await runCampaign({
  seed,
  settlements:
    values.settlements === undefined ? Number.POSITIVE_INFINITY : readCount('settlements', values.settlements),
  seconds: readCount('minutes', values.minutes) * 60,
  members: readCount('members', values.members),
  workers: readCount('workers', values.workers),
  replaysAfterRestart: 1_000,
  onProgress: say,
})
say(report.lines.join('\n'))
process.exit(report.violations.length === 0 ? 0 : 1)
