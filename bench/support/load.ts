/** The load generator: sends prepared requests over kept-alive connections, and measures their answers. */
import { readFileSync } from 'node:fs'
import http from 'node:http'

export interface Prepared {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Result {
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly cpuMs: number
}

/** The server under load: its address, and the process whose CPU time is measured. */
export interface LoadTarget {
  readonly baseUrl: string
  readonly pid: number
}

interface LoadOptions {
  readonly connections: number
  readonly accepts: (status: number) => boolean
}

interface Address {
  readonly agent: http.Agent
  readonly hostname: string
  readonly port: string
}

const CLOCK_TICKS_PER_SECOND = 100

/** Returns the user and system time of a process so far, in milliseconds. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND
}

/** Returns the resident memory of a process, in megabytes. */
export function memoryOf(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** Returns a process and all its descendants. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return [pid, ...children.filter((child) => child !== '').flatMap((child) => familyOf(Number(child)))]
}

/** Returns the sum of a figure over a process and all its descendants. */
export function sumOverFamily(pid: number, figureOf: (pid: number) => number): number {
  return familyOf(pid).reduce((sum, one) => sum + figureOf(one), 0)
}

/** The parts of a server's answer that a load uses. */
export interface Answer {
  readonly status: number
  readonly text: string
  readonly location: string | undefined
  /** The nonce for the next proof. */
  readonly nonce: string | undefined
}

export interface Connections {
  send(request: Prepared): Promise<Answer>
  close(): void
}

/** Opens kept-alive connections to a server, as many as are in use at once. */
export function openConnections(baseUrl: string): Connections {
  const agent = new http.Agent({ keepAlive: true })
  const { hostname, port } = new URL(baseUrl)
  return { send: (request) => send({ agent, hostname, port }, request), close: () => agent.destroy() }
}

/**
 * Sends every request once, `connections` at a time. In the order of the requests, `outcomes` are the Location or else
 * the body, and `statuses` the status codes of the answers. Throws on a status that is not accepted.
 */
export async function measure(target: LoadTarget, prepared: readonly Prepared[], options: LoadOptions) {
  const outcomes: string[] = []
  const statuses: number[] = []
  const result = await run(target, prepared.entries(), {
    ...options,
    onOutcome: (index, outcome, status) => {
      outcomes[index] = outcome
      statuses[index] = status
    },
  })
  return { result, outcomes, statuses }
}

/** Sends one request repeatedly, `connections` at a time, until the signal aborts. */
export function measureUntil(
  target: LoadTarget,
  request: Prepared,
  { until, ...options }: LoadOptions & { readonly until: AbortSignal },
): Promise<Result> {
  return run(target, repeat(request, until), { ...options, onOutcome: () => undefined })
}

function* repeat(request: Prepared, until: AbortSignal): Generator<readonly [number, Prepared]> {
  for (let index = 0; !until.aborted; index += 1) yield [index, request]
}

interface RunOptions extends LoadOptions {
  readonly onOutcome: (index: number, outcome: string, status: number) => void
}

async function run(
  target: LoadTarget,
  queue: IterableIterator<readonly [number, Prepared]>,
  { connections, accepts, onOutcome }: RunOptions,
): Promise<Result> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(target.baseUrl)
  const times: number[] = []
  const worker = async () => {
    for (const [index, request] of queue) {
      const began = performance.now()
      const { status, text, location } = await send({ agent, hostname, port }, request)
      times.push(performance.now() - began)
      if (!accepts(status)) throw new Error(`${request.method} ${request.path}: ${status} ${text}`)
      onOutcome(index, location ?? text, status)
    }
  }
  const cpuBefore = cpuOf(target.pid)
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const elapsed = performance.now() - began
  const cpuMs = (cpuOf(target.pid) - cpuBefore) / times.length
  agent.destroy()
  return { perSecond: (times.length / elapsed) * 1000, ...percentiles(times), cpuMs }
}

/** Returns percentiles of times in milliseconds; 0 of none. */
export function percentiles(times: readonly number[]): Pick<Result, 'p50' | 'p95' | 'p99'> {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

function send(to: Address, { method, path, headers, body }: Prepared): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request({ ...to, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => {
        const { location, 'dpop-nonce': nonce } = response.headers
        resolve({ status: response.statusCode ?? 0, text, location, nonce: nonce?.toString() })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

/** Returns the median; 0 of none. */
export const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** Returns the median of each figure over several rounds. */
export function medianOf(results: readonly Result[]): Result {
  const of = (figure: keyof Result) => median(results.map((one) => one[figure]))
  return { perSecond: of('perSecond'), p50: of('p50'), p95: of('p95'), p99: of('p99'), cpuMs: of('cpuMs') }
}

/** Returns the figures as a row of a table. */
export function rowOf({ perSecond, p95, p99, cpuMs }: Result) {
  const rounded = (value: number, digits: number) => Number(value.toFixed(digits))
  return {
    'requests/s': Math.round(perSecond),
    'p95 ms': rounded(p95, 1),
    'p99 ms': rounded(p99, 1),
    'CPU ms/request': rounded(cpuMs, 2),
  }
}
