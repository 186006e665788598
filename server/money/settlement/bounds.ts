/** How long one request waits for the processor before it answers that the outcome is unknown. */
export const PROCESSOR_BUDGET_MILLISECONDS = 10_000
/** How long the process that reserved a settlement is the only one that may work on it. */
export const SUBMISSION_LEASE_SECONDS = 20
/** How long a resolver is the only one that may work on a settlement. */
export const RESOLVER_LEASE_SECONDS = 30
/** The longest lease or pause that is believed: longer than any real one, with room for clocks that differ. */
export const LEASE_MAX_SECONDS = 300
/** How long a freeze waits for the payments that were reserved before it. */
export const FREEZE_WAIT_MILLISECONDS = 5_000
/** How soon after an unknown outcome the processor is asked again. */
export const FIRST_LOOK_SECONDS = 2
/** The longest pause between two look-ups, so that a processor that works again is noticed soon. */
export const LOOK_PAUSE_MAX_SECONDS = 60
/**
 * The age from which a settlement is only looked up and not submitted again: the processor forgets idempotency keys
 * after 24 h.
 */
export const RESUBMIT_UNTIL_SECONDS = 82_800
/** How long a repeated request waits for the first one to end, and how often it looks. */
export const IN_FLIGHT_WAIT_MILLISECONDS = 5_000
export const IN_FLIGHT_POLL_MILLISECONDS = 100
/** How many settlements the resolver claims at a time, and how many of them it handles in parallel. */
export const RESOLVER_BATCH = 20
export const RESOLVER_PARALLEL = 10
/** `Retry-After` of a request whose outcome is unknown or that is still being worked on. */
export const RETRY_AFTER_SECONDS = 2
/** How far the processor's clock may be behind ours when its intents are searched. */
export const PROCESSOR_CLOCK_SKEW_SECONDS = 86_400
/** How long the cardholder may take to answer their bank before the payment is given up. */
export const CHALLENGE_SECONDS = 900
/** `Retry-After` of a request that waits for the cardholder. */
export const CHALLENGE_RETRY_SECONDS = 10
/** How many attempts to charge one mandate may fail. */
export const FAILED_OF_MANDATE_MAX = 10
/** How many attempts of one agent may fail within {@link FAILED_WINDOW_SECONDS}. */
export const FAILED_OF_AGENT_MAX = 60
export const FAILED_WINDOW_SECONDS = 3_600
