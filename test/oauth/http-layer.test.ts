import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type Agent, exchange } from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, withApp } from './setup'

let app: App
let agent: Agent
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
})

/** Bytes straight to the socket, for requests that no HTTP client would send. */
async function raw(request: string): Promise<string> {
  const { port } = new URL(app.baseUrl)
  const socket = connect(Number(port), 'localhost')
  socket.end(request.replaceAll('\n', '\r\n'))
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  return answer
}

describe('bodies', () => {
  test('H1 charset and case of the media type make no difference', async () => {
    const { form } = await agent.purchase()
    const answer = await agent.mint('/oauth/par', form, {
      'content-type': 'Application/X-WWW-Form-Urlencoded; Charset=UTF-8',
    })
    expect(answer.status).toBe(201)
  })

  test.each([
    ['application/json', '{"client_id":"x"}'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/plain', 'client_id=x'],
  ])('H2 a form endpoint refuses %s with 400', async (type, body) => {
    const answer = await exchange(`${app.baseUrl}/oauth/par`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect(answer.status).toBe(400)
    expect(answer.json['error']).toBe('invalid_request')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('H3 a request without media type and body is 400', async () => {
    const answer = await exchange(`${app.baseUrl}/oauth/token`, { method: 'POST' })
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request'])
  })

  test.each(['scope', 'code_challenge', 'state', 'client_id'])('H4 a doubled %s is refused', async (name) => {
    const { form } = await agent.purchase()
    const answer = await agent.mint('/oauth/par', { ...form, [name]: ['a', 'b'] })
    expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request'])
  })

  test('H5, H6, H15 unknown parameters are ignored, empty values count as omitted', async () => {
    const { form } = await agent.purchase()
    const more = {
      mystery: '1',
      __proto__x: '1',
      constructor: 'x',
      toString: 'x',
      dpop_jkt: '',
      consent_mode_hint: '',
    }
    expect((await agent.mint('/oauth/par', { ...form, ...more })).status).toBe(201)
  })

  test('H7 parameters in the query of a POST endpoint are not read', async () => {
    const { form } = await agent.purchase()
    const { scope, ...rest } = form
    const answer = await agent.mint('/oauth/par', rest)
    expect(answer.json['error']).toBe('invalid_scope')
    const url = `${app.baseUrl}/oauth/par?${new URLSearchParams({ scope })}`
    const inQuery = await exchange(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', dpop: await agent.proof('POST', url) },
      body: new URLSearchParams({ client_assertion: await agent.assertion() }).toString(),
    })
    expect(inQuery.status).toBe(400)
  })

  test('H11 NUL and broken UTF-8 are 400', async () => {
    for (const body of ['client_id=%00', 'client_id=%ff', 'client_id=%ED%A0%80']) {
      const answer = await exchange(`${app.baseUrl}/oauth/par`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      })
      expect(answer.status).toBe(400)
    }
  })

  test('H12 a body beyond the limit is a JSON 413', async () => {
    const answer = await exchange(`${app.baseUrl}/oauth/par`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `state=${'x'.repeat(70_000)}`,
    })
    expect([answer.status, answer.json['error']]).toEqual([413, 'body_too_large'])
  })

  const send = (body: string | null, type: string | null = 'application/json') =>
    exchange(`${app.baseUrl}/wallet/setup-tokens`, {
      method: 'POST',
      headers: type === null ? {} : { 'content-type': type },
      body: body === null ? null : new TextEncoder().encode(body),
    })

  test('a JSON endpoint answers 415 to another media type, and 400 to broken or deep JSON', async () => {
    expect((await send('{}', 'text/plain')).status).toBe(415)
    for (const body of [
      '{',
      '',
      '{"__proto__":{}}',
      `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      '{"a":"\\ud800"}',
    ]) {
      const answer = await send(body)
      expect([answer.status, answer.json['error']]).toEqual([400, 'invalid_request'])
    }
  })

  test.each([
    ['no body', null, null, 'missing'],
    ['a list', '[]', 'application/json', 'invalid_type'],
    ['null', 'null', 'application/json', 'invalid_type'],
  ])('a typed JSON endpoint answers 422 about the body to %s', async (_what, body, type, rule) => {
    const answer = await send(body, type)
    expect([answer.status, answer.json]).toMatchObject([422, { detail: [{ loc: ['body'], type: rule }] }])
  })
})

describe('methods', () => {
  test('H8 an unsupported method is a JSON 405 with Allow', async () => {
    const answer = await exchange(`${app.baseUrl}/oauth/par`, { method: 'GET' })
    expect([answer.status, answer.headers.get('allow'), answer.json['error']]).toEqual([
      405,
      'POST, OPTIONS',
      'method_not_allowed',
    ])
  })

  test('H9 OPTIONS lists the methods', async () => {
    const answer = await exchange(`${app.baseUrl}/oauth/token`, { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'POST, OPTIONS'])
  })

  test('H10 HEAD consumes nothing at authorize and has no body elsewhere', async () => {
    const { form } = await agent.purchase({ merchant: 'https://head.example' })
    const pushed = await agent.push(form)
    const query = new URLSearchParams({ client_id: agent.clientId, request_uri: pushed.json.request_uri })
    const head = await exchange(`${app.baseUrl}/oauth/authorize?${query}`, { method: 'HEAD' })
    expect(head.status).toBe(405)
    const status = await exchange(`${app.baseUrl}/oauth/par/${encodeURIComponent(pushed.json.request_uri)}/status`)
    expect(status.status).toBe(200)
    const jwks = await exchange(`${app.baseUrl}/oauth/jwks.json`, { method: 'HEAD' })
    expect([jwks.status, jwks.text]).toEqual([200, ''])
  })
})

describe('requests that are no proper HTTP', () => {
  test.each([
    ['GET /oauth/par/%zz/status HTTP/1.1', 404],
    ['GET /oauth/par/%00/status HTTP/1.1', 404],
    ['GET //oauth/par HTTP/1.1', 404],
    ['TRACE /oauth/par HTTP/1.1', 405],
    ['OPTIONS * HTTP/1.1', 400],
    ['GET http://other.example/healthz HTTP/1.1', 400],
  ])('the request line %s is a JSON %i', async (line, status) => {
    const answer = await raw(`${line}\nHost: localhost\nConnection: close\n\n`)
    expect(answer).toContain(`HTTP/1.1 ${status}`)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      error: expect.any(String),
      error_description: expect.any(String),
    })
  })

  test('H8 a method that no address has is 405 with the methods of the address, or 404 where there is none', async () => {
    const trace = (path: string) => raw(`TRACE ${path} HTTP/1.1\nHost: localhost\nConnection: close\n\n`)
    expect(await trace('/oauth/par')).toMatch(/^HTTP\/1\.1 405 .*^allow: POST, OPTIONS\r$/ms)
    expect(await trace('/oauth/jwks.json')).toMatch(/^HTTP\/1\.1 405 .*^allow: GET, HEAD, OPTIONS\r$/ms)
    expect(await trace('/sign-in')).toMatch(/^HTTP\/1\.1 405 .*^allow: GET, HEAD, OPTIONS\r$/ms)
    for (const path of ['/oauth/nothing', '/oauth/par/']) expect(await trace(path)).toMatch(/^HTTP\/1\.1 404 /)
  })

  test('a request with two lengths, or with a length and chunks, is 400 and nothing behind it is read', async () => {
    const lengths = ['Content-Length: 4\nTransfer-Encoding: chunked', 'Content-Length: 4\nContent-Length: 5']
    for (const length of lengths) {
      const answer = await raw(
        `POST /oauth/token HTTP/1.1\nHost: localhost\n${length}\n\n0\n\nGET /healthz HTTP/1.1\n\n`,
      )
      expect(answer).toContain('HTTP/1.1 400')
      expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(1)
    }
  })

  test('H16 two Authorization headers are 400', async () => {
    const answer = await raw(
      'GET /wallet/limits HTTP/1.1\nHost: localhost\nAuthorization: Bearer a\nAuthorization: Bearer b\nConnection: close\n\n',
    )
    expect(answer).toContain('HTTP/1.1 400')
  })
})

describe('every answer', () => {
  test('H14 every error is JSON, whatever Accept prefers', async () => {
    for (const accept of ['text/html', '*/*', 'text/html,application/xhtml+xml;q=0.9']) {
      const good = await agent.mint('/oauth/par', (await agent.purchase()).form, { accept })
      const bad = await agent.mint('/oauth/par', {}, { accept })
      expect([good.status, bad.status]).toEqual([201, 400])
      for (const { headers } of [good, bad]) expect(headers.get('content-type')).toBe('application/json')
    }
  })

  test('H17 a JWT beyond 8 KiB is refused before its signature is verified', async () => {
    const { form } = await agent.purchase()
    const huge = await agent.assertion({ pad: 'x'.repeat(9_000) })
    const assertion = await agent.mint('/oauth/par', { ...form, client_assertion: huge })
    expect([assertion.status, assertion.json['error']]).toEqual([401, 'invalid_client'])
    const proof = await agent.proof('POST', `${app.baseUrl}/oauth/par`, { claims: { pad: 'x'.repeat(9_000) } })
    const refused = await agent.mint('/oauth/par', form, { dpop: proof })
    expect([refused.status, refused.json['error']]).toEqual([400, 'invalid_dpop_proof'])
  })

  test('every answer carries a request id, no-store and nosniff, and is never a web page', async () => {
    const { form } = await agent.purchase()
    const headers = { accept: 'text/html' }
    const answers = [
      await agent.mint('/oauth/par', form, headers),
      await exchange(`${app.baseUrl}/wallet/limits`, { headers }),
      await exchange(`${app.baseUrl}/oauth/authorize`, { headers }),
      await exchange(`${app.baseUrl}/oauth/token`, { method: 'POST', headers }),
      await exchange(`${app.baseUrl}/oauth/nothing`, { headers }),
      await exchange(`${app.baseUrl}/oauth/par`, { headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 401, 400, 400, 404, 405])
    for (const answer of answers) {
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-type')).toBe('application/json')
    }
  })

  test('every answer loads and frames nothing, and sends its reader on without a referrer', async () => {
    const { form } = await agent.purchase()
    const answers = [
      await agent.mint('/oauth/par', form),
      await exchange(`${app.baseUrl}/wallet/limits`),
      await exchange(`${app.baseUrl}/oauth/authorize`),
      await exchange(`${app.baseUrl}/oauth/nothing`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 401, 400, 404])
    for (const { headers } of answers) {
      const policy = headers.get('content-security-policy')?.split('; ')
      expect(policy).toEqual(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
  })

  test('no other site may read an answer that is not a public document', async () => {
    const { form } = await agent.purchase()
    const origin = 'https://else.example'
    const preflight = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'dpop' }
    const answers = [
      await agent.mint('/oauth/par', form, { origin }),
      await exchange(`${app.baseUrl}/oauth/authorize`, { headers: { origin } }),
      await exchange(`${app.baseUrl}/oauth/token`, { method: 'OPTIONS', headers: preflight }),
      await exchange(`${app.baseUrl}/wallet/limits`, { method: 'OPTIONS', headers: preflight }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 204, 204])
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })

  test('H13 error descriptions keep to the characters of RFC 6749 section 5.2', async () => {
    const answer = await agent.mint('/oauth/token', { grant_type: '"\\\r\n\tä' })
    expect(answer.json['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
  })
})
