import { readMember, type Search } from '@/components/lib/read-member'
import {
  parsePeriod,
  type SpendingPart,
  type SpendingPeriod,
  spendingParts,
  writePeriod,
} from '@/server/money/payments/input'

/** The chosen period, and the unit of one bar. */
export interface SpendingChoice {
  readonly period: SpendingPeriod
  readonly per: SpendingPart
}

const usual: SpendingChoice = { period: 'this_month', per: 'day' }

/** Reads the choice from the address. An unreadable member is left out, and sets `unread`. */
export function readSpendingChoice(search: Search): { choice: SpendingChoice; unread: boolean } {
  const period = readMember(search, 'period', (value) => parsePeriod(value) !== null)
  const per = readMember(search, 'per', (value) => spendingParts.some((part) => part === value))
  return {
    choice: {
      period: parsePeriod(period ?? '') ?? usual.period,
      per: spendingParts.find((part) => part === per) ?? usual.per,
    },
    unread: [period, per].includes(null),
  }
}

export function toSpendingInput({ period, per }: SpendingChoice) {
  return { period: writePeriod(period), per }
}

/** Returns the address of the choice; defaults are left out. */
export function addressOfSpending({ period, per }: SpendingChoice): string {
  const query = new URLSearchParams({ tab: 'spending' })
  if (period !== usual.period) query.set('period', writePeriod(period))
  if (per !== usual.per) query.set('per', per)
  return `/payments?${query}`
}
