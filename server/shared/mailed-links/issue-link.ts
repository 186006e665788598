import type { Call } from '../../base/core/call'
import type { Queryable } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { type LinkContent, MAILED_LINK_PATH } from './contract'
import { insertLink } from './store'

const TOKEN_BYTES = 32

export type WantedLink = LinkContent & { readonly principalId: string; readonly ttlSeconds: number }

/**
 * Creates a link that works once, in the transaction of the mail that carries it. Only the hash of its token is stored.
 */
export async function issueLink(
  tx: Queryable,
  { platform, now }: Pick<Call, 'platform' | 'now'>,
  { ttlSeconds, ...link }: WantedLink,
): Promise<string> {
  const token = platform.random.token(TOKEN_BYTES)
  const expiresAt = new Date(now.getTime() + ttlSeconds * 1000)
  await insertLink(tx, { ...link, tokenHash: sha256Base64url(token), now, expiresAt })
  return `${platform.config.baseUrl}${MAILED_LINK_PATH}#token=${token}`
}
