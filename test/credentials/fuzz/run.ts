/**
 * Sends what is wrong in proofs, presentations, requests, responses and status lists, and looks for faults, for answers
 * that do not come, and for forgeries that are accepted:
 *   npm run fuzz:presentations [-- --count 50000] [--seed N] [--kinds proofs,responses]
 */
import { parseArgs } from 'node:util'
import { newSeed } from '../../faults/random'
import { readCount } from '../../support/count'
import { startWorld, stopWorld } from '../verifier'
import { fuzz } from './fuzz'
import { allKinds } from './kinds'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    seed: { type: 'string' },
    kinds: { type: 'string', default: Object.keys(allKinds).join() },
  },
})
const [count, seed] = [readCount('count', values.count), Number(values.seed ?? newSeed())]
const wanted = values.kinds.split(',')
const kinds = Object.fromEntries(Object.entries(allKinds).filter(([name]) => wanted.includes(name)))

const write = (line: string) => process.stdout.write(`${line}\n`)

write(`${count} mutations of ${Object.keys(kinds).join(', ')}, seed ${seed}`)
const world = await startWorld()
const startedAt = performance.now()
const { outcomes, failures } = await fuzz(world, { kinds, count, seed })
await stopWorld(world)
const names = Object.keys(outcomes).toSorted((one, other) => one.localeCompare(other))
for (const outcome of names) write(`${outcome}: ${outcomes[outcome]}`)
write(`${Math.round((performance.now() - startedAt) / 1000)} s, ${failures.length} failures`)
for (const failure of failures.slice(0, 10)) write(failure)
process.exit(failures.length === 0 ? 0 : 1)
