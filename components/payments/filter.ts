import { readMember, type Search } from '@/components/lib/read-member'
import { isDay } from '@/server/base/core/calendar-day'
import { parseUrl } from '@/server/base/core/parse-url'
import type { PaymentStatus } from '@/server/money/payments/contract'

/** The statuses of a payment, repeated here because the contract would load its schemas into the browser. */
export const paymentStatuses = [
  'succeeded',
  'disputed_pending',
  'disputed_won',
  'disputed_lost',
] as const satisfies readonly PaymentStatus[]

/** The filter of the list as the address holds it; an empty member does not filter. Dates are calendar days. */
export interface PaymentFilter {
  /** Words of the merchant or an item, or the beginning of an amount. */
  readonly q: string
  readonly status: string
  readonly agent: string
  readonly merchant: string
  readonly from: string
  readonly to: string
}

export const noFilter: PaymentFilter = { q: '', status: '', agent: '', merchant: '', from: '', to: '' }

const MERCHANT_MAX_CHARS = 2_048
export const WORDS_MAX_CHARS = 200

/** Returns whether the value is a full address, of the kind by which merchants are identified. */
function isMerchantAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && parseUrl(value) !== null && value.length <= MERCHANT_MAX_CHARS
}

const isWords = (value: string) => value.length <= WORDS_MAX_CHARS && !/\p{Cc}/u.test(value)

const isStatus = (value: string) => paymentStatuses.some((known) => known === value)

/** Reads the filter from the address. An unreadable member does not filter, and sets `unread`. */
export function readFilter(search: Search, agents: readonly string[]): { filter: PaymentFilter; unread: boolean } {
  const q = readMember(search, 'q', isWords)
  const status = readMember(search, 'status', isStatus)
  const agent = readMember(search, 'agent', (value) => agents.includes(value))
  const merchant = readMember(search, 'merchant', isMerchantAddress)
  const from = readMember(search, 'from', isDay)
  const to = readMember(search, 'to', isDay)
  return {
    filter: {
      q: q ?? '',
      status: status ?? '',
      agent: agent ?? '',
      merchant: merchant ?? '',
      from: from ?? '',
      to: to ?? '',
    },
    unread: [q, status, agent, merchant, from, to].includes(null),
  }
}

/** Returns the filter in the API's form. The server resolves its days in the person's time zone. */
export function toApiFilter(filter: PaymentFilter) {
  const status = paymentStatuses.find((known) => known === filter.status)
  return {
    ...(filter.q.trim() === '' ? {} : { q: filter.q }),
    ...(status === undefined ? {} : { status }),
    ...(filter.agent === '' ? {} : { agent: filter.agent }),
    ...(filter.merchant === '' ? {} : { merchant: filter.merchant }),
    ...(filter.from === '' ? {} : { from: filter.from }),
    ...(filter.to === '' ? {} : { to: filter.to }),
  }
}

/** Returns the query part of the list's address. */
export function queryOf(filter: PaymentFilter, cursor?: string): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (cursor !== undefined) query.set('cursor', cursor)
  return query.size === 0 ? '' : `?${query}`
}

/** Returns the address at which exactly the filtered payments can be downloaded. */
export function csvOf(filter: PaymentFilter): string {
  const query = new URLSearchParams(toApiFilter(filter))
  return query.size === 0 ? '/payments.csv' : `/payments.csv?${query}`
}
