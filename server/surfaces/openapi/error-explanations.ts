import type { PublicErrorCode } from '../../base/core/errors'
import { credentialErrors } from './credential-errors'

/** The meaning of a code, and what a developer can do about it. */
export interface Explanation {
  readonly means: string
  readonly remedy: string
}

/** The explanation of every code that this service returns. */
export const explanations: Readonly<Record<PublicErrorCode, Explanation>> = {
  ...credentialErrors,
  access_denied: {
    means:
      'The person, one of their rules or their privacy choice said no, or they froze spending or paused the agent. At authorize it travels in the redirect.',
    remedy: 'Do not ask again for the same thing. Only the person can change it, in their wallet.',
  },
  bad_gateway: {
    means: 'The card processor has not answered in time, so it is not known yet whether money moved.',
    remedy: 'Repeat the request with the same idempotency_key after Retry-After; nothing is charged twice.',
  },
  body_too_large: {
    means: 'The body has more bytes than the endpoint takes.',
    remedy: 'Send less. Forms may have 64 KiB.',
  },
  card_required: {
    means: 'The person has no usable card, or the card of this agent was removed. error_description says which.',
    remedy: 'The person adds one in their wallet, under Cards, or chooses another for the agent, under Agents.',
  },
  conflict: {
    means:
      'The state of the resource does not allow it: it was decided, withdrawn, revoked or changed before, another one has the address, audience or entity id, a card is bound to an agent, or the line items of a request do not match the amount. At the proofs of the audit chain: the chain does not match its signed checkpoint.',
    remedy:
      'Read its present state. Repeating the same decision is fine, the opposite one is not. The operator has a chain checked with audit:verify.',
  },
  consent_required: {
    means: 'The person has not decided yet. Presenting the request has ended it.',
    remedy:
      'Poll the status of the request_uri first, and go to authorize once it is no longer pending. Push again now.',
  },
  forbidden: {
    means:
      'The caller is known and may not do this, what is to be paid is not what the person approved, the money is to go elsewhere than to the merchant, the person froze spending or paused the agent, or a limit request is approved from a phone that was confirmed less than 24 hours ago.',
    remedy: 'Use credentials of the party that may, or ask the person for a new approval.',
  },
  headers_too_large: {
    means: 'The headers of the request are larger than 16 KiB together.',
    remedy: 'Send fewer or shorter headers.',
  },
  idempotency_conflict: {
    means: 'The idempotency key was used before with another body.',
    remedy: 'Send the same bytes again to get the first answer, or use a fresh key for a new request.',
  },
  idempotency_in_flight: {
    means: 'A request with this idempotency key is being worked on right now.',
    remedy: 'Repeat it after Retry-After with the same key and body.',
  },
  insufficient_scope: {
    means:
      'The token or client lacks the scope that the endpoint needs; WWW-Authenticate names it (RFC 6750 section 3.1).',
    remedy: 'Run the authorization flow again and ask for the named scope.',
  },
  insufficient_user_authentication: {
    means:
      'What would let agents pay more needs a person who confirmed the access of this token just now: with a passkey where they have one or the agent may pay, else by a mailed link. acr and auth_time of the token say how and when; acr_values and max_age in WWW-Authenticate say what would do (RFC 9470).',
    remedy:
      'Push a request for wallet access with acr_values and max_age, so that the person confirms it again, and use its token within 15 minutes. Or ask the person to do it in their wallet.',
  },
  invalid_authorization_details: {
    means:
      'authorization_details is no JSON, of an unknown type, asks for more than was granted (RFC 9396 section 5), its line items come to more than the amount, or a sku, title or offer_id holds invisible characters or what may be a card number.',
    remedy:
      'Compare it with the schema in the API reference. Types are in authorization_details_types_supported. The prices of the items must not come to more than the amount.',
  },
  invalid_client: {
    means:
      'The client assertion does not prove who calls: bad signature, aud, times, a reused jti, or a revoked client.',
    remedy:
      'Make a fresh assertion: iss and sub are the client_id, aud is the issuer as one string, exp at most 300 s ahead, a new jti. A revoked client stays revoked.',
  },
  invalid_client_metadata: {
    means:
      'The registration holds a value that is not supported, or a name or purpose with invisible characters or what may be a card number (RFC 7591 section 3.2.2).',
    remedy: 'Correct what error_description names. The setup token has not been used up.',
  },
  invalid_dpop_proof: {
    means:
      'The DPoP proof is missing, malformed, for another request, too old, or was used before (RFC 9449 section 4.3).',
    remedy: 'Sign a fresh proof for this method and address: new jti, current iat, and ath where a token is presented.',
  },
  invalid_filter: {
    means:
      'A filter of the directory is no ISO 3166-1 country or ISO 4217 currency, no whole number from 1, or longer than 200 characters.',
    remedy: 'Use upper-case codes such as DE and EUR; error_description names the filter.',
  },
  invalid_grant: {
    means:
      'The code or refresh token is unknown, expired, used, revoked, of another client or key, or the verifier does not match.',
    remedy: 'Start again with a pushed request. Using a code or refresh token twice revokes everything issued from it.',
  },
  invalid_redirect_uri: {
    means: 'A redirect URI is neither an https address nor an http address on a loopback host, or it has a fragment.',
    remedy: 'Register `https://…` or `http://127.0.0.1/…` (any port will match).',
  },
  invalid_request: {
    means: 'A parameter is missing, malformed or given twice.',
    remedy: 'Correct what error_description names. Where the endpoint validates types, `detail` lists every problem.',
  },
  invalid_request_uri: {
    means: 'The request_uri is unknown, has expired, or was used before (RFC 9126).',
    remedy: 'Push the request again; each request_uri works once.',
  },
  invalid_scope: {
    means: 'The scope is missing, unknown, more than was registered, or mixes payment and wallet scopes.',
    remedy: 'Ask for scopes the client registered, payment and wallet access in separate requests.',
  },
  invalid_signature: {
    means: 'The signature of a webhook is missing or does not verify.',
    remedy: 'Check the shared secret and the sender clock: five minutes are tolerated.',
  },
  invalid_software_statement: {
    means: 'The setup token is unknown, used, cancelled or older than 24 hours.',
    remedy: 'The person makes a new one in their wallet, under Agents.',
  },
  invalid_target: {
    means:
      'A resource is not an absolute URI, is neither the merchant nor this server, or is not among those of the pushed request (RFC 8707 section 2), or the merchant cannot be paid: by its address, or because the directory does not list it.',
    remedy: 'Name the merchant, and this service to settle here, as resource when pushing; narrow only to those later.',
  },
  invalid_token: {
    means:
      'The access token is missing, expired, revoked, for another audience or of the wrong kind, or its proof fails.',
    remedy:
      'Refresh it or run the flow again. Wallet endpoints need a wallet-session token. WWW-Authenticate says invalid_dpop_proof when only the proof is at fault.',
  },
  limit_currency_mismatch: {
    means: 'The payment is in another currency than the limits of the person, or those they set for the agent.',
    remedy: 'Pay in that currency, or the person changes the limits. Nobody can lift this for one payment.',
  },
  limit_exceeded: {
    means: 'The payment exceeds limits, the first of which `limit` names.',
    remedy:
      'The person was asked: once they approve the limit request of `bump_id`, settle again with the same key, or push the same purchase again when the mandate has expired. If they declined it, they are not asked about this settlement again for a day.',
  },
  mandate_audience_mismatch: {
    means: 'The mandate is for another merchant.',
    remedy: 'Mandates are never carried over. Push a request for this merchant.',
  },
  mandate_consumed: {
    means: 'The mandate was or is being settled under another idempotency key, or was used for another order.',
    remedy: 'Repeat the first request with its key to learn the outcome; it may not be known yet.',
  },
  mandate_expired: {
    means: 'The mandate has expired: after five minutes, unless the operator set another time.',
    remedy: 'Run the flow again for a new one.',
  },
  mandate_invalid: {
    means:
      'The presentation is no mandate of this service, its key binding does not hold, or the purchase is not the one that it is for.',
    remedy: 'Present the mandate as issued, with a key-binding JWT of the key in cnf.',
  },
  mandate_kb_nonce_mismatch: {
    means: 'The nonce of the key-binding JWT is unknown, has run out, or was used by another presentation.',
    remedy: 'Fetch a fresh nonce and present again.',
  },
  mandate_status_revoked: {
    means: 'The status list says that the mandate was revoked.',
    remedy: 'It stays revoked. The person or the agent ended its family.',
  },
  method_not_allowed: {
    means: 'The address does not answer this method.',
    remedy: 'Use one that the Allow header lists.',
  },
  misdirected_request: {
    means: 'The Host header names a host that this server does not answer for.',
    remedy: 'Use the address of BASE_URL. Behind a proxy, list the name that it sends in ALLOWED_HOSTS.',
  },
  not_acceptable: {
    means: 'None of the media types in Accept can be produced.',
    remedy: 'Leave Accept out, or name the type in the API reference.',
  },
  not_found: {
    means: 'The resource does not exist or belongs to another party; both are answered alike on purpose.',
    remedy: 'Check the identifier, and that the credentials are those of its owner.',
  },
  not_implemented: {
    means: 'A status list of an earlier time was asked for; only the newest one is kept.',
    remedy: 'Leave `time` out.',
  },
  offer_digest_mismatch: {
    means: 'The mandate holds no offer digest, or that of another offer.',
    remedy: 'Take offer_id and offer_digest from the catalog of the merchant and put both into the request.',
  },
  payment_declined: {
    means:
      'The payment failed and nothing was charged. `failure.code` says why: the card was declined, the bank was not answered in time, the permission was withdrawn, or the card processor failed.',
    remedy:
      'The mandate stays usable until it expires: settle again under a new key once what `failure.code` names is mended, for instance with another card.',
  },
  principal_mismatch: {
    means: 'The caller asked for the records of another party.',
    remedy: 'Ask for your own: client_id and tenant_id must be the same.',
  },
  rate_limited: {
    means:
      'More requests came than the caller may send in that time, or as many wait as may: three approvals of an agent, or twenty setup tokens of a person. At settlement also: ten charges of the mandate have failed, or sixty of the agent within an hour.',
    remedy:
      'Wait as long as Retry-After says, and send the request again, with a fresh proof where it carries an access token.',
  },
  request_not_supported: {
    means: 'Request objects (RFC 9101) are not taken.',
    remedy: 'Push the parameters as a form.',
  },
  request_timeout: {
    means: 'The request took too long to arrive.',
    remedy: 'Send it again over a connection that is fast enough.',
  },
  server_error: {
    means: 'Something went wrong here.',
    remedy: 'Try again later; tell the operator the x-request-id of the answer if it stays.',
  },
  service_unavailable: {
    means: 'The feature is switched off, or the database cannot be reached right now.',
    remedy:
      'Try again after Retry-After, or later where there is none; settle with the same idempotency_key, so that nothing is charged twice.',
  },
  setup_required: {
    means:
      'The person has no usable card, the card of this agent was removed, or the merchant needs a proof of age that they have not given, so the purchase cannot be authorised. error_description says which.',
    remedy: 'The person adds a card, chooses one for the agent, or proves their age, in their wallet; then push again.',
  },
  step_up_required: {
    means:
      'When settling: the bank requires the cardholder to confirm the payment. They have been notified; the money is held, not charged. In the answer to a limit request: the person wants such things confirmed with a passkey.',
    remedy:
      'When settling, repeat the request with the same idempotency_key after Retry-After, until expires_at: the final answer follows what the cardholder did. Otherwise ask the person to do it in their wallet.',
  },
  unauthorized_client: {
    means: 'The client has not registered this grant type.',
    remedy: 'Register with grant_types that include it.',
  },
  unsupported_grant_type: {
    means: 'grant_type is none of grant_types_supported in the metadata of this server.',
    remedy: 'Use one of those.',
  },
  unsupported_media_type: {
    means: 'The body is of another media type than the endpoint reads, or compressed.',
    remedy:
      'Send application/json, or application/x-www-form-urlencoded where the API reference says so, without Content-Encoding.',
  },
  unsupported_response_type: { means: 'response_type is not `code`.', remedy: 'Use `code`.' },
  uri_too_long: {
    means: 'The address has more than 8 KiB.',
    remedy: 'Send less in the query.',
  },
  use_dpop_nonce: {
    means: 'The proof has no nonce of this server, or a stale one (RFC 9449 section 8). Nothing was used up.',
    remedy: 'Sign a fresh proof with the nonce of the DPoP-Nonce header and repeat the request, assertion included.',
  },
}
