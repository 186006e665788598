import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Agent, clientAssertion, exchange, newPrincipal, newWalletClient, Person } from '../support/actors'
import { type Cluster, startCluster } from './cluster'

/** What is sent and answered byte for byte, for requests that no HTTP client would send. */
async function raw(port: number, request: string): Promise<string> {
  const socket = connect(port, 'localhost')
  socket.end(request.replaceAll('\n', '\r\n'))
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

const LONG = 'x'.repeat(9_000)

describe.each(['direct', 'next'])('the built server, API through the %s lane', (lane) => {
  let server: Cluster
  beforeAll(async () => {
    server = await startCluster({ size: 1, databaseUrl: null, env: { LANE: lane } })
  })
  afterAll(() => server.stop())

  test('a person approves, the agent pays, and the payment is recorded', async () => {
    const { principalId } = await newPrincipal(server)
    const agent = await Agent.register(server, principalId)
    const person = await Person.signIn(server, principalId)
    const { form, verifier } = await agent.purchase()
    const pushed = await agent.push(form)
    await person.decide((await person.pending())[0]?.['authorization_id'], 'approve')
    const { result } = await agent.authorize(pushed.json.request_uri)
    const tokens = (await agent.redeem(result['code'] ?? '', verifier)).json
    const settled = await agent.settle(tokens.access_token, tokens.mandate_jwt, 'order-1')
    expect(settled.status, settled.text).toBe(200)
    const history = await person.call<{ payments: unknown[] }>('GET', '/wallet/payment-history')
    expect(history.json.payments).toMatchObject([{ mandate_id: tokens.mandate_id, status: 'succeeded' }])
  })

  test.each([
    ['GET /no/such/path HTTP/1.1', 404, 'not_found'],
    ['GET /oauth/nothing HTTP/1.1', 404, 'not_found'],
    ['GET /oauth/par/ HTTP/1.1', 404, 'not_found'],
    ['DELETE /oauth/token HTTP/1.1', 405, 'method_not_allowed'],
    ['GET /oauth/par/%zz/status HTTP/1.1', 404, 'not_found'],
    ['GET /%ff HTTP/1.1', 404, 'not_found'],
    ['GET //evil.example HTTP/1.1', 404, 'not_found'],
    ['TRACE / HTTP/1.1', 405, 'method_not_allowed'],
    ['OPTIONS * HTTP/1.1', 400, 'invalid_request'],
    ['GET http://evil.example/ HTTP/1.1', 400, 'invalid_request'],
    [`GET /?${LONG} HTTP/1.1`, 414, 'uri_too_long'],
    [`GET / HTTP/1.1\nX-Much: ${LONG}${LONG}`, 431, 'headers_too_large'],
    ['NONSENSE', 400, 'invalid_request'],
  ])('the request line %s is a JSON %i %s', async (line, status, code) => {
    const port = server.members[0]?.port ?? 0
    const answer = await raw(port, `${line}\nHost: 127.0.0.1:${port}\nConnection: close\n\n`)
    expect(answer.split('\r\n', 1)[0]).toContain(String(status))
    expect(JSON.parse(/\{.*\}/s.exec(answer)?.[0] ?? '')).toMatchObject({
      error: code,
      error_uri: `${server.baseUrl}/docs/errors#${code}`,
    })
  })

  test.each(['https%3A%2F%2Fshop.example%2Fa', 'https%253A%252F%252Fshop.example%252Fa'])(
    'a merchant in the path is the same under repeated percent-encoding (%s)',
    async (segment) => {
      const wallet = await newWalletClient(server)
      const answer = await exchange(`${server.baseUrl}/wallet/policy/${segment}/list`, {
        headers: { 'x-client-id': wallet.clientId, 'x-client-assertion': await clientAssertion(server, wallet) },
      })
      expect(answer.json, answer.text).toMatchObject({ merchant_audience: 'https://shop.example/a', deny: [] })
    },
  )

  test('a body that is too large, of another media type or no JSON is refused', async () => {
    const send = (body: string, headers: Record<string, string>) =>
      exchange(`${server.baseUrl}/settlement/settle`, { method: 'POST', headers, body })
    const json = { 'content-type': 'application/json' }
    const large = await send('x'.repeat(300_000), json)
    expect([large.status, large.headers.get('connection')]).toEqual([413, 'close'])
    expect((await send('{}', { ...json, 'content-encoding': 'identity' })).status).toBe(401)
    expect((await send('{', json)).status).toBe(400)
    expect((await send('{}', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('browsers get the sign-in page, and a page for unknown addresses', async () => {
    const html = { headers: { accept: 'text/html' } }
    const home = await exchange(server.baseUrl, html)
    expect([home.status, home.headers.get('location')]).toEqual([307, '/sign-in'])
    const signIn = await exchange(`${server.baseUrl}/sign-in`, html)
    expect(signIn.status).toBe(200)
    expect(signIn.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    const missing = await exchange(`${server.baseUrl}/no/such/page`, html)
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })

  test('a request that offers another protocol is answered like any other, also once pages were asked for', async () => {
    await exchange(`${server.baseUrl}/sign-in`, { headers: { accept: 'text/html' } })
    const port = server.members[0]?.port ?? 0
    const offering = (line: string, host = `127.0.0.1:${port}`) =>
      raw(port, `${line}\nHost: ${host}\nConnection: close, Upgrade\nUpgrade: h2c\nContent-Length: 0\n\n`)
    expect(await offering('GET /healthz HTTP/1.1')).toMatch(/^HTTP\/1\.1 200 .*"status":"ok"/s)
    expect(await offering('POST /oauth/token HTTP/1.1')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await offering('GET /healthz HTTP/1.1', 'evil.example')).toMatch(/^HTTP\/1\.1 200 /)
    expect(await offering('GET /oauth/jwks.json HTTP/1.1', 'evil.example')).toMatch(/^HTTP\/1\.1 421 /)
  })

  test('SIGTERM shuts the server down gracefully', async () => {
    const [member] = server.members
    const held = connect(member?.port ?? 0, 'localhost').on('error', () => undefined)
    held.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
    await once(held, 'data')
    member?.process.kill('SIGTERM')
    expect(await once(member?.process ?? process, 'exit')).toEqual([0, null])
  })
})
