/** The query of an address, as Next.js passes it to a page. */
export type Search = Readonly<Record<string, string | string[] | undefined>>

/** Returns one member of the address: empty when it is absent, null when it cannot be read. */
export function readMember(search: Search, name: string, isReadable: (value: string) => boolean): string | null {
  const value = search[name] ?? ''
  if (typeof value !== 'string') return null
  const text = value.trim()
  return text === '' || isReadable(text) ? text : null
}
