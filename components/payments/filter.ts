import type { PaymentStatus } from '@/server/payments/contract'

/** Written down once more, because the contract would bring its schemas into the browser. */
export const paymentStatuses = [
  'succeeded',
  'disputed_pending',
  'disputed_won',
  'disputed_lost',
] as const satisfies readonly PaymentStatus[]

/** The list's filter as the address holds it; an empty member does not filter. Dates are days of the calendar. */
export interface PaymentFilter {
  readonly status: string
  readonly agent: string
  readonly merchant: string
  readonly from: string
  readonly to: string
}

export type Search = Readonly<Record<string, string | string[] | undefined>>

const DAY = /^\d{4}-\d{2}-\d{2}$/

function single(search: Search, name: string): string {
  const value = search[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Reads the filter from the address. What makes no sense there does not filter. */
export function readFilter(search: Search): PaymentFilter {
  const day = (name: string) => {
    const value = single(search, name)
    return DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : ''
  }
  const status = single(search, 'status')
  return {
    status: paymentStatuses.some((known) => known === status) ? status : '',
    agent: single(search, 'agent').slice(0, 512),
    merchant: single(search, 'merchant').slice(0, 2048),
    from: day('from'),
    to: day('to'),
  }
}

/** The filter as the API takes it: from the first day's beginning to the last day's end, in UTC. */
export function toApiFilter(filter: PaymentFilter) {
  const status = paymentStatuses.find((known) => known === filter.status)
  return {
    ...(status === undefined ? {} : { status }),
    ...(filter.agent === '' ? {} : { agent: filter.agent }),
    ...(filter.merchant === '' ? {} : { merchant: filter.merchant }),
    ...(filter.from === '' ? {} : { from: `${filter.from}T00:00:00.000Z` }),
    ...(filter.to === '' ? {} : { to: `${filter.to}T23:59:59.999Z` }),
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
