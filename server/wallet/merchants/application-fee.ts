import type { Config } from '../../base/core/platform'

/** What may go to a platform in the sandbox: a tenth of a payment, so that fees can be tried. */
export const SANDBOX_FEE_BPS = 1_000
const BPS_PER_WHOLE = 10_000n

/** The greatest fee of a merchant of whom nothing else is said. */
export function defaultFeeBps({ sandbox }: Pick<Config, 'sandbox'>): number {
  return sandbox ? SANDBOX_FEE_BPS : 0
}

/** Hundredths of a percent of an amount, rounded down to whole minor units. */
export function feeLimit(amountMinor: number, bps: number): number {
  return Number((BigInt(amountMinor) * BigInt(bps)) / BPS_PER_WHOLE)
}
