/** Contract 7: requests that Node would answer by itself, or not at all, are refused as the same JSON. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test } from 'vitest'
import { operations } from '@/server/operations'
import { createHttpServer, createLane, type HttpServer } from '@/server/transport/http'
import { withApp } from '../oauth/setup'
import type { App } from '../support/app'

let app: App
let front: HttpServer
let port = 0
withApp(async (started) => {
  app = started
  const { platform } = app
  const lane = createLane({ operations, platform, mode: 'direct' })
  front = createHttpServer({ platform, lane, fallback: async (_, response) => void response.end('page') })
  port = await front.listen(0)
})
afterAll(() => front.stop(0))

/** Sends a line each to the front of the production server, and returns all answers until the connection ends. */
async function send(...lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(lines.map((line) => `${line}\r\n`).join(''))
  return text(socket)
}

const statuses = (answers: string) => [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
const bodyOf = (answers: string) => JSON.parse(answers.split('\r\n\r\n').at(-1) ?? '') as unknown
const host = () => `Host: 127.0.0.1:${port}`
const CLOSE = 'Connection: close'

test.each(['/sign-in', '/oauth/jwks.json', '/healthz'])('a request without Host is 400 in JSON: %s', async (path) => {
  const answer = await send(`GET ${path} HTTP/1.1`, CLOSE, '')
  expect(statuses(answer)).toEqual([400])
  expect(answer).toMatch(/^x-content-type-options: nosniff\r$/m)
  expect(bodyOf(answer)).toMatchObject({ error: 'invalid_request', error_description: 'The request has no Host.' })
})

describe('a request with an expectation', () => {
  test.each(['/sign-in', '/healthz'])('that the server does not meet is 417 in the same JSON: %s', async (path) => {
    const answer = await send(`GET ${path} HTTP/1.1`, host(), CLOSE, 'Expect: foo', '')
    expect(statuses(answer)).toEqual([417])
    expect(answer).toMatch(/^x-content-type-options: nosniff\r$/m)
    expect(answer).toMatch(/^x-request-id: [\w-]{36}\r$/m)
    expect(bodyOf(answer)).toMatchObject({
      error: 'invalid_request',
      error_uri: `${app.baseUrl}/docs/errors#invalid_request`,
    })
  })

  test('an expectation of 100-continue gets 100, then the answer', async () => {
    const headers = [host(), CLOSE, 'Expect: 100-Continue', 'Content-Type: application/json', 'Content-Length: 2']
    const answer = await send('POST /oauth/register HTTP/1.1', ...headers, '', '{}')
    expect(statuses(answer)).toEqual([100, 400])
  })
})

describe('CONNECT', () => {
  const REFUSED = { error: 'invalid_request', error_description: 'The request target must be a path.' }

  test('CONNECT is refused in the same JSON', async () => {
    const answer = await send('CONNECT x:1 HTTP/1.1', host(), '')
    expect([statuses(answer), bodyOf(answer)]).toMatchObject([[400], REFUSED])
  })

  test('CONNECT after another request is refused once that is answered', async () => {
    const answer = await send('GET /healthz HTTP/1.1', host(), '', 'CONNECT x:1 HTTP/1.1', host(), '', 'more')
    expect([statuses(answer), bodyOf(answer)]).toMatchObject([[200, 400], REFUSED])
  })
})
