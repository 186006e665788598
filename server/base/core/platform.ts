import type { KeyObject } from 'node:crypto'
import type { PrismaClient } from '@/prisma/generated/client'
import type { Processor } from './processor'
import type { Sql } from './sql'
import type { CounterLabels, CounterName, Telemetry, TraceSettings } from './telemetry'

export const switchNames = [
  'federation',
  'consent_scan',
  'settlement',
  'processor_webhook',
  'presentation_verify',
  'presentation_request',
  'status_list',
  'card_enrolment',
] as const
export type SwitchName = (typeof switchNames)[number]

export interface Clock {
  now(): Date
}

export interface Randomness {
  bytes(length: number): Buffer
  uuid(): string
  /** Returns `bytes` random bytes as base64url. */
  token(bytes: number): string
}

/** Values of SQL parameters. Arrays become PostgreSQL arrays; the caller must serialise objects. */
export type SqlScalar = string | number | boolean | Date
export type SqlValue = SqlScalar | null | readonly (SqlScalar | null)[]

/** Runs SQL. `query` prepares each text once per connection. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>
}

/** A transaction; statements that are started together run one after the other. */
export interface Transaction extends Queryable {
  readonly inTransaction: true
  /** Runs a statement in its turn, before the commit, without waiting. If it fails, the transaction fails. */
  send(statement: Sql): void
  /** Counts once the transaction has been committed, and not otherwise. */
  count<C extends CounterName>(counter: C, labels: CounterLabels<C>): void
}

/** PostgreSQL, embedded or served. READ COMMITTED; never hold a transaction over network I/O. */
export interface Database extends Queryable {
  /** Runs `work` in one transaction and commits, or rolls back when it throws. Must not be nested. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /**
   * The client for operations that are neither hot nor part of a transaction. Throws when used inside `transaction`.
   */
  readonly prisma: PrismaClient
  /** Resolves when the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The bounds of a list in the cache: it keeps its newest `most` lines and expires `ttlSeconds` after the last. */
export interface ListBounds {
  readonly most: number
  readonly ttlSeconds: number
}

/** Short-lived shared values. The service stays correct when they are lost. */
export interface Cache {
  /** Puts a line at the head of a list. */
  prepend(key: string, line: string, bounds: ListBounds): Promise<void>
  /** Returns the lines of a list, the newest first. */
  list(key: string): Promise<readonly string[]>
  delete(key: string): Promise<void>
  /** Tells every process that `topic` changed; subscribers then read the database. */
  publish(topic: string): Promise<void>
  /** Calls `listener` on each publication of `topic` until the returned function is called. */
  subscribe(topic: string, listener: () => void): () => void
  ping(): Promise<void>
  close(): Promise<void>
}

export interface RateLimits {
  /**
   * Takes one request from `key`'s quota of `limit` per `windowSeconds`. The window begins with the first request; a
   * sliding quota applies to every window of this length.
   */
  take(
    key: string,
    limit: number,
    windowSeconds: number,
    options?: { readonly sliding: boolean },
  ): Promise<{ allowed: boolean; retryAfterSeconds: number }>
}

export interface Message {
  readonly id: string
  readonly channel: 'email' | 'rcs'
  readonly to: string
  readonly subject: string | null
  readonly text: string
  readonly links: readonly string[]
  readonly data: Readonly<Record<string, unknown>> | null
}

/** Delivers one message that is stored in the outbox table. Throws when the carrier did not accept it. */
export interface Carrier {
  deliver(message: Message): Promise<void>
}

/** The carriers of all channels. */
export interface Mailer extends Carrier {
  /** Whether there is a carrier for RCS messages. */
  readonly carriesRcs: boolean
}

export const keyPurposes = ['access_token', 'mandate', 'status_list', 'receipt', 'audit', 'federation'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

export interface Keyring {
  /** Returns the key that signs for `purpose` now. */
  current(purpose: KeyPurpose): SigningKey
  /** Returns the public key of `kid` when it was made for `purpose` and may still verify signatures. */
  find(purpose: KeyPurpose, kid: string): KeyObject | undefined
  /**
   * Returns the public JWKs of keys that are next, current or retired but still needed: of one purpose, or of all but
   * `federation`, whose keys sign no tokens (OpenID Federation 1.0 section 3.1.1).
   */
  jwks(purpose?: KeyPurpose): readonly Readonly<Record<string, string>>[]
  /** Reads the table again. Verification never does: an unknown `kid` stays unknown until the next refresh. */
  refresh(): Promise<void>
}

/** Encrypts small values at rest (AES-256-GCM); `context` is authenticated and must match on opening. */
export interface Sealer {
  seal(plaintext: Buffer, context: string): string
  open(sealed: string, context: string): Buffer
  /** Returns a 32-byte secret for one purpose, the same in every process with the same first key. */
  derive(purpose: string): Buffer
  /** Returns the secrets of all keys for one purpose, in the order of the keys; verifiers accept any of them. */
  deriveAll(purpose: string): readonly Buffer[]
  /** The ids of the keys that can open values, that of the sealing key first. */
  readonly keyIds: readonly string[]
}

export interface Switches {
  isOn(name: SwitchName): Promise<boolean>
  list(): Promise<readonly { name: SwitchName; enabled: boolean; default: boolean }[]>
  /** Sets a switch. `record` runs in the same transaction and receives the former state. */
  set(name: SwitchName, enabled: boolean, record?: (tx: Transaction, before: boolean) => Promise<void>): Promise<void>
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** Writes JSON lines with short typed fields: never tokens, keys, codes, card or personal data. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields & { readonly error?: never }, cause?: unknown): void
  error(message: string, fields?: LogFields, cause?: unknown): void
}

/** Makes and verifies the server's DPoP nonces without storing any. */
export interface NonceSource {
  /** The nonce to hand out now. */
  readonly current: (now: Date) => string
  /**
   * Whether a nonce was handed out by any process with this secret in the current or the previous slot, or in the next
   * one by a process whose clock is ahead by no more than a proof's `iat` may be.
   */
  readonly isValid: (nonce: string, now: Date) => boolean
}

/** The configuration of a process, read once from the environment in platform/config.ts. */
export interface Config {
  /** The issuer; no trailing slash. */
  readonly baseUrl: string
  readonly port: number
  /** The addresses to listen on; null is every address of the machine. */
  readonly listenHosts: readonly string[] | null
  /** Values of the `Host` header that are accepted besides that of `baseUrl`, lower case. */
  readonly allowedHosts: readonly string[]
  readonly dataDir: string
  readonly sandbox: boolean
  /** Whether strangers may use the sandbox: reading messages and signing in without proof then need the operator. */
  readonly isSandboxPublic: boolean
  /** Whether addresses from other parties may also be plain http on this machine, as in a trial. */
  readonly outboundLoopback: boolean
  /** The hosts of push services: names, or `*.` before a name for all below it. */
  readonly pushHosts: readonly string[]
  /** The operator's contact for push services: a `mailto:` or `https:` URI. */
  readonly pushContact: string
  /** Whether purchases at merchants that are not in the directory are refused or allowed. */
  readonly unlistedMerchants: 'refuse' | 'allow'
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** The operator's contact for people: a mail address or an https page; null where none is configured. */
  readonly operatorContact: string | null
  /** The RCS Business Messaging API and the agent that people see; null without a carrier. */
  readonly rcs: { readonly apiUrl: string; readonly apiToken: string; readonly agentId: string } | null
  readonly accessTokenTtlSeconds: number
  readonly mandateTtlSeconds: number
  /** The time within which a wallet may answer a presentation request. */
  readonly presentationRequestTtlSeconds: number
  readonly credentialOfferTtlSeconds: number
  readonly credentialTtlSeconds: number
  /** The lifetime of statements about subordinates. */
  readonly federationStatementTtlSeconds: number
  readonly trustMarkTtlSeconds: number
  /** The trust marks that an enrolled merchant and an operator of agents need to count as verified. */
  readonly trustMarks: { readonly verifiedMerchant: string; readonly verifiedAgentOperator: string }
  readonly legacyRs256Until: Date | null
  /** The currency of people who have chosen none. */
  readonly defaultCurrency: string
  readonly requireDpop: boolean
  /** The requests that one client or person may send per minute; 0 is no limit. */
  readonly requestsPerMinute: number
  /** The clients that one network address may register per minute. */
  readonly registrationsPerMinute: number
  /** The sign-in links that one network address may request per minute. */
  readonly signInLinksPerMinute: number
  /** The number of proxies in front of the server that write X-Forwarded-For. */
  readonly trustedProxies: number
  /** The time for which the server still accepts connections after it was told to stop. */
  readonly shutdownGraceSeconds: number
  /** The time for which a start waits for an unreachable database. */
  readonly startTimeoutSeconds: number
  readonly magicLinkGate: boolean
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly switchDefaults: Readonly<Record<SwitchName, boolean>>
  readonly databasePoolSize: number
  readonly stripeSecretKey: string | null
  /** Stripe's key for browsers; set whenever the secret key is. */
  readonly stripePublishableKey: string | null
  /** The origin of Stripe's API; null for its usual address. */
  readonly stripeApiBase: string | null
  readonly traces: TraceSettings | null
  readonly secrets: {
    readonly operatorToken: string
    /** Reads `/metrics` and opens nothing else; null where only the operator token does. */
    readonly metricsToken: string | null
    readonly processorWebhook: string
    readonly rcsCallback: string
    /** The first key seals values; every key opens them. */
    readonly keyEncryptionKeys: readonly Buffer[]
  }
  /** Whether the operator token comes from the environment rather than from the first start. */
  readonly operatorTokenConfigured: boolean
}

/** An answer of another server. Redirects are returned, not followed. */
export interface OutboundAnswer {
  readonly status: number
  /** The media type without parameters, in lower case; null when the answer names none. */
  readonly mediaType: string | null
  /** The unchanged body, at most 1 MiB. */
  readonly body: Buffer
  /** The unchanged `Retry-After` header; null when the answer has none. */
  readonly retryAfter: string | null
}

interface OutboundPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The only client for addresses from others: https at public addresses (or this machine in a trial), 5 s, 1 MiB. */
export interface Outbound {
  /** Sends a GET. Throws OutboundFailure for an address that is not allowed and for a missing or too large answer. */
  get(url: string, request: { readonly accept: string; readonly signal?: AbortSignal }): Promise<OutboundAnswer>
  /** Sends a POST under the same rules. */
  post(url: string, request: OutboundPost): Promise<OutboundAnswer>
  /** Whether `get` and `post` accept the address. The IP addresses of its host are checked on connecting. */
  allows(url: string): boolean
}

export interface Platform {
  readonly config: Config
  readonly clock: Clock
  readonly random: Randomness
  readonly db: Database
  readonly cache: Cache
  readonly rateLimits: RateLimits
  readonly mailer: Mailer
  readonly processor: Processor
  readonly outbound: Outbound
  readonly keys: Keyring
  readonly sealer: Sealer
  readonly dpopNonces: NonceSource
  readonly switches: Switches
  readonly log: Logger
  readonly telemetry: Telemetry
  readonly shutdown: Shutdown
}

/** Whether the process has been told to stop: it still answers requests, but reports that it is not ready for more. */
export interface Shutdown {
  begin(): void
  hasBegun(): boolean
}
