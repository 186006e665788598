import { openStates, type SettlementState } from '../../base/core/settlement-state'

/**
 * Who moves a settlement: the request that reserved it, the job that resolves those that no process works on, an event
 * of the card processor, and the person whose card is charged. An operator has no move.
 */
export type Mover = 'request' | 'resolver' | 'webhook' | 'cardholder'

interface Move {
  /** A settlement in any other state is left alone. */
  readonly from: readonly SettlementState[]
  readonly to: SettlementState
  readonly by: readonly Mover[]
}

const anyone: readonly Mover[] = ['request', 'resolver', 'webhook', 'cardholder']
const submitters: readonly Mover[] = ['request', 'resolver']

/** Every move of a settlement. The statements of the store take their states from here, and `advance` makes the moves. */
export const moves = {
  /** The amount is held, and a settlement begins. */
  reserve: { from: [], to: 'reserved', by: ['request'] },
  /** The processor's handle is stored; from here on money may move. */
  submit: { from: ['reserved', 'unknown'], to: 'submitting', by: submitters },
  /** The outcome is not known yet; the resolver looks again. One that waits for its cardholder goes on waiting. */
  defer: { from: ['reserved', 'submitting', 'unknown'], to: 'unknown', by: submitters },
  /** The bank wants the cardholder to confirm. */
  ask_cardholder: { from: ['submitting', 'unknown'], to: 'requires_action', by: anyone },
  /** The money has moved. */
  succeed: { from: openStates, to: 'succeeded', by: anyone },
  /** The processor declined. A cardholder who was asked could still confirm, so that such an intent is closed first. */
  fail: { from: ['reserved', 'submitting', 'unknown'], to: 'failed', by: anyone },
  /** The intent was closed at the processor and can move no money any more. */
  close: { from: openStates, to: 'failed', by: anyone },
  /** The processor was never told to move money, so no handle is stored. */
  release: { from: ['reserved', 'unknown'], to: 'failed', by: submitters },
} as const satisfies Readonly<Record<string, Move>>

export type MoveName = keyof typeof moves
/** The moves that give a settlement its outcome. */
export type FinalMove = 'succeed' | 'fail' | 'close' | 'release'

/** Whether a mover may make a move at all; from which states is for the statement that makes it. */
export function mayMove(mover: Mover, move: MoveName): boolean {
  const { by }: Move = moves[move]
  return by.includes(mover)
}
