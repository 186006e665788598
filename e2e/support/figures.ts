import type { BusyWallet } from '@/bench/support/busy-wallet'
import { expect } from './busy-server'
import { WALLET_PAGES } from './portal'

export interface Figure {
  readonly what: string
  readonly figure: number
  readonly limit: number
}

/** Prints the figures beside their limits, and fails for those above. */
export function expectWithin(title: string, figures: readonly Figure[]): void {
  const lines = figures.map(({ what, figure, limit }) => {
    const rounded = figure < 1 ? figure.toFixed(3) : Math.round(figure).toLocaleString('en')
    return `  ${what.padEnd(44)} ${rounded.padStart(9)}  of ${limit.toLocaleString('en')}${figure > limit ? '  ABOVE' : ''}`
  })
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`)
  for (const { what, figure, limit } of figures) expect.soft(figure, `${title}: ${what}`).toBeLessThanOrEqual(limit)
}

export function pagesOf({ agentId, merchant, paymentId, pendingId }: BusyWallet): string[] {
  return [
    ...WALLET_PAGES,
    `/approve/${pendingId}`,
    `/agents/${agentId}`,
    `/payments/${paymentId}`,
    `/payments?merchant=${encodeURIComponent(merchant)}`,
  ]
}

/** The page's address as the table names it. */
export const named = (address: string) =>
  address.replace(/(?<=\/(?:approve|agents|payments)\/|merchant=)(?!new$).+/, '…')
