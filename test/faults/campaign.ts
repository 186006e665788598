import { setTimeout as delay } from 'node:timers/promises'
import { gather, gatherCaps } from './evidence'
import { classify, type History, isFinal, newHistory, type SettleAnswer } from './history'
import { Incidents } from './incidents'
import { Load } from './load'
import { dailyCap, groupBy } from './money-checks'
import { randomFrom } from './random'
import { Settling } from './settling'
import { judge } from './verdict'
import { World } from './world'

export interface CampaignOptions {
  readonly seed: number
  /** Ends after this many settlements, */
  readonly settlements: number
  /** or after this time, whichever comes first. */
  readonly seconds: number
  readonly members?: number
  readonly workers?: number
  /** Keys whose settlement is requested once more after a restart of every server. */
  readonly replaysAfterRestart?: number
  readonly onProgress?: (line: string) => void
}

export interface CampaignReport {
  readonly settlements: number
  readonly seconds: number
  /** On the servers' clocks, from the end of the faults until everything was decided. */
  readonly secondsToResolve: number
  readonly violations: readonly string[]
  readonly lines: readonly string[]
  readonly faults: ReadonlyMap<string, number>
}

/** M9: five minutes after the processor heals everything is decided. */
const RESOLVED_WITHIN_SECONDS = 300
const REPLAY_WORKERS = 12
const REPLAY_TRIES = 12
const LOOK_EVERY_MS = 1_000
const PROGRESS_EVERY_MS = 10_000
/** Close before midnight, so that a day ends during the run. */
const START = '23:57:00Z'

/** Lets people settle while everything fails, heals the world, and judges what is left. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const random = randomFrom(options.seed)
  const start = new Date(`${new Date().toISOString().slice(0, 10)}T${START}`)
  const world = await World.open({ members: options.members ?? 2, random, start })
  try {
    return await campaign(world, options)
  } finally {
    await world.close()
  }
}

async function campaign(world: World, options: CampaignOptions): Promise<CampaignReport> {
  const settling = new Settling(world, newHistory())
  const load = new Load(world, settling, randomFrom(options.seed + 1))
  await load.populate()
  const startedAt = performance.now()
  const seen = await untilDone(world, load, options)
  const seconds = (performance.now() - startedAt) / 1000
  await world.heal()
  await load.tidyUp()
  const resolved = await resolve(world)
  const left = await replayAll(settling, settling.history)
  await restart(world)
  const again = await replaySome(settling, options.replaysAfterRestart ?? Number.POSITIVE_INFINITY)
  const evidence = await gather(world, settling.history)
  const violations = [...seen, ...resolved.violations, ...left, ...again, ...(await judge(evidence, world.platform))]
  const settlements = evidence.settlements.length
  const lines = [
    `settlements: ${settlements} in ${seconds.toFixed(0)} s`,
    ...countStates(evidence.settlements),
    ...world.tally.lines(),
    `decided ${resolved.seconds.toFixed(0)} s after the faults had ended`,
    `violations: ${violations.length}`,
    ...violations.slice(0, 50).map((text) => `  ${text}`),
  ]
  return { settlements, seconds, secondsToResolve: resolved.seconds, violations, lines, faults: world.tally.faults }
}

function countStates(settlements: readonly { readonly state: string }[]): string[] {
  return [...groupBy(settlements, ({ state }) => state).entries()].map(
    ([state, rows]) => `  ${String(rows.length).padStart(7)}  ${state}`,
  )
}

/** Runs until there are enough settlements or no time is left. Returns what was seen above a cap meanwhile. */
async function untilDone(world: World, load: Load, options: CampaignOptions): Promise<string[]> {
  const incidents = new Incidents(world, randomFrom(options.seed + 2))
  const running = Promise.all([load.run(options.workers ?? 16), incidents.run()])
  const deadline = performance.now() + options.seconds * 1000
  const seen = new Set<string>()
  let settled = 0
  let spokeAt = performance.now()
  while (performance.now() < deadline && settled < options.settlements) {
    await Promise.race([delay(LOOK_EVERY_MS), running])
    settled = (await world.rows<{ n: number }>('SELECT count(*)::int AS n FROM settlements'))[0]?.n ?? 0
    for (const text of dailyCap(await gatherCaps(world))) seen.add(`M1 while settling: ${text}`)
    if (performance.now() - spokeAt < PROGRESS_EVERY_MS) continue
    spokeAt = performance.now()
    options.onProgress?.(`${settled} settlements, ${world.tally.faultTotal} faults`)
  }
  load.stop()
  incidents.stop()
  await running
  return [...seen]
}

/** Plays the cardholders who are still asked, and waits until nothing is undecided. */
async function resolve(world: World): Promise<{ seconds: number; violations: string[] }> {
  const startedAt = world.clock.now().getTime()
  for (;;) {
    const seconds = (world.clock.now().getTime() - startedAt) / 1000
    const open = await world.rows<{ id: string; state: string }>(
      `SELECT id, state FROM settlements WHERE state NOT IN ('succeeded', 'failed')
       UNION ALL SELECT key, kind || ' job ' || state FROM jobs WHERE state <> 'done'`,
    )
    if (open.length === 0 && world.webhooks.pending() === 0) return { seconds, violations: [] }
    if (seconds > RESOLVED_WITHIN_SECONDS) {
      const violations = open.map(({ id, state }) => `M9: ${id} is still ${state} after ${seconds} s`)
      return {
        seconds,
        violations: [...violations, `M9: ${world.webhooks.pending()} events are not taken`].slice(0, 20),
      }
    }
    // Some are asked only now, by a confirmation that has been repeated.
    await world.books.answerCardholders()
    await delay(1_000)
    world.clock.jump(1_000)
  }
}

async function restart(world: World): Promise<void> {
  await Promise.all(world.members.map((member) => member.kill()))
  await world.heal()
}

async function answerUntil(signal: AbortSignal, world: World): Promise<void> {
  while (!signal.aborted) {
    await world.books.answerCardholders()
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

const nameOf = ({ clientId, key }: SettleAnswer) => `${clientId} ${key}`

/** Repeats every request that got an outcome, or none: all have to end in one now. */
async function replayAll(settling: Settling, history: History): Promise<string[]> {
  const groups = groupBy(history.answers, nameOf)
  const wanted = [...groups.values()].flatMap((answers) => {
    const final = answers.find(isFinal)
    if (final !== undefined) return [final]
    return answers.every((answer) => classify(answer) === 'definitive') ? [] : answers.slice(0, 1)
  })
  return replay(settling, wanted)
}

async function replaySome(settling: Settling, count: number): Promise<string[]> {
  const final = [...groupBy(settling.history.answers.filter(isFinal), nameOf).values()].flatMap((group) =>
    group.slice(0, 1),
  )
  const step = Math.max(1, Math.floor(final.length / count))
  return replay(
    settling,
    final.filter((_, index) => index % step === 0),
  )
}

async function replay(settling: Settling, wanted: SettleAnswer[]): Promise<string[]> {
  const violations: string[] = []
  const queue = [...wanted]
  const revoked = new Set(settling.history.revocations.map(({ clientId }) => clientId))
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const answer = await settling.persistently(settling.requestOf(next), REPLAY_TRIES)
      if (classify(answer) !== 'definitive') {
        violations.push(`M9: ${nameOf(answer)} is answered with ${answer.status} ${answer.error} in a healthy world`)
      } else if (isFinal(next) && !isFinal(answer) && !revoked.has(answer.clientId)) {
        violations.push(
          `M5: ${nameOf(answer)} had an outcome, and is now answered with ${answer.status} ${answer.error}`,
        )
      }
    }
  }
  // A request that never arrived is a new one now, and its bank may ask.
  const ended = new AbortController()
  const cardholders = answerUntil(ended.signal, settling.world)
  await Promise.all(Array.from({ length: REPLAY_WORKERS }, work))
  ended.abort()
  await cardholders
  return violations
}
