import type { Explanation } from './error-explanations'

/** Explanations of the codes of credentials, presentations and federation. */
export const credentialErrors = {
  attestation_revoked: {
    means: 'The issuer has revoked or suspended the presented credential.',
    remedy: 'Ask the holder for a credential that is valid.',
  },
  audience_mismatch: {
    means: 'The key binding of the presentation names another verifier.',
    remedy: 'Present again, with the client_id of the request as aud.',
  },
  credential_request_denied: {
    means:
      'The credential is not issued: the access token has already been used for one, or the person it is about is gone or restricted.',
    remedy: 'Start again with a new credential offer.',
  },
  holder_binding_missing: {
    means:
      'The presentation does not prove that its holder has the key of the credential, or it is another key than the request asks for.',
    remedy: 'Present with a key-binding JWT of the key in cnf.',
  },
  invalid_credential_request: {
    means: 'The credential request lacks a member, has one too many or is malformed (OpenID4VCI section 8.3.1.2).',
    remedy: 'Correct the request; error_description names what is wrong.',
  },
  invalid_metadata: {
    means: 'The metadata policies of the trust chain contradict each other, or the metadata of the entity breaks them.',
    remedy:
      'The entity changes its metadata, or one of its superiors its policy; the description says which parameter.',
  },
  invalid_nonce: {
    means: 'The c_nonce of the proof is unknown, expired or used.',
    remedy: 'Fetch a new one from the nonce endpoint and sign a new proof. The fifth failure ends the code.',
  },
  invalid_proof: {
    means: 'The key proof is missing, malformed, badly signed, or for another issuer or time.',
    remedy: 'Sign a proof of type openid4vci-proof+jwt as the issuer metadata says. The fifth failure ends the code.',
  },
  invalid_subject: {
    means: 'No active path of the federation leads from the entity to this trust anchor.',
    remedy: 'Check the entity id, letter by letter. The operator enrols, suspends and revokes entities.',
  },
  invalid_trust_anchor: {
    means: 'The anchor is another than this server.',
    remedy: 'Name the issuer of this server as `trust_anchor`, without a slash at the end.',
  },
  invalid_trust_chain: {
    means:
      'A statement of the trust chain is missing, malformed, wrongly signed, expired, or breaks a constraint of a superior.',
    remedy: 'The party that the description names repairs its entity configuration or statement; then ask again.',
  },
  issuer_untrusted: {
    means: "The region's trust list does not name the issuer, or not for this type of credential.",
    remedy: 'The operator manages trust lists; ask for a credential of an issuer that is listed.',
  },
  nonce_mismatch: {
    means: 'The key binding of the presentation carries another nonce, or none.',
    remedy: 'Present again, with the nonce of the request.',
  },
  presentation_expired: {
    means: 'The presented credential has expired.',
    remedy: 'The holder gets a new credential from its issuer.',
  },
  region_unsupported: {
    means: 'No trust list is configured for the region.',
    remedy: 'Use a region that the operator has configured.',
  },
  request_object_invalid: {
    means: 'The operator has provisioned no valid access certificate, so presentation requests cannot be signed.',
    remedy: 'The operator provisions one: PUT /operator/relying-party.',
  },
  unknown_credential_configuration: {
    means: 'The issuer does not offer the configuration, or the offer is for another.',
    remedy: 'Use an id of credential_configurations_supported, the one in the offer.',
  },
  unknown_credential_identifier: {
    means: 'This issuer gives out no credential identifiers.',
    remedy: 'Send credential_configuration_id instead.',
  },
  unsupported_parameter: {
    means: 'The federation endpoint does not know this filter.',
    remedy: 'Leave the parameter out.',
  },
  vp_formats_not_supported: {
    means: 'The presentation is of a format that this verifier does not take.',
    remedy: 'Present an SD-JWT VC (dc+sd-jwt).',
  },
  vp_token_invalid: {
    means: 'The presentation is malformed, too large, badly signed, or does not answer the query.',
    remedy: 'Present again; error_description names what is wrong.',
  },
} satisfies Record<string, Explanation>
