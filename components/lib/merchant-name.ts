import { readOrigin } from './origin'
import { plainHost, plainName } from './plain-text'

/** Returns a merchant's registered name, else its address without the scheme. */
export function merchantName(name: string | null | undefined, audience: string): string {
  if (name !== null && name !== undefined) return plainName(name)
  const { host, path } = readOrigin(audience)
  return plainName(plainHost(host) + path)
}
