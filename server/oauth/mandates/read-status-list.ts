import Negotiator from 'negotiator'
import { isKnownEtag, Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { STATUS_LIST_REFRESH_SECONDS } from '../../base/protocol/lifetimes'
import { packStatusList, STATUS, signStatusListToken } from '../../base/protocol/status-list'
import { STATUS_LIST_SIZE } from './status-index'
import { findStatusListVersion, listRevokedIndexes } from './store'

export const STATUS_LIST_ID = '1'
const MEDIA_TYPE = 'application/statuslist+jwt'

/** The address of the one list, exactly as mandates name it. */
export function statusListUri(platform: Platform): string {
  return `${platform.config.baseUrl}/oauth/status-list/${STATUS_LIST_ID}`
}

interface SignedList {
  readonly version: number
  readonly kid: string
  readonly signedAt: number
  readonly token: string
  readonly etag: string
}
const published = new WeakMap<Platform, SignedList>()

/** The token for the list as it stands: the version is read each time, so a revocation shows at once; signing is not repeated. */
async function signCurrentList(platform: Platform, now: Date): Promise<SignedList> {
  const version = await findStatusListVersion(platform.db, STATUS_LIST_ID)
  const known = published.get(platform)
  const isRecent = known !== undefined && Math.abs(now.getTime() - known.signedAt) < STATUS_LIST_REFRESH_SECONDS * 1000
  const key = platform.keys.current('status_list')
  if (known?.version === version && known.kid === key.kid && isRecent) return known
  const revoked = await listRevokedIndexes(platform.db)
  const entries = revoked.map((index) => [index, STATUS.invalid] as const)
  const uri = statusListUri(platform)
  const token = await signStatusListToken({
    uri,
    issuer: platform.config.baseUrl,
    list: packStatusList({ bits: 1, size: STATUS_LIST_SIZE, entries }),
    now,
    key,
    aggregationUri: `${platform.config.baseUrl}/oauth/status-list`,
  })
  const fresh = { version, kid: key.kid, signedAt: now.getTime(), token, etag: `"${sha256Base64url(token)}"` }
  published.set(platform, fresh)
  return fresh
}

interface StatusListQuery {
  readonly time?: string | undefined
  readonly headers: { readonly accept: string | undefined; readonly 'if-none-match': string | undefined }
}

async function tokenResponse({ platform, now }: AnonymousCall, { headers }: StatusListQuery): Promise<Reply> {
  const { token, etag } = await signCurrentList(platform, now)
  const caching = {
    etag,
    vary: 'Accept',
    'access-control-allow-origin': '*',
    'cache-control': `public, max-age=${STATUS_LIST_REFRESH_SECONDS}`,
  }
  if (isKnownEtag(etag, headers['if-none-match'])) return Reply.empty(304, caching)
  return Reply.text(token, MEDIA_TYPE, { headers: caching })
}

function requireNoHistory(query: StatusListQuery): void {
  if (query.time !== undefined) throw new ServiceError('not_implemented', 'Historical status lists are not kept.')
}

/** GET /oauth/status-list/{list_id} (Token Status List section 8). 404 for any other list, 406 when only CWT is accepted. */
export async function readStatusList(call: AnonymousCall, query: StatusListQuery & { list_id: string }) {
  if (query.list_id !== STATUS_LIST_ID) throw new ServiceError('not_found', 'There is no such status list.')
  requireNoHistory(query)
  if (!mediaTypes(query.headers.accept).some((type) => [MEDIA_TYPE, '*/*', 'application/*'].includes(type))) {
    throw new ServiceError('not_acceptable', `The list is offered as ${MEDIA_TYPE}.`)
  }
  return tokenResponse(call, query)
}

/** GET /oauth/status-list: the aggregation (section 9), or the one token when its media type is asked for. */
export async function readStatusLists(call: AnonymousCall, query: StatusListQuery) {
  requireNoHistory(query)
  if (mediaTypes(query.headers.accept).includes(MEDIA_TYPE)) return tokenResponse(call, query)
  const headers = { vary: 'Accept', 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }
  return Reply.json({ status_lists: [statusListUri(call.platform)] }, headers)
}

/** The media ranges that `Accept` admits, without their parameters; any where there is no such header. */
function mediaTypes(accept: string | undefined): string[] {
  return new Negotiator({ headers: { accept: accept?.toLowerCase() || undefined } }).mediaTypes()
}
