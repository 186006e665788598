/** The longest line from the host that is read, with its end. */
export const INPUT_LINE_MAX_BYTES = 10_485_760

/** One request over the network, name resolution and body included. */
export const HTTP_TIMEOUT_MS = 10_000
/** A settlement: longer than the 10 s after which the server itself answers that the outcome is not known yet. */
export const SETTLE_TIMEOUT_MS = 15_000
/** The largest answer that is read at all. */
export const RESPONSE_MAX_BYTES = 1_048_576
/** The largest answer of a merchant that reaches a model. */
export const MERCHANT_RESPONSE_MAX_BYTES = 65_536
/** How deep what a merchant says may be nested where it is passed on. */
export const MERCHANT_JSON_MAX_DEPTH = 64

/** How old the signature of a catalog may be, and how far ahead its clock. */
export const MESSAGE_SIGNATURE_MAX_SECONDS = 300
export const MESSAGE_SIGNATURE_SKEW_SECONDS = 60
/** Items of a catalog preview that reach a model. */
export const PREVIEW_MAX_ITEMS = 50

/** How far ahead the `exp` of a client assertion lies. */
export const ASSERTION_TTL_SECONDS = 60
/** {@link ASSERTION_TTL_SECONDS} for a token request, repeated to the byte. The server takes 300, by its own clock. */
export const TOKEN_REQUEST_TTL_SECONDS = 240
/** How long the verification keys of the authorization server are kept. */
export const JWKS_CACHE_MS = 300_000
/** A credential that ends sooner than this is taken as ended. */
export const EXPIRY_MARGIN_SECONDS = 5

/** How long a call waits for the person when nothing keeps the host from giving up. */
export const CONSENT_POLL_DEFAULT_SECONDS = 45
/** The longest wait for the person. */
export const CONSENT_POLL_MAX_MS = 900_000
/** Pauses between two questions for the decision: doubled from the first to the last. */
export const POLL_FIRST_MS = 1_000
export const POLL_LAST_MS = 4_000
/** Pause between two progress messages. */
export const PROGRESS_INTERVAL_MS = 2_000

/** How long a confirmation by e-mail can be waited for, and a code redeemed: as long as the server keeps them. */
export const MAGIC_LINK_TTL_MS = 900_000
export const CODE_TTL_MS = 60_000
/** Pause before an address of this machine that another process has is tried again. */
export const LISTEN_RETRY_MS = 200

/** How often a settlement without a final answer is repeated within one call, and for how long. */
export const SETTLE_TRIES = 4
export const SETTLE_BUDGET_MS = 30_000
/** How often the merchant is told of the settlement within one call. */
export const REPORT_TRIES = 3
export const RETRY_FIRST_MS = 1_000

/** How long a purchase that may have been charged can be resumed: as long as its refresh token lives. */
export const UNSETTLED_KEEP_MS = 86_400_000
/** How long an answer that never reached the host waits for the identical call. */
export const UNDELIVERED_KEEP_MS = 3_600_000
/** How long an answer stays for identical calls: the host may have gone before it read `paid`. */
export const DELIVERED_KEEP_MS = 60_000

/** How long identical calls keep to an item for which no mandate is requested yet: longer than that request may take. */
export const CHOSEN_KEEP_MS = 60_000
/** How long the choice of an item is kept: longer than the longest purchase, which begins some time after it. */
export const CHOICE_KEEP_MS = 172_800_000

/** A lock of another machine that showed no sign of life for this long belongs to nobody. */
export const LOCK_STALE_MS = 300_000
/** So does one of this machine after this long, where nobody can tell whether its process is still the same. */
export const LOCK_KEEP_MS = 86_400_000
/** How long a process waits for one that holds a lock for an instant only. */
export const LOCK_HANDOVER_MS = 2_000
export const LOCK_HEARTBEAT_MS = 5_000
export const LOCK_RETRY_MS = 200

/** A file of the state directory. */
export const STATE_FILE_MAX_BYTES = 262_144
/** Disclosures in a mandate, and its nesting. @see {@link https://www.rfc-editor.org/rfc/rfc9901#section-7.1} */
export const DISCLOSURES_MAX = 64
export const MANDATE_MAX_DEPTH = 16
/** After stdin has closed: time for what is already written to leave. The process ends within 500 ms. */
export const SHUTDOWN_GRACE_MS = 150
