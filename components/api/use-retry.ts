'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { isOffline } from '@/components/lib/offline'

const hasProof = (variables: unknown): boolean =>
  typeof variables === 'object' && variables !== null && Reflect.get(variables, 'proof') !== undefined

/** The page sees in the cache how it ended. */
function ignoreOutcome(sent: Promise<unknown>): void {
  sent.catch(() => undefined)
}

/** In the order in which they began, so that the one which ran the others comes first. */
function findMutation(queries: QueryClient, error: unknown) {
  if (error === null || error === undefined) return undefined
  return queries
    .getMutationCache()
    .getAll()
    .find(({ state }) => state.error === error)
}

/** Mutations that began without a network, so that nothing of them was sent. */
const keptBack = new WeakSet<object>()

export function noteNetwork(mutation: object): void {
  if (isOffline()) keptBack.add(mutation)
  else keptBack.delete(mutation)
}

/** Whether a change was sent and ended with the error: one that no answer came to may have been made. */
export function useWasSent(error: unknown): boolean {
  const mutations = useQueryClient().getMutationCache().getAll()
  // What a mutation ran began later than it did itself.
  const change = mutations.findLast(({ state }) => state.error === error)
  return change !== undefined && !keptBack.has(change)
}

/**
 * Retries the mutation or query that failed with this error, with the same variables; the outer one, where a mutation
 * ran others. Undefined when none is known, and when the server has received a proof that counts only once.
 */
export function useRetry(error: unknown, wasAnswered: boolean): (() => void) | undefined {
  const queries = useQueryClient()
  const mutation = findMutation(queries, error)
  if (mutation !== undefined) {
    const { variables } = mutation.state
    if (wasAnswered && hasProof(variables)) return undefined
    return () => ignoreOutcome(mutation.execute(variables))
  }
  if (error === null || error === undefined) return undefined
  const failed = queries
    .getQueryCache()
    .getAll()
    .find(({ state }) => state.error === error)
  return failed === undefined ? undefined : () => ignoreOutcome(failed.fetch())
}
