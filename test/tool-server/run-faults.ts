/** `npm run faults:tools -- --rounds N [--seed S]`: kills the tool server or the authorization server at each step of a purchase. */
import { parseArgs } from 'node:util'
import { newSeed, type Random, randomFrom } from '../faults/random'
import { readCount } from '../support/count'
import { type FaultWorld, openFaultWorld } from './fault-world'
import { type Fault, newBuyer, playRound, wrongCharges } from './faults'
import { removeHomes } from './tool-host'

/** One page of payment history. */
const ROUNDS_PER_BUYER = 50
/** A purchase has about ten messages, so that some rounds see no fault. */
const LAST_MESSAGE = 10
const MAX_ROUNDS = 2_000

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

const pickFault = (random: Random): Fault => ({
  victim: random.pick(['tool server', 'authorization server']),
  moment: random.pick(['before', 'during', 'after']),
  message: random.int(0, LAST_MESSAGE),
  route: random.pick(['merchant_base_api', 'merchant_verify_url']),
})

/** Rounds of one buyer; says what was wrong. */
async function playRounds(world: FaultWorld, random: Random, prices: readonly number[]): Promise<string[]> {
  const buyer = await newBuyer(world)
  const wrong: string[] = []
  try {
    for (const price of prices) {
      const fault = pickFault(random)
      const found = await playRound(world, buyer, { fault, price })
      wrong.push(...found.map((line) => `${JSON.stringify(fault)}: ${line}`))
    }
    return [...wrong, ...(await wrongCharges(world, buyer, prices))]
  } finally {
    await buyer.host.close()
  }
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string' } } })
const rounds = Math.min(MAX_ROUNDS, readCount('rounds', values.rounds))
const seed = Number(values.seed ?? newSeed())
say(`seed: ${seed}`)
const random = randomFrom(seed)
const world = await openFaultWorld()
const wrong: string[] = []
const startedAt = performance.now()
for (let first = 0; first < rounds; first += ROUNDS_PER_BUYER) {
  const count = Math.min(ROUNDS_PER_BUYER, rounds - first)
  const prices = Array.from({ length: count }, (_, index) => 100 + index)
  wrong.push(...(await playRounds(world, random, prices)))
  say(
    `${first + count} of ${rounds} rounds, ${Math.round((performance.now() - startedAt) / 1000)} s, wrong: ${wrong.length}`,
  )
}
await world.close()
await removeHomes()
for (const line of wrong) say(line)
process.exit(wrong.length === 0 ? 0 : 1)
