/** The page's filter as the address holds it; an empty member does not filter. */
export interface ActivityFilter {
  readonly event: string
  readonly agent: string
}

export type Search = Readonly<Record<string, string | string[] | undefined>>

const POSITION = /^[1-9]\d{0,14}$/

function single(search: Search, name: string): string {
  const value = search[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** Reads the filter from the address. What makes no sense there does not filter. */
export function readFilter(search: Search, events: readonly string[]): ActivityFilter {
  const event = single(search, 'event')
  return { event: events.includes(event) ? event : '', agent: single(search, 'agent').slice(0, 512) }
}

/** The entry that the page begins after, as `?before=` says; undefined for the newest. */
export function readPosition(search: Search): number | undefined {
  const before = single(search, 'before')
  return POSITION.test(before) ? Number(before) : undefined
}

/** The query part of the page's address. */
export function queryOf(filter: ActivityFilter, before?: number): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''))
  if (before !== undefined) query.set('before', String(before))
  return query.size === 0 ? '' : `?${query}`
}

/** Where one entry is shown: at the top of the page that begins with it. */
export function activityEntryLink(seq: number): string {
  return `/activity?before=${seq + 1}#seq-${seq}`
}
