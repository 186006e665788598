import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { type issueTrustMarkEndpoint, TRUST_MARK_MEDIA_TYPE } from './contract'
import { requireMarkId } from './mark-name'
import { issueMark } from './signed-mark'

/** GET /federation/trust-mark (section 8.6). A mark that is revoked is not issued until it is reinstated. */
export async function issueTrustMark(
  { platform, now }: AnonymousCall,
  query: InputOf<typeof issueTrustMarkEndpoint>,
): Promise<Reply> {
  const mark = await issueMark(platform, { sub: query.sub, trustMarkId: requireMarkId(query) }, now)
  if (mark === null) throw new ServiceError('not_found', 'There is no such trust mark for this subordinate.')
  return Reply.text(mark, TRUST_MARK_MEDIA_TYPE)
}
