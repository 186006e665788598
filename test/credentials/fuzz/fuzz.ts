/** Tries what is wrong at random, one try after the other, and judges each answer. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Random, randomFrom } from '../../faults/random'
import type { Answer } from '../../support/actors'
import type { World } from '../verifier'

/** What came of one try. */
export interface Tried {
  readonly outcome: string
  /** Why this must not be; null when it may. */
  readonly fault: string | null
}

/** Sends one mutation. */
export type Try = (random: Random) => Promise<Tried>

/** One kind of input: makes what is mutated, all of it good. */
export type Kind = (world: World) => Promise<Try>

export interface FuzzTally {
  readonly outcomes: Readonly<Record<string, number>>
  /** Answers that must not be: a fault of the server, none in time, or what nobody ever signed. */
  readonly failures: readonly string[]
}

/** No honest request takes so long; a list of others may be waited for. */
const ANSWERED_WITHIN_MS = 10_000

interface Plan {
  readonly kinds: Readonly<Record<string, Kind>>
  readonly count: number
  readonly seed: number
}

/** Tries so many mutations, of any of the kinds, and says what became of them. */
export async function fuzz(world: World, { kinds, count, seed }: Plan): Promise<FuzzTally> {
  const random = randomFrom(seed)
  const tries: [string, Try][] = []
  for (const [name, kind] of Object.entries(kinds)) tries.push([name, await kind(world)])
  const outcomes: Record<string, number> = {}
  const failures: string[] = []
  for (let index = 0; index < count; index += 1) {
    const [name, attempt] = random.pick(tries)
    const { outcome, fault } = await inTime(attempt(random))
    outcomes[`${name} ${outcome}`] = (outcomes[`${name} ${outcome}`] ?? 0) + 1
    if (fault !== null) failures.push(`${index} ${name}: ${fault}`)
  }
  return { outcomes, failures }
}

/** A connection that breaks off is a fault like others: it must not end the run before it has told what it found. */
async function inTime(trying: Promise<Tried>): Promise<Tried> {
  const clock = new AbortController()
  const tried = trying.catch((error: unknown) => ({ outcome: 'broken off', fault: describe(error) }))
  const late = delay(ANSWERED_WITHIN_MS, { outcome: 'late', fault: 'no answer in time' }, { signal: clock.signal })
  const first = await Promise.race([tried, late.catch(() => ({ outcome: '', fault: null }))])
  clock.abort()
  return first
}

const describe = (error: unknown): string =>
  error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error)

interface Judged {
  /** What was sent, to look into a failure with. */
  readonly sent: unknown
  /** Why what was accepted must not have been; null when it may. */
  readonly whyWrong: (answer: Answer<object>) => string | null | Promise<string | null>
  /** Whether 503 `service_unavailable` is an answer that the documentation names. */
  readonly mayBeUnavailable?: boolean
}

/** Counts an answer, and finds what no answer may be. */
export async function judge(answer: Answer<object>, judged: Judged): Promise<Tried> {
  const { status, text } = answer
  const code = codeOf(answer)
  if (status !== 200) {
    const mayBe = isRefusal(status, code) || (judged.mayBeUnavailable === true && code === 'service_unavailable')
    return toTried(`${status} ${code}`, mayBe ? null : `not an answer that may be: ${text}`, judged.sent)
  }
  return toTried('200', await judged.whyWrong(answer), judged.sent)
}

function toTried(outcome: string, why: string | null, sent: unknown): Tried {
  return { outcome, fault: why === null ? null : `${outcome}: ${why}\n${JSON.stringify(sent)}` }
}

/** The code of a refusal, `detail` for that of a validation, null for an answer that says nothing. */
function codeOf({ json }: Answer<object>): string | null {
  if ('error' in json && typeof json.error === 'string') return json.error
  return 'detail' in json ? 'detail' : null
}

const isRefusal = (status: number, code: string | null) =>
  status >= 400 && status < 500 && status !== 429 && code !== null
