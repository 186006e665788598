import Negotiator from 'negotiator'
import type { InputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { epochSeconds } from '../../base/protocol/claims'
import { type checkTrustMarkEndpoint, TRUST_MARK_STATUS_MEDIA_TYPE } from './contract'
import { parseMark, statusOfMark } from './signed-mark'
import { signFederationDocument } from './statements'
import { findMark } from './trust-mark-store'

const STATUS_TYPE = 'trust-mark-status-response+jwt'

type Query = InputOf<typeof checkTrustMarkEndpoint>

/**
 * GET /federation/trust-mark-status. Inactive unless all parameters agree. Signed, as by POST, when the JWT's media
 * type is requested for a mark alone.
 */
export async function checkTrustMark(call: AnonymousCall, query: Query): Promise<{ active: boolean } | Reply> {
  const { headers, ...given } = query
  const { sub, trust_mark_id: id, trust_mark_type: type, trust_mark: mark } = given
  const isSigned = new Negotiator({ headers: { accept: headers.accept?.toLowerCase() } })
    .mediaTypes()
    .includes(TRUST_MARK_STATUS_MEDIA_TYPE)
  if (isSigned && mark?.length === 1 && [sub, id, type].every((one) => one === undefined)) {
    return readTrustMarkStatus(call, { trust_mark: mark[0] ?? '' })
  }
  return { active: await isActive(call, given) }
}

async function isActive(call: AnonymousCall, given: Omit<Query, 'headers'>): Promise<boolean> {
  const all = Object.values(given).flatMap((values) => (values === undefined ? [] : [values]))
  if (all.some((values) => values.length > 1)) return false
  const [sub, mark] = [given.sub?.[0], given.trust_mark?.[0]]
  const ids = [given.trust_mark_id, given.trust_mark_type].flatMap((values) => values ?? [])
  if (ids.some((id) => id !== ids[0])) return false
  if (mark !== undefined) return isMarkActive(call, mark, { sub, id: ids[0] })
  if (sub === undefined || ids[0] === undefined) return false
  const state = await findMark(call.platform.db, { sub, trustMarkId: ids[0] })
  return state !== null && state.is_eligible && state.revoked_at === null && state.expires_at > call.now
}

interface Expected {
  readonly sub: string | undefined
  readonly id: string | undefined
}

async function isMarkActive(
  { platform, now }: AnonymousCall,
  compact: string,
  { sub, id }: Expected,
): Promise<boolean> {
  const mark = parseMark(platform, compact)
  if (mark === null || mark === 'foreign') return false
  if ((sub ?? mark.sub) !== mark.sub || (id ?? mark.trustMarkId) !== mark.trustMarkId) return false
  return (await statusOfMark(platform, mark, now)) === 'active'
}

/** POST /federation/trust-mark-status (section 8.4). 404 for a mark that this server never issued. */
export async function readTrustMarkStatus(
  { platform, now }: AnonymousCall,
  { trust_mark }: { readonly trust_mark: string },
): Promise<Reply> {
  const mark = parseMark(platform, trust_mark)
  if (mark === null) throw new ServiceError('invalid_request', 'The trust_mark is not a signed trust mark.')
  const status = mark === 'foreign' ? null : await statusOfMark(platform, mark, now)
  if (status === null) throw new ServiceError('not_found', 'This trust anchor never issued this trust mark.')
  const payload = { iss: platform.config.baseUrl, iat: epochSeconds(now), trust_mark, status }
  return Reply.text(signFederationDocument(platform, STATUS_TYPE, payload), TRUST_MARK_STATUS_MEDIA_TYPE)
}
