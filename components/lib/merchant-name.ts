import { readOrigin } from './origin'
import { plainName } from './plain-text'

/** Returns a merchant's registered name, else its address without the scheme. */
export function merchantName(name: string | null | undefined, audience: string): string {
  const { host, path } = readOrigin(audience)
  return plainName(name ?? host + path)
}
