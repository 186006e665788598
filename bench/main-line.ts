/**
 * Requests per second and CPU per request of the main line, in both lanes on one PostgreSQL, in one run:
 *   DATABASE_URL=postgres://… npx tsx bench/main-line.ts [--requests 1500] [--connections 16] [--rounds 3]
 * Everything is signed before the clock starts; lanes alternate, so that noise hits both. Needs a build.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Agent, newPrincipal, type Target } from '../test/actors'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1500' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
  },
})
const requests = Number(values.requests)
const connections = Number(values.connections)
const rounds = Number(values.rounds)
const CLOCK_TICKS_PER_SECOND = 100

interface Prepared {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string
}
interface Result {
  readonly perSecond: number
  readonly p95: number
  readonly p99: number
  readonly cpuMs: number
}
interface Server extends Target {
  readonly child: ChildProcess
}

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))

async function start(lane: 'direct' | 'next', port: number): Promise<Server> {
  const baseUrl = `http://localhost:${port}`
  const child = spawn(process.execPath, ['server.mjs'], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      LOG_LEVEL: 'error',
      LANE: lane,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (
    !(await fetch(`${baseUrl}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const operatorToken = readFileSync(path.join(dataDir, 'operator-token'), 'utf8').trim()
  return { baseUrl, operatorToken, child }
}

/** User and system time of a process so far, in milliseconds. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / CLOCK_TICKS_PER_SECOND
}

async function measure(server: Server, prepared: readonly Prepared[], accepts: (status: number) => boolean) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const { hostname, port } = new URL(server.baseUrl)
  const times: number[] = []
  const bodies: string[] = []
  let next = 0
  const worker = async () => {
    while (next < prepared.length) {
      const index = next
      next += 1
      const one = prepared[index]
      if (one === undefined) return
      const began = performance.now()
      const { status, text, location } = await send({ agent, hostname, port }, one)
      times.push(performance.now() - began)
      if (!accepts(status)) throw new Error(`${one.method} ${one.path}: ${status} ${text}`)
      bodies[index] = location ?? text
    }
  }
  const cpuBefore = cpuOf(server.child.pid ?? 0)
  const began = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const elapsed = performance.now() - began
  const cpuMs = (cpuOf(server.child.pid ?? 0) - cpuBefore) / prepared.length
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  const result: Result = { perSecond: (prepared.length / elapsed) * 1000, p95: at(0.95), p99: at(0.99), cpuMs }
  return { result, bodies }
}

function send(
  to: { agent: http.Agent; hostname: string; port: string },
  { method, path: target, headers, body }: Prepared,
) {
  return new Promise<{ status: number; text: string; location: string | undefined }>((resolve, reject) => {
    const request = http.request({ ...to, method, path: target, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, location: response.headers.location }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

const form = 'application/x-www-form-urlencoded'

async function round(server: Server): Promise<Record<string, Result>> {
  const { principalId } = await newPrincipal(server, { approval_rule: 'above_limits' })
  const agent = await Agent.register(server, principalId)
  await agent.freshNonce()
  const sign = async (target: string, parameters: Record<string, string | readonly string[]>): Promise<Prepared> => {
    const all = {
      client_id: agent.clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await agent.assertion({ exp: Math.floor(Date.now() / 1000) + 290 }),
      ...parameters,
    }
    const pairs = Object.entries(all).flatMap(([name, value]) => [value].flat().map((one) => [name, one as string]))
    const body = new URLSearchParams(pairs).toString()
    const headers = {
      'content-type': form,
      dpop: await agent.proof('POST', server.baseUrl + target),
      'content-length': String(Buffer.byteLength(body)),
    }
    return { method: 'POST', path: target, headers, body }
  }
  const all = <T>(make: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: requests }, (_, index) => make(index)))
  const { form: parameters, verifier } = await agent.purchase({ merchant: 'https://shop.example', amount_minor: 10 })
  const par = await measure(server, await all(() => sign('/oauth/par', parameters)), (status) => status === 201)
  const uris = par.bodies.map((text) => (JSON.parse(text) as { request_uri: string }).request_uri)
  const redirects = uris.map((uri) => ({
    method: 'GET',
    path: `/oauth/authorize?${new URLSearchParams({ client_id: agent.clientId, request_uri: uri })}`,
    headers: {},
  }))
  const authorize = await measure(server, redirects, (status) => status === 302)
  const codes = authorize.bodies.map((location) => new URL(location).searchParams.get('code') ?? '')
  agent.forgetNonce()
  await agent.freshNonce()
  const grants = await all((index) =>
    sign('/oauth/token', {
      grant_type: 'authorization_code',
      code: codes[index] ?? '',
      redirect_uri: parameters.redirect_uri,
      code_verifier: verifier,
    }),
  )
  const token = await measure(server, grants, (status) => status === 200)
  const issued = token.bodies.map((text) => JSON.parse(text) as { access_token: string; mandate_jwt: string })
  const settlements = await all(async (index) => {
    const one = issued[index]
    if (one === undefined) throw new Error('no token')
    const body = JSON.stringify({ mandate: one.mandate_jwt, idempotency_key: `bench-${index}` })
    const url = `${server.baseUrl}/settlement/settle`
    const dpop = await agent.proof('POST', url, { nonce: undefined, accessToken: one.access_token })
    const headers = {
      'content-type': 'application/json',
      authorization: `DPoP ${one.access_token}`,
      dpop,
      'content-length': String(Buffer.byteLength(body)),
    }
    return { method: 'POST', path: '/settlement/settle', headers, body }
  })
  const settle = await measure(server, settlements, (status) => status === 200)
  const reads = Array.from({ length: requests }, () => ({ method: 'GET', path: '/oauth/status-list/1', headers: {} }))
  const list = await measure(server, reads, (status) => status === 200)
  return {
    par: par.result,
    authorize: authorize.result,
    token: token.result,
    settle: settle.result,
    'status-list': list.result,
  }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const results: Record<string, Record<string, Result[]>> = { direct: {}, next: {} }

async function oneRound(lane: 'direct' | 'next', port: number): Promise<void> {
  const server = await start(lane, port)
  const steps = (results[lane] ??= {})
  for (const [step, result] of Object.entries(await round(server))) steps[step] = [...(steps[step] ?? []), result]
  server.child.kill('SIGTERM')
  await once(server.child, 'exit')
}

try {
  for (let index = 0; index < rounds; index += 1) {
    await oneRound('direct', 4100 + index * 2)
    await oneRound('next', 4101 + index * 2)
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
const rows = Object.entries(results).flatMap(([lane, steps]) =>
  Object.entries(steps).map(([step, list]) => ({
    lane,
    step,
    'requests/s': Math.round(median(list.map((one) => one.perSecond))),
    'p95 ms': Number(median(list.map((one) => one.p95)).toFixed(1)),
    'p99 ms': Number(median(list.map((one) => one.p99)).toFixed(1)),
    'CPU ms/request': Number(median(list.map((one) => one.cpuMs)).toFixed(2)),
  })),
)
console.table(rows)
