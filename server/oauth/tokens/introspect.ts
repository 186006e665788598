import { acrValue } from '../../base/core/authentication'
import type { ClientCall } from '../../base/core/call'
import { epochSeconds } from '../../base/protocol/claims'
import { findKnownToken, type KnownToken } from './known-token'
import { wholeDetails } from './short-details'

/**
 * POST /oauth/introspect (RFC 7662 section 2.2). Tokens that are unknown, expired, revoked or not for the caller to
 * know are only reported as inactive.
 */
export async function introspect(call: ClientCall, { token }: { token: string }) {
  const known = await findKnownToken(call, token)
  if (known === null) return { active: false }
  return known.claims === null
    ? describeRefreshToken(call, known)
    : { active: true, ...describe(known.claims, known.family) }
}

function describe(claims: NonNullable<KnownToken['claims']>, family: KnownToken['family']) {
  const {
    iss,
    sub,
    aud,
    client_id,
    jti,
    exp,
    iat,
    scope,
    cnf,
    authorization_details: details,
    mandate_id: mandateId,
  } = claims
  return {
    ...describeAuthentication(family),
    iss,
    sub,
    aud: typeof aud === 'string' ? aud : [...aud],
    client_id,
    jti,
    exp,
    iat,
    scope,
    token_type: 'DPoP' as const,
    cnf,
    ...(details === undefined ? {} : { authorization_details: wholeDetails(details, family.authorization_details) }),
    ...(mandateId === undefined ? {} : { mandate_id: mandateId }),
  }
}

/** Returns the members of RFC 9470 section 6.2 about the authentication. */
function describeAuthentication({ acr, auth_time: authTime }: KnownToken['family']) {
  return { acr: acrValue(acr), auth_time: epochSeconds(authTime) }
}

function describeRefreshToken({ platform }: ClientCall, { family, familyId }: KnownToken) {
  return {
    active: true,
    ...describeAuthentication(family),
    iss: platform.config.baseUrl,
    sub: family.kind === 'wallet' ? family.principal_id : family.client_id,
    aud: family.resources,
    client_id: family.client_id,
    jti: familyId,
    exp: epochSeconds(family.expires_at),
    iat: epochSeconds(family.created_at),
    scope: family.scope.join(' '),
    token_type: 'DPoP' as const,
    cnf: { jkt: family.jkt },
    authorization_details: family.authorization_details.map((detail) => ({ ...detail })),
  }
}
