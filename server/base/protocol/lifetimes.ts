/** All lifetimes and sizes of the protocols, with the unit last in the name. */

/** An authorization code. @see {@link https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2} */
export const AUTHORIZATION_CODE_TTL_SECONDS = 60
/** A setup token, which lets one agent register. */
export const SETUP_TOKEN_TTL_SECONDS = 86_400
/** An access token; the default of its setting. */
export const ACCESS_TOKEN_TTL_SECONDS = 300
/** A refresh token family, counted from its first token: rotation never extends it. */
export const REFRESH_TOKEN_TTL_SECONDS = 86_400
/** A mandate; the default of its setting. */
export const MANDATE_TTL_SECONDS = 300
/** A presentation request, from its creation to the wallet's response; the default of its setting. */
export const PRESENTATION_REQUEST_TTL_SECONDS = 600
/** A signed request object. */
export const REQUEST_OBJECT_TTL_SECONDS = 300
/** An offer of a credential, with its code; the default of its setting. */
export const CREDENTIAL_OFFER_TTL_SECONDS = 600
/** A credential that a wallet fetched; the default of its setting. */
export const CREDENTIAL_TTL_SECONDS = 2_592_000
/** A nonce for the proof of a credential request. */
export const CREDENTIAL_NONCE_TTL_SECONDS = 300
/** The greatest age of the proof of a credential request. */
export const CREDENTIAL_PROOF_MAX_AGE_SECONDS = 300
/** Wrong transaction codes, or bad proofs, that end the offer of a credential. */
export const CREDENTIAL_FAILURES_MAX = 5
/** The entity configuration of this server. @see {@link https://openid.net/specs/openid-federation-1_0.html#section-3.1.1} */
export const ENTITY_CONFIGURATION_TTL_SECONDS = 86_400
/** A statement about a subordinate of the federation; the default of its setting. */
export const FEDERATION_STATEMENT_TTL_SECONDS = 3_600
/** The longest that an unreachable entity still counts as verified, whatever the lifetime of its statements. */
export const ENROLMENT_VERIFIED_SECONDS = 3_600
/** A trust mark; the default of its setting. */
export const TRUST_MARK_TTL_SECONDS = 2_592_000
/**
 * A pushed request that needs no decision of the person.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9126#section-2.2}
 */
export const PAR_TTL_SECONDS = 60
/** A pushed request that waits for the person's decision. */
export const PAR_HUMAN_TTL_SECONDS = 900

/** A magic link, which confirms a request that needs no approval. */
export const MAGIC_LINK_TTL_SECONDS = 900

/**
 * The furthest that the `exp` of a client assertion may be ahead.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7523#section-3}
 */
export const CLIENT_ASSERTION_MAX_SECONDS = 300
/**
 * The greatest difference of the `iat` of a DPoP proof from now, either way.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-11.1}
 */
export const DPOP_PROOF_MAX_AGE_SECONDS = 60
/**
 * One slot of the server's DPoP nonces: a nonce is valid for the rest of its slot and the whole next one (90 to 180 s).
 */
export const DPOP_NONCE_SLOT_SECONDS = 90
/** The most that another party's clock may be ahead of ours in `iat` and `nbf`. */
export const CLOCK_SKEW_SECONDS = 60
/** The greatest difference of two processes' clocks: each starts at most a minute from the database's. */
export const PROCESS_CLOCKS_APART_SECONDS = 120
/** The smaller leeway for `nbf` of a proof and the upper bound of an assertion's `exp`. */
export const SMALL_CLOCK_SKEW_SECONDS = 10
/**
 * The greatest age of the key-binding JWT of a presentation.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.3}
 */
export const KEY_BINDING_MAX_AGE_SECONDS = 300
/**
 * The lifetime of a status list token (`exp`).
 *
 * @see {@link https://datatracker.ietf.org/doc/html/draft-ietf-oauth-status-list#section-5.1}
 */
export const STATUS_LIST_TTL_SECONDS = 300
/** The time for which a relying party may reuse a status list before it fetches it again (`ttl`). */
export const STATUS_LIST_REFRESH_SECONDS = 60
/**
 * The longest lifetime of the signature of an HTTP response.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-2.3}
 */
export const HTTP_SIGNATURE_MAX_SECONDS = 300
/** The greatest difference of the time in a webhook signature from now, either way. */
export const WEBHOOK_TOLERANCE_SECONDS = 300

/** A compact JWT of a client (assertion, proof, access token). */
export const JWT_MAX_BYTES = 8_192
/** An SD-JWT with its disclosures and key binding. */
export const PRESENTATION_MAX_BYTES = 65_536
/** A token identifier (`jti`), which a replay store has to keep. */
export const JTI_MAX_CHARS = 256
/** A key identifier. */
export const KID_MAX_CHARS = 256
/** A client identifier in an assertion. */
export const CLIENT_ID_MAX_CHARS = 256
/** A URI in a claim or parameter. */
export const URI_MAX_CHARS = 2_048
/** A nonce in a proof or key binding. */
export const NONCE_MAX_CHARS = 512
/** Nesting of JSON from other parties. */
export const JSON_MAX_DEPTH = 32
/** Unreadable responses to one presentation request; the last of them ends it. */
export const UNREADABLE_RESPONSES_MAX = 20
/** An entity statement with its metadata, key set and trust marks. */
export const ENTITY_STATEMENT_MAX_BYTES = 262_144
/** Keys in a registered key set. */
export const JWKS_MAX_KEYS = 10
/** Disclosures in an SD-JWT. */
export const DISCLOSURES_MAX = 64
/** Nesting of the processed payload of an SD-JWT. */
export const SD_JWT_MAX_DEPTH = 16
/** Presentations in one `vp_token`. */
export const PRESENTATIONS_MAX = 8
/** The time for which keys and status lists of another issuer may be reused. */
export const FOREIGN_ANSWER_MAX_AGE_SECONDS = 300
/** A fetch from another server, from the look-up of its name to the last byte. */
export const FOREIGN_FETCH_MAX_SECONDS = 5
/** An answer of another server. */
export const FOREIGN_ANSWER_MAX_BYTES = 1_048_576
/** A status list of another issuer once it is inflated. */
export const FOREIGN_STATUS_LIST_MAX_BYTES = 16_777_216
/** Keys in the published key set of another issuer. */
export const FOREIGN_KEYS_MAX = 100
/** Certificates in `x5c`, without the root. */
export const CERTIFICATE_CHAIN_MAX = 5
/** A status list before it is compressed: 2^20 entries of 8 bits. */
export const STATUS_LIST_MAX_BYTES = 1_048_576
/** A token that identifies this server to a push service; RFC 8292 section 2 allows 24 hours. */
export const VAPID_TTL_SECONDS = 43_200
