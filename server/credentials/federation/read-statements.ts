import type { InputOf, OutputOf } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { AnonymousCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { ENTITY_STATEMENT_MEDIA_TYPE, type fetchStatementEndpoint, type listSubordinateIdsEndpoint } from './contract'
import { markIdOf } from './mark-name'
import { signEntityConfiguration, signSubordinateStatement } from './statements'
import { findActiveSubordinate, listActiveIds } from './subordinate-store'

/** Must not exceed the time for which a new key is listed before it signs. */
const CACHE_SECONDS = 300

/** GET /.well-known/openid-federation. Caches may keep no other answer of the federation. */
export async function readEntityConfiguration({ platform, now }: AnonymousCall): Promise<Reply> {
  const headers = { 'access-control-allow-origin': '*', 'cache-control': `public, max-age=${CACHE_SECONDS}` }
  return Reply.text(await signEntityConfiguration(platform, now), ENTITY_STATEMENT_MEDIA_TYPE, { headers })
}

/** GET /federation/fetch (section 8.1). 404 unless the subject is an active subordinate. */
export async function fetchStatement(
  { platform, now }: AnonymousCall,
  { sub }: InputOf<typeof fetchStatementEndpoint>,
): Promise<Reply> {
  if (sub === platform.config.baseUrl) {
    const description =
      'Statements are about subordinates only. Read the entity configuration of the trust anchor instead.'
    throw new ServiceError('invalid_request', description, { status: 404 })
  }
  const row = await findActiveSubordinate(platform.db, sub)
  if (row === null) throw new ServiceError('not_found', 'There is no such active subordinate.')
  return Reply.text(signSubordinateStatement(platform, row, now), ENTITY_STATEMENT_MEDIA_TYPE)
}

/** GET /federation/list (section 8.2). */
export async function listSubordinateIds(
  { platform, now }: AnonymousCall,
  query: InputOf<typeof listSubordinateIdsEndpoint>,
): Promise<OutputOf<typeof listSubordinateIdsEndpoint>> {
  if (query.intermediate !== undefined) {
    throw new ServiceError('unsupported_parameter', 'The parameter intermediate is not supported.')
  }
  const { trust_marked: marked } = query
  return listActiveIds(platform.db, {
    entityTypes: query.entity_type ?? null,
    isMarked: marked === undefined ? null : marked === 'true',
    trustMarkId: markIdOf(query) ?? null,
    now,
  })
}
