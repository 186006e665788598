/** The longest line from the host that is read, including its end. */
export const INPUT_LINE_MAX_BYTES = 10_485_760

/** The time limit of one HTTP request, including name resolution and body. */
export const HTTP_TIMEOUT_MS = 10_000
/**
 * The time limit of a settlement: longer than the 10 s after which the server itself answers that the outcome is
 * unknown.
 */
export const SETTLE_TIMEOUT_MS = 15_000
/** The largest response that is read. */
export const RESPONSE_MAX_BYTES = 1_048_576
/** The largest response of a merchant that is passed on to a model. */
export const MERCHANT_RESPONSE_MAX_BYTES = 65_536
/** The deepest nesting of a merchant's JSON that is passed on. */
export const MERCHANT_JSON_MAX_DEPTH = 64

/** The greatest age of a catalog's signature, and how far its clock may be ahead. */
export const MESSAGE_SIGNATURE_MAX_SECONDS = 300
export const MESSAGE_SIGNATURE_SKEW_SECONDS = 60
/** The most items of a catalog preview that are passed on to a model. */
export const PREVIEW_MAX_ITEMS = 50

/** The lifetime of a client assertion. */
export const ASSERTION_TTL_SECONDS = 60
/**
 * {@link ASSERTION_TTL_SECONDS} for a token request, which may be repeated unchanged. The server accepts 300 by its
 * clock.
 */
export const TOKEN_REQUEST_TTL_SECONDS = 240
/** How long the verification keys of the authorization server are cached. */
export const JWKS_CACHE_MS = 300_000
/** The remaining lifetime below which a credential is treated as expired. */
export const EXPIRY_MARGIN_SECONDS = 5

/**
 * How long a payment waits for the person by default, and the longest wait of any call whose host takes no progress
 * messages.
 */
export const CONSENT_POLL_DEFAULT_SECONDS = 45
/** The longest wait for the person. */
export const CONSENT_POLL_MAX_MS = 900_000
/** The pauses between two look-ups of the decision: doubled from the first to the last. */
export const POLL_FIRST_MS = 1_000
export const POLL_LAST_MS = 4_000
/** The pause between two progress messages. */
export const PROGRESS_INTERVAL_MS = 2_000

/** How long a confirmation by e-mail can be waited for, and a code redeemed: their lifetimes at the server. */
export const MAGIC_LINK_TTL_MS = 900_000
export const CODE_TTL_MS = 60_000
/** The pause before a local address that another process uses is tried again. */
export const LISTEN_RETRY_MS = 200

/** How often a settlement without a final response is repeated within one call, and for how long. */
export const SETTLE_TRIES = 4
export const SETTLE_BUDGET_MS = 30_000
/** How often the settlement is reported to the merchant within one call. */
export const REPORT_TRIES = 3
export const RETRY_FIRST_MS = 1_000

/** How long a purchase that may have been charged can be resumed: the lifetime of its refresh token. */
export const UNSETTLED_KEEP_MS = 86_400_000
/** How long a result that never reached the host is kept for the identical call. */
export const UNDELIVERED_KEEP_MS = 3_600_000
/** How long a delivered result is repeated to identical calls: the host may have disconnected before it read `paid`. */
export const DELIVERED_KEEP_MS = 60_000

/** How long identical calls reuse an item for which no mandate was requested yet: longer than that request may take. */
export const CHOSEN_KEEP_MS = 60_000
/** How long the choice of an item is stored: longer than the longest purchase, which begins some time after it. */
export const CHOICE_KEEP_MS = 172_800_000

/** The age without a heartbeat after which a lock of another machine counts as abandoned. */
export const LOCK_STALE_MS = 300_000
/** The same for a lock of this machine whose process cannot be identified for certain. */
export const LOCK_KEEP_MS = 86_400_000
/** How long a process waits for one that holds a lock only briefly. */
export const LOCK_HANDOVER_MS = 2_000
export const LOCK_HEARTBEAT_MS = 5_000
export const LOCK_RETRY_MS = 200

/** The largest file of the state directory that is read. */
export const STATE_FILE_MAX_BYTES = 262_144
/**
 * The most disclosures in a mandate, and its deepest nesting.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.1}
 */
export const DISCLOSURES_MAX = 64
export const MANDATE_MAX_DEPTH = 16
/** How long output may still be written after stdin has closed. The process ends within 500 ms. */
export const SHUTDOWN_GRACE_MS = 150
