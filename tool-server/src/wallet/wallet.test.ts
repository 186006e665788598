import { mkdtemp } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { importKey, mintKey } from '../crypto/keys.js'
import { readSettings } from '../settings.js'
import { RegistrationStore } from '../state/registration-store.js'
import type { WalletScope } from './access-words.js'
import { registrationFor, toAccess } from './registrations.js'
import { requestData } from './request-data.js'
import { revokeAgent } from './revoke-agent.js'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const host = { signal: new AbortController().signal }
let server: Server
let issuer = ''
let home = ''
let answers: Answer[] = []
let requests: IncomingMessage[] = []

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
const noAnswer: Answer = ({ socket }) => socket.destroy()

beforeEach(async () => {
  answers = []
  requests = []
  home = join(await mkdtemp(join(tmpdir(), 'countersign-')), 'home')
  server = createServer((request, response) => {
    requests.push(request)
    answers.shift()?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  vi.useRealTimers()
  server.closeAllConnections()
  server.close()
})

const settings = () => readSettings({ COUNTERSIGN_HOME: home, COUNTERSIGN_AS_URL: issuer })

const unsigned = (claims: Record<string, unknown>): string =>
  ['{"alg":"EdDSA"}', JSON.stringify(claims), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.')

describe('revoking', () => {
  const revoked = (revokedAt: number, families = 0, headers = {}) =>
    json(
      200,
      { ok: true, client_id: 'a', revoked_at: new Date(revokedAt).toISOString(), families_revoked: families },
      headers,
    )
  const revoke = (startedAt = Date.now(), { signal } = host) => {
    const keys = { dpopKey: mintKey(), assertionKey: mintKey() }
    const registration = { issuer, client_id: 'wallet', redirect_uris: [], registered_at: new Date(0).toISOString() }
    const token = unsigned({ sub: 'ada', cnf: { jkt: importKey(keys.dpopKey).thumbprint } })
    const access = toAccess({ registration, keys }, token)
    const call = { settings: settings(), host: { signal }, scope: 'wallet:write' } as const
    return revokeAgent(call, access, { agentId: 'a', startedAt })
  }

  test('A8 is a conflict when it was done before this call began and ended nothing', async () => {
    const now = Date.now()
    answers = [revoked(now - 3_000), revoked(now), revoked(now - 3_000, 1)]
    await expect(revoke(now)).rejects.toThrow('409 conflict')
    expect(await revoke(now)).toMatchObject({ ok: true, families_revoked: 0 })
    expect(await revoke(now)).toMatchObject({ families_revoked: 1 })
  })

  test.each([
    ['no answer', noAnswer, 'fetch failed'],
    ['500', json(500, { error: 'server_error' }), '503 server_error'],
    ['503', json(503, { error: 'service_unavailable' }), '503 server_error'],
  ])('A8 B23 a repetition after %s is a success', async (_what, answer, message) => {
    const startedAt = Date.now()
    answers = [answer, json(404, { error: 'not_found' }), answer, revoked(startedAt)]
    for (const expected of [message, '404 not_found', message]) {
      await expect(revoke(startedAt)).rejects.toThrow(expected)
    }
    expect(await revoke(startedAt + 60_000)).toMatchObject({ ok: true })
    answers = [revoked(startedAt)]
    await expect(revoke(startedAt + 60_000)).rejects.toThrow('409 conflict')
  })

  test('A8 B38 a repetition after the host cancelled a call that was sent is a success', async () => {
    const startedAt = Date.now()
    const cancelling = new AbortController()
    answers = [() => cancelling.abort(), revoked(startedAt)]
    await expect(revoke(startedAt, cancelling)).rejects.toThrow('cancelled')
    expect(await revoke(startedAt + 60_000)).toMatchObject({ ok: true })
  })

  test('B23 says that a repetition is safe', async () => {
    answers = [json(502, {})]
    await expect(revoke()).rejects.toMatchObject({ hint: 'Retry is safe: revoking is idempotent.' })
  })

  const datedBy = (clock: number) => ({ date: new Date(clock).toUTCString() })

  test.each([3_600_000, 1_500, 1_000, 500, 1])(
    'A8 a server whose clock is %i ms behind has not done it before',
    async (ms) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 + 900 })
      const behind = Date.now() - ms
      answers = [revoked(behind, 0, datedBy(behind))]
      expect(await revoke()).toMatchObject({ ok: true })
    },
  )

  test.each([-3_600_000, -1_000, 0, 1_000, 3_600_000])(
    'A8 is a conflict when it was done some seconds before, by a clock that is %i ms ahead',
    async (ms) => {
      const clock = Date.now() + ms
      answers = [revoked(clock - 3_000, 0, datedBy(clock))]
      await expect(revoke()).rejects.toThrow('409 conflict')
    },
  )

  test('A8 is a conflict when a call has just done it, however soon it is repeated', async () => {
    const at = Date.now()
    answers = [revoked(at, 1), revoked(at), revoked(at)]
    expect(await revoke()).toMatchObject({ families_revoked: 1 })
    await expect(revoke()).rejects.toThrow('409 conflict')
    await expect(revoke()).rejects.toThrow('409 conflict')
  })

  test('a nonce that the server names is used', async () => {
    const headers = { 'dpop-nonce': 'n-1', 'www-authenticate': 'DPoP error="use_dpop_nonce"' }
    answers = [json(401, { error: 'invalid_token' }, headers), revoked(Date.now())]
    await revoke()
    const [, proof = ''] = String(requests[1]?.headers['dpop']).split('.')
    expect(JSON.parse(Buffer.from(proof, 'base64url').toString())).toMatchObject({ nonce: 'n-1', htm: 'POST' })
  })
})

describe('asking for data', () => {
  const token = unsigned({ sub: 'ada' })
  const ask = (presented = token) =>
    requestData({ settings: settings(), host, scope: 'privacy:dsar' }, presented, 'access')
  const keys = () => requests.map(({ headers }) => headers['idempotency-key'])

  beforeEach(async () => {
    const store = new RegistrationStore(home)
    await store.ensureKeys(issuer)
    const registration = { issuer, client_id: 'agent-1', principal_id: 'ada', redirect_uris: [] }
    await store.save({ ...registration, registered_at: new Date().toISOString() })
  })

  test('B32 is repeated with one key while there is no answer, and each call has its own', async () => {
    answers = [noAnswer, json(409, { error: 'idempotency_conflict' }), json(200, {})]
    expect((await ask()).status).toBe(409)
    expect((await ask()).status).toBe(200)
    const [first, second, third] = keys()
    expect(first).toMatch(/^[0-9a-f-]{36}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('A4 a token that is bound to no key of this home goes out as a bearer token', async () => {
    answers = [json(200, {})]
    await ask()
    expect(requests[0]?.headers['authorization']).toBe(`Bearer ${token}`)
    expect(requests[0]?.headers['dpop']).toBeUndefined()
  })

  test('A2 a token goes out with the key of the registration that it is bound to', async () => {
    const [agent, wallet] = [new RegistrationStore(home), new RegistrationStore(home, 'wallet')]
    await wallet.ensureKeys(issuer)
    const registration = { issuer, client_id: 'wallet-1', principal_id: 'ada', redirect_uris: [] }
    await wallet.save({ ...registration, registered_at: new Date().toISOString() })
    for (const store of [agent, wallet]) {
      const key = importKey((await store.readKeys(issuer)).dpopKey)
      answers = [json(200, {})]
      await ask(unsigned({ sub: 'ada', cnf: { jkt: key.thumbprint } }))
      const { headers } = requests.at(-1) ?? {}
      const [header = ''] = String(headers?.['dpop']).split('.')
      expect(headers?.['authorization']).toMatch(/^DPoP /)
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ jwk: { x: key.publicJwk.x } })
    }
  })

  test.each([
    ['of another server', { sub: 'ada', iss: 'https://as.example' }],
    ['of an agent alone', { sub: 'agent-1', client_id: 'agent-1' }],
    ['of nobody', {}],
  ])('A4 a token %s is not sent', async (_what, claims) => {
    await expect(ask(unsigned(claims))).rejects.toThrow('wallet-session JWT-AT required (401 invalid_token)')
    expect(requests).toHaveLength(0)
  })
})

describe('the registration that may ask', () => {
  const save = async (kind: 'agent' | 'wallet', scope: string) => {
    const store = new RegistrationStore(home, kind)
    await store.ensureKeys(issuer)
    const registration = { issuer, client_id: kind, redirect_uris: [], scope }
    await store.save({ ...registration, registered_at: new Date().toISOString() })
  }
  const clientFor = async (scope: WalletScope) => (await registrationFor(settings(), scope)).registration.client_id

  test('A2 is the one for the wallet, else the one for paying where its scope holds what is needed', async () => {
    await expect(clientFor('wallet:read')).rejects.toThrow('agent not registered yet')
    await save('agent', 'openid oid4ac:payment wallet:read audit:read')
    expect(await clientFor('wallet:read')).toBe('agent')
    await save('wallet', 'wallet:read wallet:write')
    expect(await clientFor('wallet:read')).toBe('wallet')
    expect(await clientFor('audit:read')).toBe('agent')
    await expect(clientFor('privacy:dsar')).rejects.toThrow('insufficient_scope (need privacy:dsar)')
    expect(requests).toHaveLength(0)
  })
})
