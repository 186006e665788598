/**
 * Requests per second and CPU per request of the main line, in both lanes on one PostgreSQL, in one run:
 *   DATABASE_URL=postgres://… npx tsx bench/main-line.ts [--requests 1500] [--connections 16] [--rounds 3]
 * Everything is signed before the clock starts; lanes alternate, so that noise hits both. Needs a build.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Agent, newPrincipal } from '../test/support/actors'
import { measure, medianOf, type Prepared, type Result, rowOf } from './load'
import { type Server, startCountersign, stopServer } from './servers'
import { type Parameters, signedForm } from './signed-form'

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

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'countersign-bench-'))

async function round(server: Server): Promise<Record<string, Result>> {
  const { principalId } = await newPrincipal(server, { approval_rule: 'above_limits' })
  const agent = await Agent.register(server, principalId)
  await agent.freshNonce()
  const sign = (target: string, parameters: Parameters) => signedForm(agent, target, { parameters, proof: true })
  const send = (prepared: readonly Prepared[], wanted: number) =>
    measure(server, prepared, { connections, accepts: (status) => status === wanted })
  const all = <T>(make: (index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: requests }, (_, index) => make(index)))
  const { form: parameters, verifier } = await agent.purchase({ merchant: 'https://shop.example', amount_minor: 10 })
  const par = await send(await all(() => sign('/oauth/par', parameters)), 201)
  const uris = par.outcomes.map((text) => (JSON.parse(text) as { request_uri: string }).request_uri)
  const redirects = uris.map((uri) => ({
    method: 'GET',
    path: `/oauth/authorize?${new URLSearchParams({ client_id: agent.clientId, request_uri: uri })}`,
    headers: {},
  }))
  const authorize = await send(redirects, 302)
  const codes = authorize.outcomes.map((location) => new URL(location).searchParams.get('code') ?? '')
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
  const token = await send(grants, 200)
  const issued = token.outcomes.map((text) => JSON.parse(text) as { access_token: string; mandate_jwt: string })
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
  const settle = await send(settlements, 200)
  const reads = Array.from({ length: requests }, () => ({ method: 'GET', path: '/oauth/status-list/1', headers: {} }))
  const list = await send(reads, 200)
  return {
    par: par.result,
    authorize: authorize.result,
    token: token.result,
    settle: settle.result,
    'status-list': list.result,
  }
}

const results: Record<string, Record<string, Result[]>> = { direct: {}, next: {} }

async function oneRound(lane: 'direct' | 'next', port: number): Promise<void> {
  const server = await startCountersign({ port, lane, dataDir })
  const steps = (results[lane] ??= {})
  for (const [step, result] of Object.entries(await round(server))) steps[step] = [...(steps[step] ?? []), result]
  await stopServer(server)
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
  Object.entries(steps).map(([step, list]) => ({ lane, step, ...rowOf(medianOf(list)) })),
)
console.table(rows)
