import { parseScopes } from '../clients'
import { ServiceError } from '../core/errors'
import type { AuthorizationDetail } from '../par/contract'
import { canonicalJson, parseJsonValue } from '../protocol/encoding'
import type { TokenParameters } from './contract'
import type { Grant } from './store'

/** What one access token covers: never more than its grant. */
export interface Coverage {
  readonly scope: readonly string[]
  readonly resources: readonly string[]
  readonly details: readonly AuthorizationDetail[]
}

/** Narrows a grant to what the token request asks for; asking for more is refused and consumes nothing. */
export function narrowGrant(grant: Grant, input: TokenParameters): Coverage {
  return {
    scope: narrowScope(grant, input.scope),
    resources: narrowResources(grant, input.resource),
    details: narrowDetails(grant, input.authorization_details),
  }
}

/** RFC 6749 section 6: at refresh the scope may shrink, never grow. */
function narrowScope(grant: Grant, scope: string | undefined): readonly string[] {
  const asked = parseScopes(scope)
  if (asked === null) return grant.scope
  if (!asked.every((name) => grant.scope.includes(name))) {
    throw new ServiceError('invalid_scope', 'scope asks for more than was granted.')
  }
  return asked
}

/** RFC 8707 section 2.2. */
function narrowResources(grant: Grant, resources: readonly string[] | undefined): readonly string[] {
  if (resources === undefined) return grant.resources
  if (!resources.every((resource) => grant.resources.includes(resource))) {
    throw new ServiceError('invalid_target', 'resource was not part of the pushed request.')
  }
  return [...new Set(resources)]
}

/** RFC 9396 section 6: a subset of the granted objects. */
function narrowDetails(grant: Grant, json: string | undefined): readonly AuthorizationDetail[] {
  if (json === undefined) return grant.authorization_details
  const refuse = (cause?: unknown) =>
    new ServiceError('invalid_authorization_details', 'authorization_details is not part of the grant.', { cause })
  let asked: unknown
  try {
    asked = parseJsonValue(Buffer.from(json))
  } catch (cause) {
    throw refuse(cause)
  }
  if (!Array.isArray(asked) || asked.length === 0) throw refuse()
  const wanted = new Set((asked as unknown[]).map((detail) => canonicalJson(detail)))
  const found = grant.authorization_details.filter((detail) => wanted.has(canonicalJson(detail)))
  if (found.length !== wanted.size) throw refuse()
  return found
}
