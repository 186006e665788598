import * as z from 'zod'
import { parseUrl } from '../core/parse-url'
import { isLoopbackHost } from '../protocol/ip-address'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A text that a test accepts; undefined when it is not set. */
export const text = (test: (value: string) => boolean, message: string) => z.string().refine(test, message).optional()

/** A boolean variable; undefined when it is not set. */
export const flag = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((value) => value === 'true' || value === '1')
  .optional()

/**
 * Returns the problems of variables that depend on each other. Reads raw values, so that it reports them even when
 * another variable is invalid.
 */
export function joinedProblems(env: Environment): string[] {
  const embedded = env['DATABASE_URL'] === undefined
  const explicit = flag.safeParse(env['SANDBOX']).data
  const sandbox = explicit ?? (embedded || env['SANDBOX'] !== undefined)
  const modeProblems = sandbox ? sandboxProblems(env) : [...publicSandboxProblems(env), ...missingSecrets(env)]
  return [
    ...workerProblems(env),
    ...processorProblems(env),
    ...carrierProblems(env),
    ...outboundProblems(env),
    ...metricsProblems(env),
    ...modeProblems,
  ]
}

/** Returns a problem when several processes lack a served database, or Redis for shared quotas and change events. */
function workerProblems({ WORKERS, DATABASE_URL, REDIS_URL }: Environment): string[] {
  const missing = Object.entries({ DATABASE_URL, REDIS_URL }).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length === 0 || WORKERS === undefined || !(Number(WORKERS) > 1)) return []
  return [`WORKERS=${WORKERS} needs ${missing.join(' and ')}: several processes share them`]
}

/** Returns a problem when a public server may send requests to services of its own machine. */
function outboundProblems({ NODE_ENV, OUTBOUND_LOOPBACK, BASE_URL }: Environment): string[] {
  const isPublic = NODE_ENV === 'production' && !isLocal(BASE_URL)
  if (!isPublic || flag.safeParse(OUTBOUND_LOOPBACK).data !== true) return []
  return [
    'OUTBOUND_LOOPBACK=true is for a BASE_URL on this machine: others could reach its services through this server',
  ]
}

/** Returns a problem when the token for Prometheus would open everything that the operator may do. */
function metricsProblems({ METRICS_TOKEN, OPERATOR_TOKEN }: Environment): string[] {
  if (METRICS_TOKEN === undefined || METRICS_TOKEN !== OPERATOR_TOKEN) return []
  return ['METRICS_TOKEN must not be the OPERATOR_TOKEN: it is for reading metrics alone']
}

/**
 * Returns the problems of a sandbox. It shows everybody's mail and signs in without proof, so it must not use a live
 * key and is public only with SANDBOX_PUBLIC.
 */
function sandboxProblems(env: Environment): string[] {
  const problems: string[] = []
  if (/^[sr]k_live_/.test(env['STRIPE_SECRET_KEY'] ?? '')) {
    problems.push('STRIPE_SECRET_KEY is a live key: set SANDBOX=false to move money, or use a test key (sk_test_)')
  }
  const baseUrl = env['BASE_URL']
  const isPublic = baseUrl !== undefined && isIssuer(baseUrl) && !isLoopback(parseUrl(baseUrl))
  if (isPublic && flag.safeParse(env['SANDBOX_PUBLIC']).data !== true) {
    problems.push(
      'BASE_URL is public, but this is a sandbox: set SANDBOX=false to take real payments, or SANDBOX_PUBLIC=true to run a public sandbox',
    )
  }
  return problems
}

function publicSandboxProblems(env: Environment): string[] {
  if (flag.safeParse(env['SANDBOX_PUBLIC']).data !== true) return []
  return ['SANDBOX_PUBLIC needs SANDBOX=true: outside the sandbox there is nothing to make public']
}

function processorProblems(env: Environment): string[] {
  const problems: string[] = []
  if (env['PROCESSOR_WEBHOOK_SECRET'] && env['STRIPE_WEBHOOK_SECRET']) {
    problems.push('STRIPE_WEBHOOK_SECRET is another name of PROCESSOR_WEBHOOK_SECRET: set only one of them')
  }
  if (env['STRIPE_SECRET_KEY'] && !env['STRIPE_PUBLISHABLE_KEY']) {
    problems.push('STRIPE_PUBLISHABLE_KEY must be set with STRIPE_SECRET_KEY: without it nobody can enrol a card')
  }
  if (env['STRIPE_PUBLISHABLE_KEY'] && !env['STRIPE_SECRET_KEY']) {
    problems.push('STRIPE_SECRET_KEY must be set with STRIPE_PUBLISHABLE_KEY: without it nothing can be charged')
  }
  return problems
}

const rcsVariables = ['RCS_API_URL', 'RCS_API_TOKEN', 'RCS_AGENT_ID'] as const

function carrierProblems(env: Environment): string[] {
  const missing = rcsVariables.filter((name) => env[name] === undefined)
  if (missing.length === 0 || missing.length === rcsVariables.length) return []
  return [`${missing.join(' and ')} must be set too: RCS needs ${rcsVariables.join(', ')}`]
}

function missingSecrets(env: Environment): string[] {
  const names = [
    ['OPERATOR_TOKEN'],
    ['PROCESSOR_WEBHOOK_SECRET', 'STRIPE_WEBHOOK_SECRET'],
    ['RCS_CALLBACK_SECRET'],
    ['KEY_ENCRYPTION_KEY'],
  ]
  const missing = names.filter((aliases) => aliases.every((name) => env[name] === undefined))
  return missing.map(
    ([name]) => `${name} must be set outside the sandbox, for example to what \`openssl rand -hex 32\` prints`,
  )
}

/** Whether a text is an https origin without a path, or http on a loopback host. */
export function isIssuer(value: string): boolean {
  const parsed = parseUrl(value)
  if (!parsed || parsed.pathname !== '/' || /[?#@]/.test(value)) return false
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed))
}

/** Whether credentials may be sent to an address. */
export function isProtectedUrl(value: string): boolean {
  const parsed = parseUrl(value)
  if (!parsed || /[?#@]/.test(value)) return false
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed))
}

/** Whether the base URL is on a loopback host. */
export function isLocal(baseUrl: string | undefined): boolean {
  return baseUrl === undefined || isLoopback(parseUrl(baseUrl))
}

function isLoopback(value: URL | null): boolean {
  return value !== null && isLoopbackHost(value.hostname)
}
