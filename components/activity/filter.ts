import { readMember, type Search } from '@/components/lib/read-member'

/** The page's filter as the address holds it; an empty member does not filter. */
export interface ActivityFilter {
  readonly event: string
  readonly agent: string
}

const POSITION = /^[1-9]\d{0,14}$/

interface ReadAddress {
  readonly filter: ActivityFilter
  /** The position after which the page begins, from `?before=`; undefined for the newest entries. */
  readonly before: number | undefined
  /** Whether something in the address could not be read. */
  readonly unread: boolean
}

/** Reads the filter and the position from the address, and leaves out what it cannot read. */
export function readAddress(
  search: Search,
  { events, agents }: { readonly events: readonly string[]; readonly agents: readonly string[] },
): ReadAddress {
  const event = readMember(search, 'event', (value) => events.includes(value))
  const agent = readMember(search, 'agent', (value) => agents.includes(value))
  const before = readMember(search, 'before', (value) => POSITION.test(value))
  return {
    filter: { event: event ?? '', agent: agent ?? '' },
    before: before === null || before === '' ? undefined : Number(before),
    unread: [event, agent, before].includes(null),
  }
}

/** Returns the query part of the page's address. */
export function queryOf(filter: ActivityFilter, before?: number): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (before !== undefined) query.set('before', String(before))
  return query.size === 0 ? '' : `?${query}`
}

/** Returns the address at which an entry is shown: the page that begins with it. */
export function activityEntryLink(seq: number): string {
  return `/activity?before=${seq + 1}#seq-${seq}`
}
