import type { Platform } from '../../base/core/platform'
import { epochSeconds } from '../../base/protocol/claims'
import { signEddsa } from '../../base/protocol/eddsa'
import { ENTITY_STATEMENT_TYPE } from '../../base/protocol/federation/entity-statement'
import { ENTITY_CONFIGURATION_TTL_SECONDS } from '../../base/protocol/lifetimes'
import { buildServerMetadata } from '../../oauth/metadata'
import { issuerMetadata } from '../issuance'
import { listEligibleMarks, type SubordinateRow } from './subordinate-store'

const ORGANIZATION = 'Countersign'

/** Signs a document of the federation with the current key. */
export function signFederationDocument(platform: Platform, typ: string, payload: object): string {
  return signEddsa({ typ, payload, key: platform.keys.current('federation') })
}

/** Signs the entity configuration of this server, a trust anchor without superiors (section 3.1). */
export async function signEntityConfiguration(platform: Platform, now: Date): Promise<string> {
  const { baseUrl } = platform.config
  const markIds = await listEligibleMarks(platform.db)
  const iat = epochSeconds(now)
  return signFederationDocument(platform, ENTITY_STATEMENT_TYPE, {
    iss: baseUrl,
    sub: baseUrl,
    iat,
    exp: iat + ENTITY_CONFIGURATION_TTL_SECONDS,
    jwks: { keys: platform.keys.jwks('federation') },
    metadata: {
      federation_entity: {
        organization_name: ORGANIZATION,
        federation_fetch_endpoint: `${baseUrl}/federation/fetch`,
        federation_list_endpoint: `${baseUrl}/federation/list`,
        federation_resolve_endpoint: `${baseUrl}/federation/resolve`,
        federation_trust_mark_endpoint: `${baseUrl}/federation/trust-mark`,
        federation_trust_mark_status_endpoint: `${baseUrl}/federation/trust-mark-status`,
      },
      oauth_authorization_server: buildServerMetadata(platform, now),
      openid_credential_issuer: issuerMetadata(baseUrl),
    },
    trust_mark_issuers: Object.fromEntries(markIds.map((id) => [id, [baseUrl]])),
  })
}

/** Signs the statement of this server about a subordinate (section 3.1.3). */
export function signSubordinateStatement(platform: Platform, row: SubordinateRow, now: Date): string {
  const { baseUrl, federationStatementTtlSeconds } = platform.config
  const iat = epochSeconds(now)
  const { metadata, metadata_policy, constraints } = row
  return signFederationDocument(platform, ENTITY_STATEMENT_TYPE, {
    iss: baseUrl,
    sub: row.entity_id,
    iat,
    exp: iat + federationStatementTtlSeconds,
    jwks: row.jwks,
    ...(metadata !== null && { metadata }),
    ...(metadata_policy !== null && { metadata_policy }),
    ...(constraints !== null && { constraints }),
    source_endpoint: `${baseUrl}/federation/fetch`,
  })
}
