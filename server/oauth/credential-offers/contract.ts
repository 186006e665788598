/** The grant that redeems a pre-authorized code (OpenID4VCI section 4.1.1). */
export const PRE_AUTHORIZED_GRANT = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'

/** The credentials that can be offered, by the id of their configuration. */
export const credentialConfigurationIds = ['service_mandate', 'service_age_verified_buyer'] as const
export type CredentialConfigurationId = (typeof credentialConfigurationIds)[number]
