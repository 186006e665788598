import { readOrigin } from './origin'
import { plainName } from './plain-text'

/** What to call a merchant: its registered name, else the host of its address. */
export function merchantName(name: string | null | undefined, audience: string): string {
  return plainName(name ?? readOrigin(audience).host)
}
