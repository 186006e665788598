import { outsideSpans } from './current-span'
import { ServiceError } from './errors'

/**
 * Returns a function that batches: inputs that arrive while a run is under way wait and go together into the next one,
 * at most `most` in each, one run at a time. `run` answers in the order of the inputs. A run that is refused must have
 * done nothing: its inputs are then tried one by one, so that only the one at fault fails. During an outage nothing is
 * tried again, since it is not known how far the run came.
 */
export function batched<I, O>(
  run: (inputs: readonly I[]) => Promise<readonly O[]>,
  most: number,
): (input: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = []
  let running = false
  const drain = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) await runOnce(run, waiting.splice(0, most))
    running = false
  }
  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, resolve, reject })
      // In the span of one request the others' work would be taken for its own.
      if (!running) void outsideSpans(drain)
    })
}

/** {@link batched} for work on a target, such as a database: each target has runs of its own. */
export function batchedFor<T extends object, I, O>(
  run: (target: T, inputs: readonly I[]) => Promise<readonly O[]>,
  most: number,
): (target: T, input: I) => Promise<O> {
  const batchers = new WeakMap<T, (input: I) => Promise<O>>()
  return (target, input) => {
    const ask = batchers.get(target) ?? batched((inputs: readonly I[]) => run(target, inputs), most)
    batchers.set(target, ask)
    return ask(input)
  }
}

/** Sorts rows into the order of the inputs, whose places they name; null for an input without a row. */
export function inPlaces<R extends { readonly place: number }>(
  rows: readonly R[],
  inputs: readonly unknown[],
): (R | null)[] {
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return inputs.map((_, place) => byPlace.get(place) ?? null)
}

/** The most lookups that one statement answers. */
const LOOKED_UP_AT_ONCE = 50

/**
 * {@link batchedFor} for rows that are looked up by a key: `list` reads the rows that exist, in any order, and `keyOf`
 * returns the key of a row. A lookup returns null when there is no row.
 */
export function lookedUpTogether<T extends object, R>(
  list: (target: T, keys: readonly string[]) => Promise<readonly R[]>,
  keyOf: (row: R) => string,
): (target: T, key: string) => Promise<R | null> {
  return batchedFor(async (target, keys) => {
    const byKey = new Map((await list(target, keys)).map((row) => [keyOf(row), row]))
    return keys.map((key) => byKey.get(key) ?? null)
  }, LOOKED_UP_AT_ONCE)
}

interface Waiting<I, O> {
  readonly input: I
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
}

function isOutage(error: unknown): boolean {
  return error instanceof ServiceError && error.status >= 500
}

async function runOnce<I, O>(
  run: (inputs: readonly I[]) => Promise<readonly O[]>,
  batch: readonly Waiting<I, O>[],
): Promise<void> {
  try {
    const outputs = await run(batch.map(({ input }) => input))
    for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as O)
  } catch (error) {
    if (batch.length === 1 || isOutage(error)) for (const { reject } of batch) reject(error)
    else for (const waiting of batch) await runOnce(run, [waiting])
  }
}
