/** Decisions A1 and A2: a sandbox that strangers reach, and requests that are for another host. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerAuthRequest } from '@/server/identity/sessions'
import { operations } from '@/server/operations'
import { createHttpServer, createLane } from '@/server/transport/http'
import { exchange } from '../support/actors'
import { type App, startApp } from '../support/app'

interface Answer {
  readonly status: number
  readonly body: string
}

/** Sends the `Host` header as it is, which fetch does not allow. */
function ask(app: App, path: string, host: string | null): Promise<Answer> {
  const { port } = new URL(`http://x:${app.platform.config.port}`)
  return new Promise((resolve, reject) => {
    const headers = host === null ? {} : { host }
    const sent = request({ host: '127.0.0.1', port, path, headers, setHost: host !== null }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    sent.on('error', reject).end()
  })
}

describe('a public sandbox', () => {
  let app: App
  beforeAll(async () => {
    app = await startApp({ env: { BASE_URL: 'https://play.example.com', SANDBOX_PUBLIC: 'true' } })
  })
  afterAll(() => app.close())
  const local = (path: string) => `http://127.0.0.1:${app.platform.config.port}${path}`

  test('A1 shows the outbox to the operator alone', async () => {
    const refused = await exchange(local('/sandbox/outbox'), { headers: { accept: 'application/json' } })
    expect([refused.status, refused.json['error']]).toEqual([401, 'invalid_token'])
    expect(refused.text).not.toContain('messages')
    const headers = { accept: 'application/json', authorization: `Bearer ${app.operatorToken}` }
    const shown = await exchange(local('/sandbox/outbox'), { headers })
    expect([shown.status, Object.keys(shown.json)]).toEqual([200, ['messages']])
  })

  test('A1 signs in the demo person for the operator alone', async () => {
    const signIn = (headers: Record<string, string>) =>
      answerAuthRequest(
        new Request(`${app.baseUrl}/api/auth/callback/demo`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: app.baseUrl, ...headers },
          body: JSON.stringify({ csrfToken: 'x' }),
        }),
      )
    expect((await signIn({})).status).toBe(401)
    expect((await signIn({ authorization: 'Bearer guess' })).status).toBe(401)
  })

  test('A2 answers to its own name and to a literal loopback address at the same port', async () => {
    const { port } = app.platform.config
    for (const host of ['play.example.com', 'PLAY.example.com:443', `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect([host, (await ask(app, '/oauth/jwks.json', host)).status]).toEqual([host, 200])
    }
    const strangers = [
      'evil.example',
      `evil.example:${port}`,
      `play.example.com:${port}`,
      '127.0.0.1:1',
      'localhost',
      `localhost:${port}`,
      '127.0.0.1.evil.example',
      `127.0.0.1.evil.example:${port}`,
    ]
    for (const host of strangers) {
      const { status, body } = await ask(app, '/oauth/jwks.json', host)
      expect([host, status, JSON.parse(body).error]).toEqual([host, 421, 'misdirected_request'])
    }
  })

  test.each(['/', '/api/auth/csrf', '/api/trpc/home.read', '/sandbox/outbox', '/wallet/limits', '/sw.js'])(
    'A2 %s has no answer for the host of a stranger either',
    async (path) => {
      expect((await ask(app, path, 'evil.example')).status).toBe(421)
    },
  )

  test('A2 /healthz and /readyz answer under every host name', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await ask(app, path, 'lb.internal')).status).toBe(200)
  })
})

describe('hosts that are allowed', () => {
  let app: App
  beforeAll(async () => {
    app = await startApp({ env: { ALLOWED_HOSTS: 'pay.internal:3000,countersign' } })
  })
  afterAll(() => app.close())

  test('A2 ALLOWED_HOSTS adds names', async () => {
    for (const host of ['pay.internal:3000', 'Countersign']) {
      expect([host, (await ask(app, '/oauth/jwks.json', host)).status]).toEqual([host, 200])
    }
    expect((await ask(app, '/oauth/jwks.json', 'pay.internal')).status).toBe(421)
  })
})

describe('a sandbox on this machine', () => {
  /** Every other address of this machine: one that always is loopback, and those that others can reach. */
  const others = [
    '127.0.0.2',
    ...Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.flatMap(({ internal, family, address }) => (internal || family !== 'IPv4' ? [] : [address])),
    ),
  ]

  /** What becomes of a connection: `connected`, or the code of the system. */
  async function dial(host: string, port: number): Promise<string> {
    const socket = connect(port, host)
    try {
      await once(socket, 'connect')
      return 'connected'
    } catch (error) {
      return String((error as NodeJS.ErrnoException).code)
    } finally {
      socket.destroy()
    }
  }

  async function reachable(env: Record<string, string>) {
    const app = await startApp({ env })
    const { platform } = app
    const lane = createLane({ operations, platform, mode: 'direct' })
    const server = createHttpServer({ platform, lane, fallback: async (_, response) => void response.end() })
    try {
      const port = await server.listen(0)
      const hosts = ['127.0.0.1', ...others]
      return await Promise.all(hosts.map((host) => dial(host, port)))
    } finally {
      await server.stop(0)
      await app.close()
    }
  }

  test('A2 with a loopback BASE_URL and no HOST, this machine alone can connect', async () => {
    expect(others.length).toBeGreaterThan(0)
    expect(await reachable({})).toEqual(['connected', ...others.map(() => 'ECONNREFUSED')])
  })

  test('A2 HOST chooses to listen to others as well', async () => {
    expect(await reachable({ HOST: '0.0.0.0' })).toEqual(['connected', ...others.map(() => 'connected')])
  })
})
