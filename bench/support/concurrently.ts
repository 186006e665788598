/** Does the work for every item, at most `most` at a time. Returns the results in the order of the items. */
export async function concurrently<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const queue = items.entries()
  const results: R[] = []
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: most }, worker))
  return results
}
