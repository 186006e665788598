import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** A message for the person at the terminal; no stack is shown. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
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
}

/** Where the server is: `BASE_URL`, else this machine at `PORT`. */
export function readBaseUrl(env: Environment): string {
  const given = env['BASE_URL'] || `http://localhost:${env['PORT'] || '3000'}`
  if (!URL.canParse(given)) throw new CommandError(`BASE_URL is not a URL: ${given}`)
  return given.replace(/\/+$/, '')
}

/** Opens the operator API with `OPERATOR_TOKEN`, else with the token that the server keeps under `DATA_DIR`. */
export function openOperator(env: Environment, baseUrl = readBaseUrl(env)): OperatorClient {
  const token = env['OPERATOR_TOKEN'] || readSavedToken(env['DATA_DIR'] || './data')
  return {
    baseUrl,
    async request(method, path, body) {
      const response = await sendRequest(`${baseUrl}/operator${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return readJson(response)
    },
  }
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

/** The answer's JSON; throws {@link ApiError} when the server refused. */
export async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  const body = parse(text)
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
  if (status === 401)
    return 'The server does not know this operator token. Is DATA_DIR (or OPERATOR_TOKEN) that of this server?'
  if (typeof error === 'string') return typeof description === 'string' ? `${error}: ${description}` : error
  return `The server answered ${status}.`
}

function describeIssue(issue: unknown): string {
  const { loc, msg } = (issue ?? {}) as { loc?: unknown; msg?: unknown }
  const where = Array.isArray(loc) ? loc.slice(1).join('.') : ''
  return where === '' ? String(msg) : `${where}: ${String(msg)}`
}
