import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseUrl } from '@/server/base/core/parse-url'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment as the server reads it: its variables, completed from a file `.env`. */
export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

/** An error whose message is for the person at the terminal, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Thrown when the command line is wrong, or an input cannot be read in its expected form. */
export class UsageError extends CommandError {}

/** The exit code of a command and its output. */
export interface CommandOutcome {
  readonly code: number
  readonly text: string
}

/** Runs a command; a {@link UsageError} and what `parseArgs` refuses exit with 2, other expected failures with 1. */
export async function runCommand(command: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
  try {
    return await command()
  } catch (error) {
    const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
    if (isUsage || error instanceof UsageError) return { code: 2, text: error.message }
    if (error instanceof CommandError || error instanceof ApiError) return { code: 1, text: error.message }
    throw error
  }
}

/** Prints the outcome of a command, and sets the exit code of this process. */
export function reportOutcome({ code, text }: CommandOutcome): void {
  if (code === 2) console.error(text)
  else console.log(text)
  process.exitCode = code
}

/** An answer of the server with a status of 400 or more. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(describeRefusal(status, body))
  }
}

/** A client of one server's operator API. */
export interface OperatorClient {
  readonly baseUrl: string
  /**
   * Makes one JSON exchange below `/operator`. Throws {@link ApiError}, or a {@link CommandError} when the server does
   * not answer.
   */
  request(method: string, path: string, body?: unknown): Promise<unknown>
  /** Makes one JSON exchange at a path outside `/operator`. */
  requestWhole(method: string, path: string, body?: unknown): Promise<unknown>
}

/**
 * Returns the server's address: `BASE_URL`, else this machine at `PORT`. Throws a {@link CommandError} when it is not a
 * URL.
 */
export function readBaseUrl(env: Environment): string {
  const given = env['BASE_URL'] || `http://localhost:${env['PORT'] || '3000'}`
  if (parseUrl(given) === null) throw new CommandError(`BASE_URL is not a URL: ${given}`)
  return given.replace(/\/+$/, '')
}

/** Returns the server's data directory, whole: `DATA_DIR`, else `data` in the current one. */
export function readDataDir(env: Environment): string {
  return resolve(env['DATA_DIR'] || './data')
}

/** Opens the operator API with `OPERATOR_TOKEN`, else with the token that the server stores under `DATA_DIR`. */
export function openOperator(env: Environment, baseUrl = readBaseUrl(env)): OperatorClient {
  const token = env['OPERATOR_TOKEN'] || readSavedToken(readDataDir(env))
  const requestWhole = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await sendRequest(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return readJson(response)
  }
  return { baseUrl, requestWhole, request: (method, path, body) => requestWhole(method, `/operator${path}`, body) }
}

/** Makes one HTTP exchange with the server. Throws a {@link CommandError} when the server does not answer. */
export async function sendRequest(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(30_000), ...init })
  } catch (cause) {
    const { origin } = new URL(url)
    throw new CommandError(`Nothing answers at ${origin}. Start the server with \`npm start\`, or set BASE_URL.`, {
      cause,
    })
  }
}

/**
 * Returns the answer's JSON, an empty object when it has no content. Throws {@link ApiError} when the server refused.
 */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  const body = parse(text)
  if (response.status === 204) return {}
  if (!response.ok) throw new ApiError(response.status, body ?? text.slice(0, 200))
  if (body === undefined) throw new CommandError(`${response.url} does not answer in JSON. Is it a Countersign server?`)
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readSavedToken(dataDir: string): string {
  const path = join(dataDir, 'operator-token')
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new CommandError(
      `There is no operator token: ${path} cannot be read.\n` +
        'Start the server once in this directory, or set DATA_DIR to its data directory, or set OPERATOR_TOKEN.',
      { cause },
    )
  }
}

function describeRefusal(status: number, body: unknown): string {
  const { error, error_description: description, detail } = (body ?? {}) as Record<string, unknown>
  if (Array.isArray(detail)) return detail.map(describeIssue).join('\n')
  if (status === 401 && error !== 'invalid_client')
    return 'The server does not know this operator token. Is DATA_DIR (or OPERATOR_TOKEN) that of this server?'
  if (typeof error === 'string') return typeof description === 'string' ? `${error}: ${description}` : error
  return `The server answered ${status}.`
}

function describeIssue(issue: unknown): string {
  const { loc, msg } = (issue ?? {}) as { loc?: unknown; msg?: unknown }
  const where = Array.isArray(loc) ? loc.slice(1).join('.') : ''
  return where === '' ? String(msg) : `${where}: ${String(msg)}`
}
