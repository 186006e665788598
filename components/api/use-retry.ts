'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { isOffline } from '@/components/lib/offline'

const hasProof = (variables: unknown): boolean =>
  typeof variables === 'object' && variables !== null && Reflect.get(variables, 'proof') !== undefined

/** Ignores the outcome, which the page reads from the cache. */
function ignoreOutcome(sent: Promise<unknown>): void {
  sent.catch(() => undefined)
}

/**
 * Returns the first mutation that failed with the error; mutations are in the order in which they began, so an outer
 * one precedes those that it ran.
 */
function findMutation(queries: QueryClient, error: unknown) {
  if (error === null || error === undefined) return undefined
  return queries
    .getMutationCache()
    .getAll()
    .find(({ state }) => state.error === error)
}

/** The mutations that began without a network, so that nothing of them was sent. */
const keptBack = new WeakSet<object>()

/** Records whether the browser is offline when the mutation begins. */
export function noteNetwork(mutation: object): void {
  if (isOffline()) keptBack.add(mutation)
  else keptBack.delete(mutation)
}

/** Returns whether a mutation was sent and failed with the error; one without an answer may still have taken effect. */
export function useWasSent(error: unknown): boolean {
  const mutations = useQueryClient().getMutationCache().getAll()
  // A mutation that runs inside another begins later and fails with the same error.
  const change = mutations.findLast(({ state }) => state.error === error)
  return change !== undefined && !keptBack.has(change)
}

/**
 * Returns a function that retries the mutation or query that failed with this error, with the same variables; the outer
 * one, where a mutation ran others. Undefined when none is known, and when the server has received a proof that is
 * valid only once.
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
