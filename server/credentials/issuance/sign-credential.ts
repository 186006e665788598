import type { Platform } from '../../base/core/platform'
import { epochSeconds } from '../../base/protocol/claims'
import type { CredentialProof } from '../../base/protocol/credential-proof'
import { isJsonObject, type JsonObject } from '../../base/protocol/encoding'
import { createDisclosures, digestsOf, issueSdJwt } from '../../base/protocol/sd-jwt'
import type { OfferRow } from '../../oauth/credential-offers'
import { pairwiseReference, statusListUri } from '../../oauth/mandates'
import { credentialType } from './credential-types'

/** The claim whose members are disclosed one by one. */
const AGES = 'age_equal_or_over'

interface CredentialOrder {
  readonly credentialId: string
  readonly offer: Pick<OfferRow, 'configuration' | 'subject' | 'principal_id'>
  readonly holder: Pick<CredentialProof, 'jwk' | 'jkt'>
  readonly statusIndex: number
  readonly now: Date
  readonly expiresAt: Date
}

/** Signs an SD-JWT VC with all its disclosures; the text ends with a tilde. */
export function signCredential(platform: Platform, order: CredentialOrder): string {
  const { config, keys, random } = platform
  const { offer, holder, now } = order
  const { [AGES]: ages, ...claims } = disclosableOf(config.baseUrl, offer)
  const disclose = (members: JsonObject) => createDisclosures(members, (length) => random.bytes(length))
  const innerDisclosures = isJsonObject(ages) ? disclose(ages) : []
  const iat = epochSeconds(now)
  return issueSdJwt({
    typ: 'dc+sd-jwt',
    claims: {
      iss: config.baseUrl,
      iat,
      nbf: iat,
      exp: epochSeconds(order.expiresAt),
      jti: order.credentialId,
      vct: credentialType(config.baseUrl, offer.configuration),
      cnf: { jwk: holder.jwk, jkt: holder.jkt },
      status: { status_list: { idx: order.statusIndex, uri: statusListUri(platform) } },
      ...(innerDisclosures.length > 0 && { [AGES]: digestsOf(innerDisclosures) }),
    },
    disclosures: disclose(claims),
    innerDisclosures,
    key: keys.current('mandate'),
  })
}

/**
 * Returns the disclosable claims: the offered ones, and the person's pairwise reference for the merchant that they
 * name, or for this issuer.
 */
function disclosableOf(
  baseUrl: string,
  { subject, principal_id: principalId }: Pick<OfferRow, 'subject' | 'principal_id'>,
): JsonObject {
  if (principalId === null) return subject
  const { merchant_audience: merchant } = subject
  return { ...subject, principal: pairwiseReference(principalId, typeof merchant === 'string' ? merchant : baseUrl) }
}
