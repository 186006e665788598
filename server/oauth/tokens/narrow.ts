import { parseScopes } from '../../base/contract/parse-scopes'
import { scopeOfAction, walletScopes } from '../../base/contract/scopes'
import { ServiceError } from '../../base/core/errors'
import { isSameAudience } from '../../base/protocol/audience'
import { canonicalJson, parseJsonValue } from '../../base/protocol/encoding'
import { type AuthorizationDetail, authorizationDetails } from '../authorization/contract'
import type { TokenParameters } from './contract'
import type { Grant } from './store'

/** The scope, resources and details of one access token: never more than its grant. */
export interface Coverage {
  readonly scope: readonly string[]
  readonly resources: readonly string[]
  readonly details: readonly AuthorizationDetail[]
}

type WalletAction = Extract<AuthorizationDetail, { type: 'oid4ac_wallet' }>['actions'][number]

/** Narrows a grant to the parameters of the token request; throws for more than the grant and consumes nothing. */
export function narrowGrant(grant: Grant, input: TokenParameters): Coverage {
  const requested = {
    scope: narrowScope(grant, input.scope),
    details: narrowDetails(grant, input.authorization_details),
  }
  return { resources: narrowResources(grant, input.resource), ...intersect(requested) }
}

/** Restricts wallet scopes and actions to those that both contain, since they describe the same access. */
function intersect({ scope, details }: Pick<Coverage, 'scope' | 'details'>): Pick<Coverage, 'scope' | 'details'> {
  const named = new Set<string>(actionsOf(details).map((action) => scopeOfAction[action]))
  const kept = scope.filter((name) => !walletScopes.has(name) || named.has(name))
  if (kept.length === 0) throw new ServiceError('invalid_scope', 'scope and authorization_details share no access.')
  return { scope: kept, details: details.flatMap((detail) => withinScope(detail, kept)) }
}

function withinScope(detail: AuthorizationDetail, scope: readonly string[]): AuthorizationDetail[] {
  if (detail.type !== 'oid4ac_wallet') return [detail]
  const actions = detail.actions.filter((action) => scope.includes(scopeOfAction[action]))
  return actions.length === 0 ? [] : [{ ...detail, actions }]
}

function actionsOf(details: readonly AuthorizationDetail[]): WalletAction[] {
  return details.flatMap((detail) => (detail.type === 'oid4ac_wallet' ? detail.actions : []))
}

/** Returns the requested scope, which must be within the grant (RFC 6749 section 6). */
function narrowScope(grant: Grant, scope: string | undefined): readonly string[] {
  const requested = parseScopes(scope)
  if (requested === null) return grant.scope
  if (!requested.every((name) => grant.scope.includes(name))) {
    throw new ServiceError('invalid_scope', 'scope exceeds the granted scope.')
  }
  return requested
}

/**
 * Returns the requested resources as they were pushed. In whatever spelling of the same audience, they must be within
 * the grant (RFC 8707 section 2.2).
 */
function narrowResources(grant: Grant, resources: readonly string[] | undefined): readonly string[] {
  if (resources === undefined) return grant.resources
  const narrowed = resources.map((resource) => {
    const isAsPushed = grant.resources.includes(resource)
    const pushed = isAsPushed ? resource : grant.resources.find((granted) => isSameAudience(granted, resource))
    if (pushed === undefined) throw new ServiceError('invalid_target', 'resource was not part of the pushed request.')
    return pushed
  })
  return [...new Set(narrowed)]
}

/**
 * Returns the requested details: payments as granted, wallet access to some or all granted actions (RFC 9396 section
 * 6).
 */
function narrowDetails(grant: Grant, json: string | undefined): readonly AuthorizationDetail[] {
  if (json === undefined) return grant.authorization_details
  const buildUngrantedError = (cause?: unknown) =>
    new ServiceError('invalid_authorization_details', 'authorization_details is not part of the grant.', { cause })
  let requested: unknown
  try {
    requested = parseJsonValue(Buffer.from(json))
  } catch (cause) {
    throw buildUngrantedError(cause)
  }
  const parsed = authorizationDetails.safeParse(requested)
  if (!parsed.success) throw buildUngrantedError(parsed.error)
  const wanted = [...new Map(parsed.data.map((detail) => [canonicalJson(detail), detail])).values()]
  if (!wanted.every((detail) => isGranted(grant, detail))) throw buildUngrantedError()
  return wanted
}

function isGranted({ authorization_details: granted }: Grant, requested: AuthorizationDetail): boolean {
  if (requested.type === 'oid4ac_wallet') {
    const actions = actionsOf(granted)
    return requested.actions.every((action) => actions.includes(action))
  }
  return granted.some((detail) => canonicalJson(detail) === canonicalJson(requested))
}
