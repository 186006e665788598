/** Decisions G49 and G50: how large bodies may be, what a pushed request must name, and identifiers that are blank. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { operations } from '@/server/operations'
import { createHttpServer, createLane, type HttpServerOptions } from '@/server/transport/http'
import { readyAgent, withApp } from '../oauth/setup'
import { type Agent, exchange, newSetupToken, operate, Person } from '../support/actors'
import type { App } from '../support/app'

let app: App
let agent: Agent
let person: Person
withApp(async (started) => {
  app = started
  agent = await readyAgent(app)
  person = await Person.signIn(app, agent.principalId)
})

const JSON_TYPE = 'application/json'
const KIB = 1024

/** A body of exactly this size. */
function bodyOf(type: string, size: number): string {
  const [head, tail] = type === JSON_TYPE ? ['{"pad":"', '"}'] : ['pad=', '']
  return head + 'x'.repeat(size - head.length - tail.length) + tail
}

const send = (path: string, { type = JSON_TYPE, size }: { type?: string; size: number }) =>
  exchange(app.baseUrl + path, { method: 'POST', headers: { 'content-type': type }, body: bodyOf(type, size) })

describe('a body', () => {
  test('G50 of settlement may have 128 KiB', async () => {
    const taken = await send('/settlement/settle', { size: 128 * KIB })
    expect([taken.status, taken.json['error']]).toEqual([401, 'invalid_token'])
    const refused = await send('/settlement/settle', { size: 128 * KIB + 1 })
    expect([refused.status, refused.json['error']]).toEqual([413, 'body_too_large'])
  })

  test.each([
    '/wallet/limits',
    '/oauth/register',
    '/oauth/consent/scan',
    '/wallet/setup-tokens',
    '/oauth/rcs/limit-bump/callback',
  ])('G50 of JSON may have 64 KiB: %s', async (path) => {
    expect((await send(path, { size: 64 * KIB })).status).not.toBe(413)
    const refused = await send(path, { size: 64 * KIB + 1 })
    expect([refused.status, refused.json['error']]).toEqual([413, 'body_too_large'])
  })

  test.each(['/oauth/par', '/oauth/token', '/oauth/introspect', '/oauth/revoke'])(
    'G50 of a form may have 64 KiB: %s',
    async (path) => {
      const type = 'application/x-www-form-urlencoded'
      expect((await send(path, { type, size: 64 * KIB })).status).not.toBe(413)
      const refused = await send(path, { type, size: 64 * KIB + 1 })
      expect([refused.status, refused.json['error']]).toEqual([413, 'body_too_large'])
    },
  )
})

describe('a body in a content coding', () => {
  const FORM_TYPE = 'application/x-www-form-urlencoded'

  test.each([
    ['/settlement/settle', JSON_TYPE, 415, 'unsupported_media_type'],
    ['/webhooks/stripe', JSON_TYPE, 415, 'unsupported_media_type'],
    ['/oauth/register', JSON_TYPE, 400, 'invalid_client_metadata'],
    ['/oauth/token', FORM_TYPE, 400, 'invalid_request'],
  ])('to %s as %s is refused with %i %s, as another media type is', async (path, type, status, error) => {
    const body = type === JSON_TYPE ? '{}' : 'a=b'
    const sendAs = (coding: string) =>
      exchange(app.baseUrl + path, {
        method: 'POST',
        headers: { 'content-type': type, 'content-encoding': coding },
        body,
      })
    for (const coding of ['gzip', 'br', 'x-unknown', 'identity, gzip']) {
      const refused = await sendAs(coding)
      expect([refused.status, refused.json['error'], refused.headers.get('accept-encoding')]).toEqual([
        status,
        error,
        'identity',
      ])
    }
    expect((await sendAs('Identity')).headers.get('accept-encoding')).toBeNull()
  })
})

describe.each(['direct', 'next'] as const)('a body that comes in through the %s lane', (mode) => {
  const PAGES = ['/sign-in', '/approvals', '/api/auth/callback/email', '/api/trpc/limits.save']
  const fronts: { stop(graceSeconds: number): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(fronts.splice(0).map((front) => front.stop(0)))
  })

  /** The front of the production server; in the place of Next, what counts the bytes that it is given. */
  async function dialFront(
    times: HttpServerOptions['times'] = {},
  ): Promise<{ socket: Socket; port: number; taken: number[] }> {
    const taken: number[] = []
    const platform = { ...app.platform, shutdown: { begin: () => undefined, hasBegun: () => false } }
    const fallback = async (request: IncomingMessage, response: ServerResponse) => {
      // Next makes a Request of it, which takes no stream that was read from.
      expect(Readable.isDisturbed(request)).toBe(false)
      taken.push((await buffer(request)).length)
      response.end('page')
    }
    const front = createHttpServer({ platform, lane: createLane({ operations, platform, mode }), fallback, times })
    fronts.push(front)
    const port = await front.listen(0)
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    return { socket, port, taken }
  }

  const head = (path: string, port: number, ...headers: string[]) =>
    [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Content-Type: ${JSON_TYPE}`, ...headers, '', ''].join('\r\n')

  const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`

  /** What is answered, one way or the other, to a client that goes once it has seen an answer. */
  async function expectOneRefusal(socket: Socket): Promise<void> {
    const answered = text(socket)
    await once(socket, 'data')
    socket.end()
    const answer = await answered
    expect([...answer.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['413'])
    expect(answer).toMatch(/^content-type: application\/json\r$/im)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(answer.split('\r\n\r\n').at(-1)).toContain('"body_too_large"')
  }

  const lengths = [
    64 * KIB + 1,
    2 ** 31,
    '9007199254740993',
    '18446744073709551615',
    '99999999999999999999',
    '9'.repeat(60),
  ]
  test.each(lengths.map(String))('G49 with a Content-Length of %s is one 413', async (length) => {
    for (const path of [...PAGES, '/oauth/register', '/sandbox/nothing']) {
      const { socket, port, taken } = await dialFront()
      socket.write(`${head(path, port, `Content-Length: ${length}`)}{"a":1}`)
      await expectOneRefusal(socket)
      expect(taken).toEqual([])
    }
  })

  test('G49 of settlement is refused by its own limit', async () => {
    const refused = await dialFront()
    refused.socket.write(head('/settlement/settle', refused.port, `Content-Length: ${128 * KIB + 1}`))
    await expectOneRefusal(refused.socket)
    const { socket, port } = await dialFront()
    socket.write(head('/settlement/settle', port, 'Connection: close', `Content-Length: ${128 * KIB}`))
    socket.write('x'.repeat(128 * KIB))
    expect(await text(socket)).not.toContain(' 413 ')
  })

  test.each([
    ['/eudiw/verify', 256 * KIB],
    ['/eudiw/request/unknown', 64 * KIB],
  ])(
    'G49 to %s, which looks at something else first, is refused as soon as it announces more than %d bytes',
    async (path, most) => {
      const { socket, port } = await dialFront()
      socket.write(head(path, port, `Content-Length: ${most + 1}`))
      await expectOneRefusal(socket)
    },
  )

  test.each([...PAGES, '/oauth/register'])('G49 to %s in chunks is cut where the limit is', async (path) => {
    const { socket, port, taken } = await dialFront()
    // The last chunk never comes.
    socket.write(head(path, port, 'Transfer-Encoding: chunked') + chunk(60 * KIB) + chunk(4 * KIB) + chunk(1))
    await expectOneRefusal(socket)
    expect(taken).toEqual([])
  })

  test.each(PAGES)('G49 to %s may have 64 KiB, in chunks and in one piece', async (path) => {
    const { socket, port, taken } = await dialFront()
    socket.write(head(path, port, 'Transfer-Encoding: chunked') + chunk(1))
    socket.write(`${chunk(60 * KIB) + chunk(4 * KIB - 1)}0\r\n\r\n`)
    socket.write(head(path, port, `Content-Length: ${64 * KIB}`) + 'x'.repeat(64 * KIB))
    socket.write(`${head(path, port, 'Transfer-Encoding: chunked')}0\r\n\r\n`)
    socket.write(head(path, port, 'Connection: close', 'Content-Length: 1'))
    socket.write('x')
    expect((await text(socket)).match(/HTTP\/1\.1 200/g)).toHaveLength(4)
    expect(taken.toSorted((one, other) => one - other)).toEqual([0, 1, 64 * KIB, 64 * KIB])
  })

  test.each(PAGES)('a compressed body to %s is refused before it is read', async (path) => {
    const { socket, port, taken } = await dialFront()
    socket.write(head(path, port, 'Content-Encoding: gzip', 'Connection: close', 'Content-Length: 2'))
    const answered = text(socket)
    await once(socket, 'data')
    socket.end('{}')
    expect(await answered).toMatch(/^HTTP\/1\.1 415 .*^accept-encoding: identity\r$/ims)
    expect(taken).toEqual([])
  })

  test('G49 a body to a page that ends early is logged as 499 at info, and reaches no page', async () => {
    const info = vi.spyOn(app.platform.log, 'info')
    const { socket, port, taken } = await dialFront()
    socket.write(`${head('/sign-in', port, 'Content-Length: 100')}half`)
    await vi.waitFor(() => expect(socket.bytesWritten).toBeGreaterThan(0))
    socket.resetAndDestroy()
    await vi.waitFor(() => expect(info.mock.calls.map(([, fields]) => fields?.['status'])).toContain(499))
    expect(taken).toEqual([])
    vi.restoreAllMocks()
  })

  test.each(['/sign-in', '/oauth/register'])(
    'G48 to %s that comes too late is answered and logged as 408',
    async (path) => {
      const info = vi.spyOn(app.platform.log, 'info')
      const { socket, port, taken } = await dialFront({ headersTimeout: 500, requestTimeout: 500 })
      socket.write(`${head(path, port, 'Content-Length: 100')}half`)
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
      const statuses = () =>
        info.mock.calls.filter(([words]) => words === 'request').map(([, fields]) => fields?.['status'])
      await vi.waitFor(() => expect(statuses()).toEqual([408]))
      expect(taken).toEqual([])
      vi.restoreAllMocks()
    },
  )
})

describe('a pushed request', () => {
  test('G50 without client_id is invalid_request', async () => {
    const { form } = await agent.purchase()
    for (const client_id of [undefined, '']) {
      const refused = await agent.mint('/oauth/par', { ...form, client_id })
      expect([refused.status, refused.json]).toMatchObject([400, { error: 'invalid_request' }])
      expect(refused.json['error_description']).toContain('client_id')
    }
    expect((await agent.push(form)).status).toBe(201)
  })
})

describe('an identifier', () => {
  test.each(['', ' ', '\t', '\u3000 '])('G50 %j is none', async (blank) => {
    const refused = [
      await operate(app, 'POST', '/sandbox/setup-tokens', { principal_id: blank }),
      await operate(app, 'POST', '/sandbox/wallet-sessions', {
        principal_id: blank,
        scope: 'wallet:read',
        dpop_jwk: {},
      }),
      await operate(app, 'POST', '/principals', { wallet_client_id: blank }),
      await person.call('POST', '/oauth/consent/scan', { authorization_id: blank, decision: 'approve' }),
      await person.call('POST', '/wallet/setup-intent/confirm', { setup_intent_id: blank }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422])
    const settled = await settle(blank)
    expect([settled.status, settled.text]).toEqual([422, expect.stringContaining('connected_account_id')])
    expect(await newSetupToken(app, agent.principalId)).not.toBe('')
  })

  async function settle(blank: string) {
    const { access_token: token, mandate_jwt: mandate } = await agent.buy()
    return agent.settle(token, mandate, 'blank', { connected_account_id: blank })
  }
})
