import { type Sql, sql } from './sql'

/** The states of a settlement, in the order in which one usually passes them. */
export const settlementStates = ['reserved', 'submitting', 'requires_action', 'unknown', 'succeeded', 'failed'] as const
export type SettlementState = (typeof settlementStates)[number]

/** Whether a state is final, and whether the amount is held or spent. Transitions: money/settlement/states.ts. */
const facts: Readonly<Record<SettlementState, { readonly isFinal: boolean; readonly countsAsMoney: boolean }>> = {
  reserved: { isFinal: false, countsAsMoney: true },
  submitting: { isFinal: false, countsAsMoney: true },
  requires_action: { isFinal: false, countsAsMoney: true },
  unknown: { isFinal: false, countsAsMoney: true },
  succeeded: { isFinal: true, countsAsMoney: true },
  failed: { isFinal: true, countsAsMoney: false },
}

/** States of settlements that are still under way. */
export const openStates = settlementStates.filter((state) => !facts[state].isFinal)

/** States of settlements that count against no limit and leave their mandate unused. */
export const releasedStates = settlementStates.filter((state) => !facts[state].countsAsMoney)

/**
 * Returns `IN (…)` for a condition on `settlements.state`. The states are literals, so that the planner sees that a
 * partial index covers the statement.
 */
export function stateIn(states: readonly SettlementState[]): Sql {
  return sql.raw(`IN (${states.map((state) => `'${state}'`).join(', ')})`)
}
