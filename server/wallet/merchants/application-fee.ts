import type { Config } from '../../base/core/platform'

/** The platform's highest fee in the sandbox in basis points: a tenth of a payment, so that fees can be tried. */
export const SANDBOX_FEE_BPS = 1_000
const BPS_PER_WHOLE = 10_000n

/** Returns the highest fee in basis points of a merchant that has no maximum of its own. */
export function defaultFeeBps({ sandbox }: Pick<Config, 'sandbox'>): number {
  return sandbox ? SANDBOX_FEE_BPS : 0
}

/** Returns a share of an amount, given in basis points, rounded down to whole minor units. */
export function feeLimit(amountMinor: number, bps: number): number {
  return Number((BigInt(amountMinor) * BigInt(bps)) / BPS_PER_WHOLE)
}
