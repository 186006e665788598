/**
 * Runs together what arrives while an earlier run is under way: one run at a time, at most `most` inputs in each. The
 * answers come in the order of the inputs; a run that fails fails all of its callers.
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

interface Waiting<I, O> {
  readonly input: I
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
}

async function runOnce<I, O>(
  run: (inputs: readonly I[]) => Promise<readonly O[]>,
  batch: readonly Waiting<I, O>[],
): Promise<void> {
  try {
    const outputs = await run(batch.map(({ input }) => input))
    for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as O)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
