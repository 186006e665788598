/** Throws when something that the code guarantees does not hold; never for anything a caller can cause. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`invariant: ${message}`)
}
