import type { Config } from '../../base/core/platform'
import { findCanonicalAudience, isPayableAudience } from '../../base/protocol/audience'
import { isLoopbackHost } from '../../base/protocol/ip-address'

/** The message about an audience that cannot be paid. */
export const AUDIENCE_RULE =
  'Must be an https URL of a public host, without userinfo, query, fragment or doubled slashes in its path'

/** Returns a merchant's audience in the form that is stored and compared; null when it cannot be paid. */
export function payableAudience({ sandbox, baseUrl }: Pick<Config, 'sandbox' | 'baseUrl'>, url: string): string | null {
  const audience = findCanonicalAudience(url)
  if (audience === null) return null
  return isPayableAudience(audience, sandbox && isLoopbackHost(new URL(baseUrl).hostname)) ? audience : null
}
