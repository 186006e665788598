import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batched, lookedUpTogether } from './batching'
import { currentSpan } from './current-span'
import { ServiceError } from './errors'

/** Returns a run that ends when the test releases it. */
function heldRuns() {
  const runs: { inputs: readonly number[]; end: () => void }[] = []
  const run = (inputs: readonly number[]) =>
    new Promise<number[]>((resolve) => {
      runs.push({ inputs, end: () => resolve(inputs.map((input) => input * 10)) })
    })
  return { runs, run }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('inputs that arrive during a run wait and run together, in order and up to the bound', async () => {
  const { runs, run } = heldRuns()
  const ask = batched(run, 2)
  const answers = Promise.all([1, 2, 3, 4].map(ask))
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1]])
  runs[0]?.end()
  await settled()
  expect(runs.map(({ inputs }) => inputs)).toEqual([[1], [2, 3]])
  runs[1]?.end()
  await settled()
  runs[2]?.end()
  expect(await answers).toEqual([10, 20, 30, 40])
})

test('the inputs of a failed batch are tried one by one, so that only the faulty one fails', async () => {
  const sizes: number[] = []
  const ask = batched(async (inputs: readonly number[]) => {
    sizes.push(inputs.length)
    await settled()
    if (inputs.includes(3)) throw new Error('no')
    return inputs.map((input) => input * 10)
  }, 10)
  const answers = await Promise.allSettled([1, 2, 3, 4].map(ask))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(sizes).toEqual([1, 3, 1, 1, 1])
  expect(await ask(5)).toBe(50)
})

test('an outage fails the whole batch, without a retry', async () => {
  const sizes: number[] = []
  const ask = batched(async (inputs: readonly number[]) => {
    sizes.push(inputs.length)
    await settled()
    if (sizes.length > 1) throw new ServiceError('service_unavailable', 'away')
    return inputs
  }, 10)
  const answers = await Promise.allSettled([1, 2, 3].map(ask))
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect(sizes).toEqual([1, 2])
})

test('every caller gets the answer to its own input in any order of arrival', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 3 }), { maxLength: 40 }),
      fc.integer({ min: 1, max: 7 }),
      async (gaps, most) => {
        const ask = batched(async (inputs: readonly number[]) => {
          await settled()
          return inputs.map((input) => input + 0.5)
        }, most)
        const answers = gaps.map(async (gap, index) => {
          for (let turn = 0; turn < gap; turn += 1) await settled()
          return ask(index)
        })
        expect(await Promise.all(answers)).toEqual(gaps.map((_, index) => index + 0.5))
      },
    ),
    { numRuns: 50 },
  )
})

test('rows that are looked up together reach those who asked, also twice for one key, and null where there is none', async () => {
  const asked: (readonly string[])[] = []
  const find = lookedUpTogether(
    async (rows: ReadonlySet<string>, keys) => {
      asked.push(keys)
      await settled()
      return [...rows].toReversed().filter((key) => keys.includes(key))
    },
    (key) => key,
  )
  const rows = new Set(['a', 'b'])
  expect(await Promise.all(['a', 'c', 'b', 'a'].map((key) => find(rows, key)))).toEqual(['a', null, 'b', 'a'])
  expect(asked).toEqual([['a'], ['c', 'b', 'a']])
})

test('a run that serves several requests is in the span of none, and each goes on in its own', async () => {
  const spans: unknown[] = []
  const ask = batched(async (inputs: readonly number[]) => {
    spans.push(currentSpan.getStore() ?? null)
    await settled()
    return inputs
  }, 10)
  const spanOf = (spanId: string) => ({ traceId: 't', spanId, traceFlags: 1 })
  const request = async (input: number) => {
    await ask(input)
    return currentSpan.getStore()
  }
  const after = await Promise.all([1, 2, 3].map((input) => currentSpan.run(spanOf(`${input}`), () => request(input))))
  expect(spans).toEqual([null, null])
  expect(after).toEqual(['1', '2', '3'].map(spanOf))
})
