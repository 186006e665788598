import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod'
import { currencyDigits } from '../core/money'
import { parseUrl } from '../core/parse-url'
import { type Config, type SwitchName, switchNames } from '../core/platform'
import * as lifetimes from '../protocol/lifetimes'
import { type Environment, flag, isIssuer, isLocal, isProtectedUrl, joinedProblems, text } from './config-rules'
import { toTraces, traceFields, traceProblems } from './config-traces'
import { decodeStrongKeys, isStrongSecret, readSecrets } from './secrets'

export type { Environment } from './config-rules'

/** Returns the process's environment. No other file of the server reads it. */
export function processEnvironment(): Environment {
  return process.env
}

/** Everything that is wrong with the environment, in one message for the person who set it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(['The configuration cannot be used:', ...problems.map((problem) => `  ${problem}`)].join('\n'))
  }
}

const isMailAddress = (value: string): boolean => z.email().safeParse(value).success

const integer = (lowest: number, highest: number, standard: number) =>
  text(
    (value) => /^\d{1,9}$/.test(value) && Number(value) >= lowest && Number(value) <= highest,
    `must be a whole number from ${lowest} to ${highest}, for example ${standard}`,
  ).transform((value) => (value === undefined ? standard : Number(value)))

const url = (protocols: readonly string[], example: string) =>
  text(
    (value) => protocols.includes(parseUrl(value)?.protocol ?? ''),
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}, for example ${example}`,
  )

const secret = text(
  isStrongSecret,
  'must be 24 to 512 visible ASCII characters without spaces, at least 10 of them different, and no placeholder, for example what `openssl rand -hex 32` prints',
)

const key = text(
  (value) => decodeStrongKeys(value) !== null,
  'must be 32 random bytes as base64url or hex, for example what `openssl rand -hex 32` prints',
)

const trustMark = (name: string) =>
  text(
    isProtectedUrl,
    `must be an https URL, or http on a loopback host, for example https://pay.example.com/trust-marks/${name}`,
  )

/** The push services of the browsers that people use. */
const PUSH_HOSTS = 'fcm.googleapis.com,*.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com'

const pushHostsOf = (list: string): string[] => list.split(',').map((host) => host.trim().toLowerCase())

/** Higher than outside the sandbox, because tests register many agents from one machine. */
const SANDBOX_REGISTRATIONS_PER_MINUTE = 3_000

/** A year. Credentials that are needed for longer should be issued again. */
const CREDENTIAL_TTL_MAX_SECONDS = 31_536_000

const fields = {
  NODE_ENV: z.string().optional(),
  PORT: integer(1, 65_535, 3000),
  ROLE: z.enum(['all', 'api'], 'must be all or api').optional(),
  WORKERS: text(
    (value) => value === 'auto' || /^[1-9]\d?$/.test(value),
    'must be a whole number from 1 to 99, or auto, for example 4',
  ),
  BASE_URL: text(
    isIssuer,
    'must be an https origin without path, or http on a loopback host, for example https://pay.example.com',
  ),
  HOST: text((value) => isIP(value) !== 0, 'must be an IP address to listen on, for example 0.0.0.0'),
  ALLOWED_HOSTS: text(
    (value) => value.split(',').every((host) => /^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i.test(host.trim())),
    'must be hosts separated by commas, for example pay.internal:3000,countersign',
  ),
  DATA_DIR: z.string().default('./data'),
  SANDBOX: flag,
  SANDBOX_PUBLIC: flag,
  OUTBOUND_LOOPBACK: flag,
  PUSH_HOSTS: text(
    (value) => pushHostsOf(value).every((host) => /^(?:\*\.)?(?:[a-z\d-]+\.)+[a-z\d-]+$/.test(host)),
    'must be host names separated by commas, for example fcm.googleapis.com,*.push.example.com',
  ),
  UNLISTED_MERCHANTS: z.enum(['refuse', 'allow'], 'must be refuse or allow').optional(),
  DATABASE_URL: url(['postgres:', 'postgresql:'], 'postgres://user:password@db.example.com:5432/countersign'),
  DATABASE_POOL_SIZE: integer(1, 500, 10),
  REDIS_URL: url(['redis:', 'rediss:'], 'redis://cache.example.com:6379'),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.com'),
  MAIL_FROM: text(
    (value) => /^[^\r\n]{1,200}@[^\r\n]{1,200}$/.test(value),
    'must be a mail address, for example Countersign <no-reply@example.com>',
  ),
  OPERATOR_CONTACT: text(
    (value) => isMailAddress(value) || parseUrl(value)?.protocol === 'https:',
    'must be a mail address or an https URL, for example help@example.com',
  ),
  RCS_API_URL: text(
    isProtectedUrl,
    'must be an https URL, or http on a loopback host, for example https://rcsbusinessmessaging.googleapis.com',
  ),
  RCS_API_TOKEN: text(
    (value) => /^[\x21-\x7e]{1,8192}$/.test(value),
    'must be visible ASCII characters without spaces',
  ),
  RCS_AGENT_ID: text((value) => /^[\x21-\x7e]{1,255}$/.test(value), 'must be visible ASCII characters without spaces'),
  ACCESS_TOKEN_TTL_SECONDS: integer(10, 3600, lifetimes.ACCESS_TOKEN_TTL_SECONDS),
  MANDATE_TTL_SECONDS: integer(10, 3600, lifetimes.MANDATE_TTL_SECONDS),
  PRESENTATION_REQUEST_TTL_SECONDS: integer(10, 3600, lifetimes.PRESENTATION_REQUEST_TTL_SECONDS),
  CREDENTIAL_OFFER_TTL_SECONDS: integer(10, 86_400, lifetimes.CREDENTIAL_OFFER_TTL_SECONDS),
  CREDENTIAL_TTL_SECONDS: integer(10, CREDENTIAL_TTL_MAX_SECONDS, lifetimes.CREDENTIAL_TTL_SECONDS),
  FEDERATION_STATEMENT_TTL_SECONDS: integer(10, 86_400, lifetimes.FEDERATION_STATEMENT_TTL_SECONDS),
  TRUST_MARK_TTL_SECONDS: integer(10, 31_536_000, lifetimes.TRUST_MARK_TTL_SECONDS),
  VERIFIED_MERCHANT_TRUST_MARK: trustMark('verified-merchant'),
  VERIFIED_AGENT_OPERATOR_TRUST_MARK: trustMark('verified-agent-operator'),
  LEGACY_RS256_UNTIL: text(
    (value) => /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(value) && !Number.isNaN(Date.parse(value)),
    'must be an ISO 8601 date or instant, for example 2027-01-01T00:00:00Z',
  ),
  DEFAULT_CURRENCY: text(
    (value) => currencyDigits(value) !== null,
    'must be an ISO 4217 currency code in upper case, for example EUR',
  ),
  REQUIRE_DPOP: flag,
  REQUESTS_PER_MINUTE: integer(0, 1_000_000, 60_000),
  REGISTRATIONS_PER_MINUTE: integer(1, 1_000_000, 60),
  SIGN_IN_LINKS_PER_MINUTE: integer(1, 1_000_000, 20),
  TRUSTED_PROXIES: integer(0, 10, 0),
  SHUTDOWN_GRACE_SECONDS: integer(0, 300, 5),
  START_TIMEOUT_SECONDS: integer(0, 3600, 60),
  MAGIC_LINK_GATE: flag,
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be one of debug, info, warn, error, silent')
    .default('info'),
  STRIPE_SECRET_KEY: text(
    (value) => /^[sr]k_\w{8,500}$/.test(value),
    'must be a secret or restricted key of Stripe; it starts with sk_ or rk_',
  ),
  STRIPE_PUBLISHABLE_KEY: text(
    (value) => /^pk_\w{1,500}$/.test(value),
    'must be the publishable key that belongs to STRIPE_SECRET_KEY; it starts with pk_',
  ),
  STRIPE_API_BASE: text(
    isIssuer,
    'must be an https origin without path, or http on a loopback host, for example https://api.stripe.com',
  ),
  OPERATOR_TOKEN: secret,
  METRICS_TOKEN: secret,
  PROCESSOR_WEBHOOK_SECRET: secret,
  STRIPE_WEBHOOK_SECRET: secret,
  RCS_CALLBACK_SECRET: secret,
  KEY_ENCRYPTION_KEY: key,
  ...traceFields,
}
const schema = z.object(fields)
type Settings = z.infer<typeof schema>

/** Reads and checks the whole configuration; throws ConfigError with every problem at once. */
export function readConfig(environment: Environment): Config {
  // A variable that is set to nothing is one that is not set.
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const problems = [...fieldProblems(env), ...switchProblems(env), ...joinedProblems(env), ...traceProblems(env)]
  if (problems.length > 0) throw new ConfigError(problems)
  return toConfig(schema.parse(env), env)
}

function toConfig(settings: Settings, env: Environment): Config {
  const until = settings.LEGACY_RS256_UNTIL
  return {
    ...toAddresses(settings),
    ...toHosts(settings),
    ...toMode(settings, env),
    ...toPush(settings),
    port: settings.PORT,
    dataDir: resolve(settings.DATA_DIR),
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    accessTokenTtlSeconds: settings.ACCESS_TOKEN_TTL_SECONDS,
    mandateTtlSeconds: settings.MANDATE_TTL_SECONDS,
    presentationRequestTtlSeconds: settings.PRESENTATION_REQUEST_TTL_SECONDS,
    credentialOfferTtlSeconds: settings.CREDENTIAL_OFFER_TTL_SECONDS,
    credentialTtlSeconds: settings.CREDENTIAL_TTL_SECONDS,
    federationStatementTtlSeconds: settings.FEDERATION_STATEMENT_TTL_SECONDS,
    trustMarkTtlSeconds: settings.TRUST_MARK_TTL_SECONDS,
    legacyRs256Until: until === undefined ? null : new Date(until),
    defaultCurrency: settings.DEFAULT_CURRENCY ?? 'EUR',
    requestsPerMinute: settings.REQUESTS_PER_MINUTE,
    signInLinksPerMinute: settings.SIGN_IN_LINKS_PER_MINUTE,
    trustedProxies: settings.TRUSTED_PROXIES,
    shutdownGraceSeconds: settings.SHUTDOWN_GRACE_SECONDS,
    startTimeoutSeconds: settings.START_TIMEOUT_SECONDS,
    magicLinkGate: settings.MAGIC_LINK_GATE ?? false,
    logLevel: settings.LOG_LEVEL,
    switchDefaults: switchDefaults(env),
    stripeSecretKey: settings.STRIPE_SECRET_KEY ?? null,
    stripePublishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? null,
    stripeApiBase: settings.STRIPE_API_BASE === undefined ? null : new URL(settings.STRIPE_API_BASE).origin,
    traces: toTraces(settings),
    secrets: toSecrets(settings),
    operatorTokenConfigured: settings.OPERATOR_TOKEN !== undefined,
  }
}

/** Whether this is a sandbox, and the settings whose defaults depend on it. */
function toMode(settings: Settings, env: Environment) {
  const sandbox = settings.SANDBOX ?? settings.DATABASE_URL === undefined
  const usesSetting = !sandbox || env['REGISTRATIONS_PER_MINUTE'] !== undefined
  return {
    sandbox,
    isSandboxPublic: settings.SANDBOX_PUBLIC ?? false,
    outboundLoopback: settings.OUTBOUND_LOOPBACK ?? (sandbox && isLocal(settings.BASE_URL)),
    requireDpop: settings.REQUIRE_DPOP ?? !sandbox,
    unlistedMerchants: settings.UNLISTED_MERCHANTS ?? (sandbox ? ('allow' as const) : ('refuse' as const)),
    registrationsPerMinute: usesSetting ? settings.REGISTRATIONS_PER_MINUTE : SANDBOX_REGISTRATIONS_PER_MINUTE,
  }
}

/** Returns the addresses of this server and of the services that it uses. */
function toAddresses(settings: Settings) {
  const baseUrl = settings.BASE_URL ? new URL(settings.BASE_URL).origin : `http://localhost:${settings.PORT}`
  return {
    baseUrl,
    trustMarks: {
      verifiedMerchant: settings.VERIFIED_MERCHANT_TRUST_MARK ?? `${baseUrl}/trust-marks/verified-merchant`,
      verifiedAgentOperator:
        settings.VERIFIED_AGENT_OPERATOR_TRUST_MARK ?? `${baseUrl}/trust-marks/verified-agent-operator`,
    },
    databaseUrl: settings.DATABASE_URL ?? null,
    redisUrl: settings.REDIS_URL ?? null,
    smtpUrl: settings.SMTP_URL ?? null,
    operatorContact: settings.OPERATOR_CONTACT ?? null,
    mailFrom: settings.MAIL_FROM ?? `Countersign <no-reply@${new URL(baseUrl).hostname}>`,
    rcs: toRcs(settings),
  }
}

/** Returns the push settings. Push services need a mail address or public page of the operator, not a loopback one. */
function toPush({ PUSH_HOSTS: hosts, OPERATOR_CONTACT: contact, BASE_URL, MAIL_FROM }: Settings) {
  const page = BASE_URL?.startsWith('https:') === true ? new URL(BASE_URL).origin : null
  const [address = 'no-reply@localhost'] = /[^\s<>]+@[^\s<>]+/.exec(MAIL_FROM ?? '') ?? []
  const named = contact === undefined || contact.startsWith('https:') ? contact : `mailto:${contact}`
  return { pushHosts: pushHostsOf(hosts ?? PUSH_HOSTS), pushContact: named ?? page ?? `mailto:${address}` }
}

function toHosts({ HOST, ALLOWED_HOSTS, BASE_URL }: Settings) {
  return {
    listenHosts: HOST === undefined ? (isLocal(BASE_URL) ? ['127.0.0.1', '::1'] : null) : [HOST],
    allowedHosts: (ALLOWED_HOSTS ?? '')
      .split(',')
      .flatMap((host) => (host.trim() === '' ? [] : [host.trim().toLowerCase()])),
  }
}

function toRcs({ RCS_API_URL, RCS_API_TOKEN, RCS_AGENT_ID }: Settings): Config['rcs'] {
  if (RCS_API_URL === undefined || RCS_API_TOKEN === undefined || RCS_AGENT_ID === undefined) return null
  return { apiUrl: RCS_API_URL.replace(/\/+$/, ''), apiToken: RCS_API_TOKEN, agentId: RCS_AGENT_ID }
}

function toSecrets(settings: Settings): Config['secrets'] {
  return readSecrets(resolve(settings.DATA_DIR), {
    operatorToken: settings.OPERATOR_TOKEN ?? null,
    metricsToken: settings.METRICS_TOKEN ?? null,
    processorWebhook: settings.PROCESSOR_WEBHOOK_SECRET ?? settings.STRIPE_WEBHOOK_SECRET ?? null,
    rcsCallback: settings.RCS_CALLBACK_SECRET ?? null,
    keyEncryptionKeys: settings.KEY_ENCRYPTION_KEY === undefined ? null : decodeStrongKeys(settings.KEY_ENCRYPTION_KEY),
  })
}

function fieldProblems(env: Environment): string[] {
  const issues = schema.safeParse(env).error?.issues ?? []
  return issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
}

function switchVariable(name: SwitchName): string {
  return `SWITCH_${name.toUpperCase()}`
}

function switchProblems(env: Environment): string[] {
  const known = switchNames.map(switchVariable)
  const set = Object.keys(env).filter((name) => name.startsWith('SWITCH_'))
  return set.flatMap((name) => {
    if (!known.includes(name)) return [`${name} is no switch: there are ${known.join(', ')}`]
    return flag.safeParse(env[name]).success ? [] : [`${name} must be true or false`]
  })
}

function switchDefaults(env: Environment): Config['switchDefaults'] {
  const standard = (name: SwitchName): boolean => name !== 'federation'
  const entries = switchNames.map((name) => [name, flag.parse(env[switchVariable(name)]) ?? standard(name)])
  return Object.fromEntries(entries)
}
