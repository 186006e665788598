import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseUrl } from '@/server/base/core/parse-url'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings as the server here reads them: the environment, and what it leaves open from a file `.env`. */
export function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

/** A message for the person at the terminal; no stack is shown. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Something that was given cannot be read as what it should be. */
export class NotUnderstood extends CommandError {}

/** How a command ended: its exit code, and what it has to say. */
export interface CommandOutcome {
  readonly code: number
  readonly text: string
}

/** Runs a command; wrong usage and {@link NotUnderstood} end with 2, other expected failures with 1. */
export async function runCommand(command: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
  try {
    return await command()
  } catch (error) {
    const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
    if (isUsage || error instanceof NotUnderstood) return { code: 2, text: error.message }
    if (error instanceof CommandError || error instanceof ApiError) return { code: 1, text: error.message }
    throw error
  }
}

/** Prints how a command ended, and sets the exit code of this process. */
export function reportOutcome({ code, text }: CommandOutcome): void {
  if (code === 2) console.error(text)
  else console.log(text)
  process.exitCode = code
}

/** What the server answered with a status of 400 or more. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(describeRefusal(status, body))
  }
}

/** The operator API of one server. */
export interface OperatorClient {
  readonly baseUrl: string
  /** One JSON exchange below `/operator`; throws {@link ApiError}, or a {@link CommandError} when the server does not answer. */
  request(method: string, path: string, body?: unknown): Promise<unknown>
  /** The same at an address that is not below `/operator`. */
  requestWhole(method: string, path: string, body?: unknown): Promise<unknown>
}

/** Where the server is: `BASE_URL`, else this machine at `PORT`. */
export function readBaseUrl(env: Environment): string {
  const given = env['BASE_URL'] || `http://localhost:${env['PORT'] || '3000'}`
  if (parseUrl(given) === null) throw new CommandError(`BASE_URL is not a URL: ${given}`)
  return given.replace(/\/+$/, '')
}

/** Opens the operator API with `OPERATOR_TOKEN`, else with the token that the server keeps under `DATA_DIR`. */
export function openOperator(env: Environment, baseUrl = readBaseUrl(env)): OperatorClient {
  const token = env['OPERATOR_TOKEN'] || readSavedToken(env['DATA_DIR'] || './data')
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

/** One HTTP exchange with the server; a server that is not there is a {@link CommandError}. */
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

/** The answer's JSON, an empty object when it has no content; throws {@link ApiError} when the server refused. */
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
  const path = join(resolve(dataDir), 'operator-token')
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
