import Negotiator from 'negotiator'
import { isKnownEtag, Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Platform } from '../../base/core/platform'
import type { SigningKey } from '../../base/protocol/eddsa'
import { sha256Base64url } from '../../base/protocol/encoding'
import { STATUS_LIST_REFRESH_SECONDS } from '../../base/protocol/lifetimes'
import { type StatusList, signStatusListToken } from '../../base/protocol/status-list'
import { readRevocations, STATUS_LIST_ID } from './revocations'

const MEDIA_TYPE = 'application/statuslist+jwt'

/** Returns the address of the only list, exactly as in mandates. */
export function statusListUri(platform: Platform): string {
  return `${platform.config.baseUrl}/oauth/status-list/${STATUS_LIST_ID}`
}

interface SignedList {
  readonly version: number
  readonly kid: string
  readonly signedAt: number
  readonly content: Promise<{ readonly token: string; readonly etag: string }>
}
const published = new WeakMap<Platform, SignedList>()

/** Returns the token for the present list. It is signed again when the list or the key changes, and every minute. */
async function signCurrentList(platform: Platform, now: Date): Promise<SignedList> {
  const { version, list } = await readRevocations(platform)
  const known = published.get(platform)
  const isRecent = known !== undefined && Math.abs(now.getTime() - known.signedAt) < STATUS_LIST_REFRESH_SECONDS * 1000
  const key = platform.keys.current('status_list')
  if (known?.version === version && known.kid === key.kid && isRecent) return known
  const content = list.then((packed) => sign(platform, packed, { key, now }))
  const fresh = { version, kid: key.kid, signedAt: now.getTime(), content }
  published.set(platform, fresh)
  content.catch(() => {
    if (published.get(platform) === fresh) published.delete(platform)
  })
  return fresh
}

async function sign(platform: Platform, list: StatusList, { key, now }: { key: SigningKey; now: Date }) {
  const { baseUrl } = platform.config
  const aggregationUri = `${baseUrl}/oauth/status-list`
  const uri = statusListUri(platform)
  const token = await signStatusListToken({ uri, issuer: baseUrl, list, now, key, aggregationUri })
  return { token, etag: `"${sha256Base64url(token)}"` }
}

interface StatusListQuery {
  readonly time?: string | undefined
  readonly headers: { readonly accept: string | undefined; readonly 'if-none-match': string | undefined }
}

async function tokenResponse({ platform, now }: AnonymousCall, { headers }: StatusListQuery): Promise<Reply> {
  const { token, etag } = await (await signCurrentList(platform, now)).content
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

/**
 * GET /oauth/status-list/{list_id} (Token Status List section 8): 404 for any other list, 406 when only CWT is
 * accepted.
 */
export async function readStatusList(call: AnonymousCall, query: StatusListQuery & { list_id: string }) {
  if (query.list_id !== STATUS_LIST_ID) throw new ServiceError('not_found', 'There is no such status list.')
  requireNoHistory(query)
  if (!mediaTypes(query.headers.accept).some((type) => [MEDIA_TYPE, '*/*', 'application/*'].includes(type))) {
    throw new ServiceError('not_acceptable', `The list is offered as ${MEDIA_TYPE}.`)
  }
  return tokenResponse(call, query)
}

/** GET /oauth/status-list: the aggregation (section 9), or the token of the only list if its media type is accepted. */
export async function readStatusLists(call: AnonymousCall, query: StatusListQuery) {
  requireNoHistory(query)
  if (mediaTypes(query.headers.accept).includes(MEDIA_TYPE)) return tokenResponse(call, query)
  const headers = { vary: 'Accept', 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }
  return Reply.json({ status_lists: [statusListUri(call.platform)] }, headers)
}

/** Returns the media ranges of `Accept` without their parameters; any when there is no such header. */
function mediaTypes(accept: string | undefined): string[] {
  return new Negotiator({ headers: { accept: accept?.toLowerCase() || undefined } }).mediaTypes()
}
