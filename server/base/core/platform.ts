import type { KeyObject } from 'node:crypto'
import type { PrismaClient } from '@/prisma/generated/client'
import type { Processor } from './processor'
import type { Sql } from './sql'

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
  /** `bytes` random bytes as base64url. */
  token(bytes: number): string
}

/** Values that may stand in a SQL statement. Arrays become PostgreSQL arrays; objects must be serialised by the caller. */
export type SqlScalar = string | number | boolean | Date
export type SqlValue = SqlScalar | null | readonly (SqlScalar | null)[]

/** Runs SQL. `query` prepares each text once per connection. */
export interface Queryable {
  query<Row>(statement: Sql): Promise<Row[]>
}

/** Statements that are started together run one after the other. */
export interface Transaction extends Queryable {
  readonly inTransaction: true
  /** Runs a statement in its turn, before the commit, without waiting for it. When it fails, so does the transaction. */
  send(statement: Sql): void
}

/** PostgreSQL, embedded or served. READ COMMITTED; never hold a transaction over network I/O. */
export interface Database extends Queryable {
  /** Runs `work` in one transaction and commits, or rolls back when it throws. Must not be nested. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** For reads and writes that are neither hot nor part of a transaction. Using it inside `transaction` throws. */
  readonly prisma: PrismaClient
  /** Resolves when the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Short-lived shared values. Losing it weakens no guarantee. */
export interface Cache {
  /** Puts a line at the head of a list. The list keeps the newest `most` and ends `ttlSeconds` after the last one. */
  prepend(key: string, line: string, bounds: { readonly most: number; readonly ttlSeconds: number }): Promise<void>
  /** The lines of a list, the newest first. */
  list(key: string): Promise<readonly string[]>
  delete(key: string): Promise<void>
  /** Tells every process that `topic` changed. A hint: receivers read the database. */
  publish(topic: string): Promise<void>
  /** Calls `listener` on each publication of `topic` until the returned function is called. */
  subscribe(topic: string, listener: () => void): () => void
  ping(): Promise<void>
  close(): Promise<void>
}

export interface RateLimits {
  /**
   * Takes one from `key`'s quota of `limit` per `windowSeconds`. Its window begins with its first request; one that slides
   * holds in every window of this length.
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

/** Delivers one message that the outbox table already holds. Throws when the carrier did not take it. */
export interface Carrier {
  deliver(message: Message): Promise<void>
}

/** A carrier for each channel. */
export interface Mailer extends Carrier {
  /** Whether anybody can get RCS messages. */
  readonly carriesRcs: boolean
}

export const keyPurposes = ['access_token', 'mandate', 'status_list', 'receipt', 'audit', 'federation'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

export interface Keyring {
  /** The key that signs for `purpose` now. */
  current(purpose: KeyPurpose): SigningKey
  /** The public key of `kid` when it was made for `purpose` and still verifies. */
  find(purpose: KeyPurpose, kid: string): KeyObject | undefined
  /**
   * Public JWKs of every key that is next, current or retired but still needed: those of one purpose, or of all but
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
  /** A 32-byte secret for one purpose, the same in every process with the same first key. */
  derive(purpose: string): Buffer
  /** The secrets of all keys for one purpose, that of the first key first: what was made with any of them counts. */
  deriveAll(purpose: string): readonly Buffer[]
  /** The keys that open, the one that seals first. */
  readonly keyIds: readonly string[]
}

export interface Switches {
  isOn(name: SwitchName): Promise<boolean>
  list(): Promise<readonly { name: SwitchName; enabled: boolean; default: boolean }[]>
  /** `record` runs in the transaction of the change and is told how the switch stood before. */
  set(name: SwitchName, enabled: boolean, record?: (tx: Transaction, before: boolean) => Promise<void>): Promise<void>
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** JSON lines. Only short typed fields: never tokens, keys, codes, card or personal data. */
export interface Logger {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields & { readonly error?: never }, cause?: unknown): void
  error(message: string, fields?: LogFields, cause?: unknown): void
}

/** Makes and recognises the server's DPoP nonces without storing any. */
export interface NonceSource {
  /** The nonce to hand out now. */
  readonly current: (now: Date) => string
  /**
   * Whether a nonce was handed out by any process with this secret in the current or the previous slot, or in the next
   * one by a process whose clock is ahead by no more than a proof's `iat` may be.
   */
  readonly isValid: (nonce: string, now: Date) => boolean
}

/** What a process needs to know about its surroundings; read once, in platform/config.ts. */
export interface Config {
  /** The issuer; no trailing slash. */
  readonly baseUrl: string
  readonly port: number
  /** The addresses to listen on; null is every address of the machine. */
  readonly listenHosts: readonly string[] | null
  /** Values of the `Host` header that are taken beside that of `baseUrl`, lower case. */
  readonly allowedHosts: readonly string[]
  readonly dataDir: string
  readonly sandbox: boolean
  /** Strangers may play in this sandbox: what would show people's messages or sign in without proof needs the operator. */
  readonly isSandboxPublic: boolean
  /** Addresses that others gave may also be plain http on this machine, as in a trial. */
  readonly outboundLoopback: boolean
  /** The hosts of push services: names, or `*.` before a name for all below it. */
  readonly pushHosts: readonly string[]
  /** How push services reach the operator: a `mailto:` or `https:` URI. */
  readonly pushContact: string
  /** What becomes of purchases at merchants that the directory does not list. */
  readonly unlistedMerchants: 'refuse' | 'allow'
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  readonly smtpUrl: string | null
  readonly mailFrom: string
  /** Where people reach the operator: a mail address or an https page; null where none is named. */
  readonly operatorContact: string | null
  /** The RCS Business Messaging API and the agent that people see; null without a carrier. */
  readonly rcs: { readonly apiUrl: string; readonly apiToken: string; readonly agentId: string } | null
  readonly accessTokenTtlSeconds: number
  readonly mandateTtlSeconds: number
  /** How long a wallet may answer a presentation request. */
  readonly presentationRequestTtlSeconds: number
  readonly credentialOfferTtlSeconds: number
  readonly credentialTtlSeconds: number
  /** Of the statements about subordinates. */
  readonly federationStatementTtlSeconds: number
  readonly trustMarkTtlSeconds: number
  /** What an enrolled merchant, and an operator of agents, must hold to count as verified. */
  readonly trustMarks: { readonly verifiedMerchant: string; readonly verifiedAgentOperator: string }
  readonly legacyRs256Until: Date | null
  /** Of people who named none. */
  readonly defaultCurrency: string
  readonly requireDpop: boolean
  /** What one client or person may send in a minute; 0 is no limit. */
  readonly requestsPerMinute: number
  /** What one address may register in a minute. */
  readonly registrationsPerMinute: number
  /** Sign-in links that one network address may request in a minute. */
  readonly signInLinksPerMinute: number
  /** Proxies in front of the server that write X-Forwarded-For. */
  readonly trustedProxies: number
  /** How long the server still takes connections after it was told to stop. */
  readonly shutdownGraceSeconds: number
  /** How long a start waits for a database that is away. */
  readonly startTimeoutSeconds: number
  readonly magicLinkGate: boolean
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly switchDefaults: Readonly<Record<SwitchName, boolean>>
  readonly databasePoolSize: number
  readonly stripeSecretKey: string | null
  /** What browsers use beside it; given whenever the secret key is. */
  readonly stripePublishableKey: string | null
  /** Where Stripe's API is, as an origin; null is its own address. */
  readonly stripeApiBase: string | null
  readonly secrets: {
    readonly operatorToken: string
    readonly processorWebhook: string
    readonly rcsCallback: string
    /** The first seals, all open. */
    readonly keyEncryptionKeys: readonly Buffer[]
  }
  /** Operator credential given by the environment rather than made at first start. */
  readonly operatorTokenConfigured: boolean
}

/** An answer of another server; redirects are answers too and are never followed. */
export interface OutboundAnswer {
  readonly status: number
  /** Without parameters, in lower case; null when the answer names none. */
  readonly mediaType: string | null
  /** As it came, at most 1 MiB. */
  readonly body: Buffer
  /** As it came; null when the answer has none. */
  readonly retryAfter: string | null
}

interface OutboundPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The one way to addresses that others gave: https at public addresses (and this machine in a trial), 5 s, 1 MiB. */
export interface Outbound {
  /** GET. Throws OutboundFailure for an address that is not allowed and for an answer that does not come or is too large. */
  get(url: string, request: { readonly accept: string; readonly signal?: AbortSignal }): Promise<OutboundAnswer>
  /** POST, under the same guard. */
  post(url: string, request: OutboundPost): Promise<OutboundAnswer>
  /** Whether `get` and `post` would try the address; what its name resolves to is checked when it is dialled. */
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
  readonly shutdown: Shutdown
}

/** Whether the process has been told to stop: it then finishes what it has accepted, and wants nothing more. */
export interface Shutdown {
  begin(): void
  hasBegun(): boolean
}
