/**
 * Has random federations judged by the server and by a second, naive resolver, and looks for differences:
 *   npm run fuzz:federations [-- --count 20000] [--seed N]
 */
import { parseArgs } from 'node:util'
import { newSeed } from '../faults/random'
import { startApp } from '../support/app'
import { readCount } from '../support/count'
import { judgeFederations } from './judged-federations'

const { values } = parseArgs({ options: { count: { type: 'string', default: '20000' }, seed: { type: 'string' } } })
const [count, seed] = [readCount('count', values.count), Number(values.seed ?? newSeed())]

const write = (line: string) => process.stdout.write(`${line}\n`)

write(`${count} random federations, seed ${seed}`)
const app = await startApp({ env: { SWITCH_FEDERATION: 'true' }, seed: false })
const startedAt = performance.now()
const { tally, differences } = await judgeFederations(app, { count, seed })
await app.close()
for (const [outcome, times] of Object.entries(tally)) write(`${outcome}: ${times}`)
write(`${Math.round((performance.now() - startedAt) / 1000)} s, ${differences.length} differences`)
for (const difference of differences.slice(0, 10)) write(difference)
process.exit(differences.length === 0 ? 0 : 1)
