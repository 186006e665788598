import type { Platform, Queryable } from '../../base/core/platform'
import { mintAccessToken } from './mint-access-token'
import type { Coverage } from './narrow'
import type { Grant, Outcome } from './store'

/** The success response of the token endpoint. */
export interface TokenResponse {
  readonly access_token: string
  readonly token_type: 'DPoP'
  readonly expires_in: number
  readonly refresh_token?: string
  readonly scope: string
  /** Absent after the redemption of a credential offer's code. */
  readonly authorization_details?: Record<string, unknown>[]
  readonly mandate_jwt?: string
  readonly mandate_id?: string
}

/** A token request that has passed all checks and consumed nothing yet. */
export interface PreparedGrant {
  readonly familyId: string
  /** Consumes and issues in one statement. */
  write(db: Queryable): Promise<Outcome>
  /** Returns the response for a successful outcome, with signed tokens. */
  reply(outcome: Outcome): TokenResponse
  /** Throws the reason why nothing was issued, given the replay keys that were fresh. */
  explain(fresh: readonly string[]): Promise<never>
}

interface GrantSubject extends Grant {
  readonly familyId: string
  readonly mandateId: string | null
  readonly familyExpiresAt: Date
  readonly now: Date
}

/** Returns the response members of both grants (RFC 6749 section 5.1, RFC 9449 section 5, RFC 9396 section 7). */
export function buildTokenResponse(
  platform: Platform,
  subject: GrantSubject,
  { coverage, refreshToken }: { coverage: Coverage; refreshToken: string | null },
): TokenResponse {
  const { familyId, mandateId, familyExpiresAt, now } = subject
  const tokenSubject = {
    familyId,
    clientId: subject.client_id,
    principalId: subject.principal_id,
    jkt: subject.jkt,
    acr: subject.acr,
    authTime: subject.auth_time,
    mandateId,
    familyExpiresAt,
    now,
  }
  return {
    ...mintAccessToken(platform, tokenSubject, coverage),
    token_type: 'DPoP',
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    scope: coverage.scope.join(' '),
    authorization_details: coverage.details.map((detail) => ({ ...detail })),
  }
}
