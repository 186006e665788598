'use client'

import { useQueryClient } from '@tanstack/react-query'

const hasProof = (variables: unknown): boolean =>
  typeof variables === 'object' && variables !== null && Reflect.get(variables, 'proof') !== undefined

/** The page sees in the cache how it ended. */
function ignoreOutcome(sent: Promise<unknown>): void {
  sent.catch(() => undefined)
}

/**
 * Does again what ended with the error, as it was: the whole of it, where a mutation ran others. Undefined where that is
 * not known, and where the server has had a proof that counts only once.
 */
export function useRetry(error: unknown, wasAnswered: boolean): (() => void) | undefined {
  const queries = useQueryClient()
  if (error === null || error === undefined) return undefined
  // In the order in which they began, so that the one which ran the others comes first.
  const mutation = queries
    .getMutationCache()
    .getAll()
    .find(({ state }) => state.error === error)
  if (mutation !== undefined) {
    const { variables } = mutation.state
    if (wasAnswered && hasProof(variables)) return undefined
    return () => ignoreOutcome(mutation.execute(variables))
  }
  const failed = queries
    .getQueryCache()
    .getAll()
    .find(({ state }) => state.error === error)
  return failed === undefined ? undefined : () => ignoreOutcome(failed.fetch())
}
