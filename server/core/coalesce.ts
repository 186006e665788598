import { ServiceError } from './errors'

/**
 * Runs together what arrives while an earlier run is under way: one run at a time, at most `most` inputs in each. The
 * answers come in the order of the inputs. A run that is refused must have done nothing: its inputs are then tried one by
 * one, so that what is wrong with one of them is no other's trouble. When the parts below are away nobody tries again,
 * since it is not known how far the run came.
 */
export function coalesced<I, O>(
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
      if (!running) void drain()
    })
}

/** The same for work on something that lives as long as the process or shorter, a database for one: each has runs of its own. */
export function coalescedFor<T extends object, I, O>(
  run: (target: T, inputs: readonly I[]) => Promise<readonly O[]>,
  most: number,
): (target: T, input: I) => Promise<O> {
  const askers = new WeakMap<T, (input: I) => Promise<O>>()
  return (target, input) => {
    const ask = askers.get(target) ?? coalesced((inputs: readonly I[]) => run(target, inputs), most)
    askers.set(target, ask)
    return ask(input)
  }
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
