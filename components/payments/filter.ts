import { readMember, type Search } from '@/components/lib/read-member'
import { isDay } from '@/server/base/core/calendar-day'
import { parseUrl } from '@/server/base/core/parse-url'
import type { PaymentStatus } from '@/server/money/payments/contract'

/** Written down once more, because the contract would bring its schemas into the browser. */
export const paymentStatuses = [
  'succeeded',
  'disputed_pending',
  'disputed_won',
  'disputed_lost',
] as const satisfies readonly PaymentStatus[]

/** The list's filter as the address holds it; an empty member does not filter. Dates are days of the calendar. */
export interface PaymentFilter {
  /** Words of the shop or an item, or the beginning of an amount. */
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

/** Whether it is a whole address, as the ones that merchants are known by. */
function isMerchantAddress(value: string): boolean {
  return /^https?:\/\//i.test(value) && parseUrl(value) !== null && value.length <= MERCHANT_MAX_CHARS
}

const isWords = (value: string) => value.length <= WORDS_MAX_CHARS && !/\p{Cc}/u.test(value)

const isStatus = (value: string) => paymentStatuses.some((known) => known === value)

/** Reads the filter from the address. What makes no sense there does not filter, and is told by `unread`. */
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

/** The filter as the API takes it. Which instants its days hold, the person's time zone decides there. */
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

/** The query part of the list's address. */
export function queryOf(filter: PaymentFilter, cursor?: string): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (cursor !== undefined) query.set('cursor', cursor)
  return query.size === 0 ? '' : `?${query}`
}

/** Where exactly the payments that the filter selects can be downloaded. */
export function csvOf(filter: PaymentFilter): string {
  const query = new URLSearchParams(toApiFilter(filter))
  return query.size === 0 ? '/payments.csv' : `/payments.csv?${query}`
}
