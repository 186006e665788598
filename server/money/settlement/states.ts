import { openStates, type SettlementState } from '../../base/core/settlement-state'

/**
 * The party that moves a settlement: the request that reserved it, the job that resolves those that no process works
 * on, an event of the card processor, or the person whose card is charged. An operator makes no move.
 */
export type Mover = 'request' | 'resolver' | 'webhook' | 'cardholder'

interface Move {
  /** The states that the move starts from; in any other state the settlement stays as it is. */
  readonly from: readonly SettlementState[]
  readonly to: SettlementState
  readonly by: readonly Mover[]
}

const anyone: readonly Mover[] = ['request', 'resolver', 'webhook', 'cardholder']
const submitters: readonly Mover[] = ['request', 'resolver']

/** Every move of a settlement. The statements of the store take their states from here, and `advance` makes the moves. */
export const moves = {
  /** Holds the amount, and begins a settlement. */
  reserve: { from: [], to: 'reserved', by: ['request'] },
  /** Stores the processor's handle; from here on money may move. */
  submit: { from: ['reserved', 'unknown'], to: 'submitting', by: submitters },
  /**
   * Records that the outcome is not known yet; the resolver looks again. A settlement that waits for its cardholder
   * keeps waiting.
   */
  defer: { from: ['reserved', 'submitting', 'unknown'], to: 'unknown', by: submitters },
  /** Records that the bank wants the cardholder to confirm. */
  ask_cardholder: { from: ['submitting', 'unknown'], to: 'requires_action', by: anyone },
  /** Records that the money has moved. */
  succeed: { from: openStates, to: 'succeeded', by: anyone },
  /**
   * Records that the processor declined. An intent whose cardholder was asked could still be confirmed, so it is closed
   * instead.
   */
  fail: { from: ['reserved', 'submitting', 'unknown'], to: 'failed', by: anyone },
  /** Records that the intent was closed at the processor and can move no money any more. */
  close: { from: openStates, to: 'failed', by: anyone },
  /** Gives up a settlement without a stored handle: the processor was never told to move money. */
  release: { from: ['reserved', 'unknown'], to: 'failed', by: submitters },
} as const satisfies Readonly<Record<string, Move>>

export type MoveName = keyof typeof moves
/** The moves that give a settlement its outcome. */
export type FinalMove = 'succeed' | 'fail' | 'close' | 'release'

/** Returns whether a mover may make a move at all. The statement that makes it checks the state. */
export function mayMove(mover: Mover, move: MoveName): boolean {
  const { by }: Move = moves[move]
  return by.includes(mover)
}
