import type { AnonymousCall } from '../../base/core/call'
import type { CredentialConfigurationId } from '../../oauth/credential-offers/contract'
import { publicJson } from '../../oauth/metadata'

interface CredentialType {
  readonly path: string
  readonly name: string
  readonly description: string
  /** The paths of claims that a holder may withhold. */
  readonly disclosable: readonly (readonly [string, string])[]
}

const types: Readonly<Record<CredentialConfigurationId, CredentialType>> = {
  service_mandate: {
    path: '/vct/service-mandate/1',
    name: 'Service mandate',
    description: 'Says what services of this person may buy, and from whom. It is no payment mandate.',
    disclosable: [
      ['principal', 'Pairwise reference of the person'],
      ['merchant_audience', 'Merchant'],
      ['currency', 'Currency'],
      ['max_amount_minor', 'Highest amount in minor units'],
      ['purpose', 'Purpose'],
    ],
  },
  service_age_verified_buyer: {
    path: '/vct/age-verified-buyer/1',
    name: 'Age-verified buyer',
    description: 'Says which ages the buyer has reached.',
    disclosable: [
      ['age_equal_or_over', 'Ages reached'],
      ['country', 'Country'],
      ['principal', 'Pairwise reference of the person'],
    ],
  },
}

/** Returns the `vct` of a configuration, the address of its type metadata. */
export function credentialType(baseUrl: string, id: CredentialConfigurationId): string {
  return baseUrl + types[id].path
}

interface Conditional {
  readonly headers: { readonly 'if-none-match': string | undefined }
}

/** Returns the type metadata that a credential's `vct` leads to (SD-JWT VC section 6). */
function typeMetadata({ platform }: AnonymousCall, id: CredentialConfigurationId, { headers }: Conditional) {
  const { name, description, disclosable } = types[id]
  const document = {
    vct: credentialType(platform.config.baseUrl, id),
    name,
    description,
    claims: disclosable.map(([claim]) => ({ path: [claim], sd: claim === 'age_equal_or_over' ? 'allowed' : 'always' })),
  }
  return publicJson(document, headers['if-none-match'])
}

export const readServiceMandateType = async (call: AnonymousCall, input: Conditional) =>
  typeMetadata(call, 'service_mandate', input)
export const readAgeVerifiedBuyerType = async (call: AnonymousCall, input: Conditional) =>
  typeMetadata(call, 'service_age_verified_buyer', input)

const ALGORITHMS = ['EdDSA', 'Ed25519']

function configuration(baseUrl: string, id: CredentialConfigurationId) {
  const { name, description, disclosable } = types[id]
  return {
    format: 'dc+sd-jwt',
    vct: credentialType(baseUrl, id),
    scope: id,
    cryptographic_binding_methods_supported: ['jwk'],
    credential_signing_alg_values_supported: ['EdDSA'],
    proof_types_supported: { jwt: { proof_signing_alg_values_supported: ALGORITHMS } },
    credential_metadata: {
      display: [{ name, description, locale: 'en' }],
      claims: disclosable.map(([claim, title]) => ({ path: [claim], display: [{ name: title, locale: 'en' }] })),
    },
  }
}

/** Returns the document of the credential issuer (OpenID4VCI section 12.2.4). */
export function issuerMetadata(baseUrl: string) {
  return {
    credential_issuer: baseUrl,
    authorization_servers: [baseUrl],
    credential_endpoint: `${baseUrl}/oid4vci/credential`,
    nonce_endpoint: `${baseUrl}/oid4vci/nonce`,
    display: [{ name: 'Countersign' }],
    credential_configurations_supported: {
      service_mandate: configuration(baseUrl, 'service_mandate'),
      service_age_verified_buyer: configuration(baseUrl, 'service_age_verified_buyer'),
    },
  }
}

/** GET /.well-known/openid-credential-issuer. */
export async function readIssuerMetadata({ platform }: AnonymousCall, { headers }: Conditional) {
  return publicJson(issuerMetadata(platform.config.baseUrl), headers['if-none-match'])
}
