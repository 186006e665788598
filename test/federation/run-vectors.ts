/** Resolves all public vectors of metadata policies over HTTP: npm run vectors:federation. */
import { everyVector, resolveVectors } from './policy-vectors'

const write = (line: string) => process.stdout.write(`${line}\n`)

const startedAt = performance.now()
const vectors = everyVector(1)
const { tally, refused, differences } = await resolveVectors(vectors)
for (const [outcome, times] of Object.entries(tally)) write(`${outcome}: ${times}`)
write(`refused at registration: ${refused.join(' ')}`)
write(
  `${vectors.length} vectors, ${Math.round((performance.now() - startedAt) / 1000)} s, ${differences.length} differences`,
)
for (const difference of differences.slice(0, 10)) write(difference)
process.exit(differences.length === 0 ? 0 : 1)
