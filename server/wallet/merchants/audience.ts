import type { Config } from '../../base/core/platform'
import { findCanonicalAudience, isPayableAudience } from '../../base/protocol/audience'
import { isLoopbackHost } from '../../base/protocol/ip-address'

/** What a person or program is told about an audience that nobody may be paid at. */
export const AUDIENCE_RULE =
  'Must be an https URL of a public host, without userinfo, query, fragment or doubled slashes in its path'

/** A merchant's audience in the form that it is stored and compared in; null when nobody may be paid there. */
export function payableAudience({ sandbox, baseUrl }: Pick<Config, 'sandbox' | 'baseUrl'>, url: string): string | null {
  const audience = findCanonicalAudience(url)
  if (audience === null) return null
  return isPayableAudience(audience, sandbox && isLoopbackHost(new URL(baseUrl).hostname)) ? audience : null
}
