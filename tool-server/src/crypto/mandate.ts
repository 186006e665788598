import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { CountersignError } from '../errors.js'
import { isJsonObject } from '../json.js'
import { JWT_ALGORITHMS, requireJwtHeader } from './algorithms.js'
import { isSameAudience } from './audience.js'
import { applyDisclosures } from './disclosures.js'

/** The JWT names a key that its expected signer does not publish. */
export class UnknownKey extends CountersignError {
  override readonly name = 'UnknownKey'

  constructor(what: string) {
    super(`refused the ${what} (signed with an unknown key)`)
  }
}

/** The purchase that was requested, which a mandate must match. */
export interface ExpectedMandate {
  readonly issuer: string
  readonly merchant: string
  readonly amountMinor: number
  readonly currency: string
  /** Thumbprint of this client's DPoP key. */
  readonly jkt: string
}

/** The data of a mandate that was verified. */
export interface VerifiedMandate {
  readonly mandateId: string | undefined
  /** The audience as the issuer spells it, which key bindings must name. */
  readonly audience: string
  /** Seconds since the epoch. */
  readonly expiresAt: number
}

/**
 * Checks a mandate before it is used: signature, type, holder, merchant and money.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.1}
 */
export async function verifyMandate(
  mandate: string,
  keys: JWTVerifyGetKey,
  expected: ExpectedMandate,
): Promise<VerifiedMandate> {
  const [jwt = '', ...rest] = mandate.split('~')
  if (rest.pop() !== '') throw refused('it is not an SD-JWT')
  const payload = await verifyJwt({ jwt, type: 'dc+sd-jwt', what: 'mandate' }, keys)
  // Called only because it throws: the claims compared below must be in the signed payload itself.
  applyDisclosures(payload, rest)
  const { aud, exp, iss, cnf, jti } = payload
  if (iss !== expected.issuer) throw refused('another issuer')
  if (typeof exp !== 'number') throw refused('no expiry')
  if (!isJsonObject(cnf) || cnf['jkt'] !== expected.jkt) throw refused('another key')
  if (!isSameAudience(aud, expected.merchant)) throw refused('another merchant')
  if (payload['amount_minor'] !== expected.amountMinor || payload['currency'] !== expected.currency) {
    throw refused('another amount')
  }
  return { mandateId: jti, audience: aud, expiresAt: exp }
}

/** Verifies the signature of a JWT of the authorization server. */
export async function verifyJwt(
  token: { readonly jwt: string; readonly type: string; readonly what: string },
  keys: JWTVerifyGetKey,
): Promise<JWTPayload> {
  requireJwtHeader(token.jwt, token)
  try {
    const { payload } = await jwtVerify(token.jwt, keys, { algorithms: [...JWT_ALGORITHMS] })
    return payload
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) throw new UnknownKey(token.what)
    if (error instanceof errors.JOSEError) throw new CountersignError(`refused the ${token.what} (${error.code})`)
    throw error
  }
}

const refused = (reason: string) => new CountersignError(`refused the mandate (${reason})`)
