/** Decisions D13 and D6: the status lists of other issuers, and our own. */
import type { RequestListener } from 'node:http'
import { deflateSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { StatusReference } from '@/server/base/protocol/presentation'
import { readForeignStatus, readTrustedIssuers } from '@/server/credentials/trust-lists'
import { Agent, askAboutToken, must, newKey, newPrincipal, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { type ForeignIssuer, startForeignIssuer } from './foreign-issuer'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

let foreign: ForeignIssuer
beforeEach(async () => {
  foreign = await startForeignIssuer({ clock: app.clock })
})
afterEach(() => foreign.close())

type Body = Record<string, unknown>
const seconds = () => Math.floor(app.clock.now().getTime() / 1000)

async function trust(more: Body = {}) {
  const issuers = [{ issuer: foreign.issuer, algs: ['ES256', 'EdDSA'], jwks: foreign.jwks, ...more }]
  must(await operate(app, 'PUT', '/trust-lists/EU', { issuers }), 200)
  return readListed(1)
}
async function readListed(index: 0 | 1) {
  const listed = await readTrustedIssuers({ platform: app.platform, now: app.clock.now() }, 'EU')
  return listed?.[index] ?? expect.fail('the issuer is not listed')
}

/** The state, or code and status of the refusal. */
async function stateOf(reference: number | StatusReference, listed = readListed(1)): Promise<unknown> {
  const whole = typeof reference === 'number' ? { uri: foreign.statusUri, idx: reference } : reference
  const reading = readForeignStatus(app.platform, await listed, whole, app.clock.now())
  return reading.catch((error: { code?: string; status?: number }) => [error.code ?? error, error.status])
}
const unreadable = ['service_unavailable', 503]
/** Another list at another address each time, so that nothing that was kept is in the way. */
async function stateWith(answer: Parameters<ForeignIssuer['answerStatus']>[0]): Promise<unknown> {
  await trust({ vct_values: [`urn:${Math.random()}`] })
  foreign.answerStatus(answer)
  return stateOf(3)
}
const lstOf = (bytes: Uint8Array) => deflateSync(bytes).toString('base64url')

describe('D13 the state of a credential of another issuer', () => {
  test.each([1, 2, 4, 8] as const)('D13 lists of %d bits are read at every index', async (bits) => {
    await trust()
    for (const idx of [0, 5, 6, 7, 8, 63]) foreign.revoke(idx)
    foreign.answerStatus({ bits })
    for (const [idx, state] of [
      [0, 'revoked'],
      [1, 'valid'],
      [4, 'valid'],
      [5, 'revoked'],
      [8, 'revoked'],
      [9, 'valid'],
      [63, 'revoked'],
      [62, 'valid'],
    ] as const) {
      expect([idx, await stateOf(idx)]).toEqual([idx, state])
    }
    expect(foreign.requests).toHaveLength(1)
  })

  test('D6 1 and 2 are revoked, and what has no common meaning is not accepted', async () => {
    await trust()
    foreign.revoke(1, 1)
    foreign.revoke(2, 2)
    foreign.revoke(3, 3)
    expect([await stateOf(0), await stateOf(1), await stateOf(2), await stateOf(3)]).toEqual([
      'valid',
      'revoked',
      'revoked',
      unreadable,
    ])
  })

  test('D13 it is fetched with Accept: application/statuslist+jwt', async () => {
    await trust()
    const seen: unknown[] = []
    foreign.answer('/status/1', (request, response) => {
      seen.push(request.headers.accept)
      response.writeHead(404).end()
    })
    expect(await stateOf(3)).toEqual(unreadable)
    expect(seen).toEqual(['application/statuslist+jwt'])
  })

  test('D6 an index out of range is 503', async () => {
    await trust()
    for (const idx of [64, 1_000_000, -1, 0.5, Number.NaN, 2 ** 53]) {
      expect([idx, await stateOf(idx)]).toEqual([idx, unreadable])
    }
  })

  test('D6 a list that is unreachable, redirected, too large or no token is 503', async () => {
    await trust()
    const bad: RequestListener[] = [
      (_request, response) => response.writeHead(404).end(),
      (_request, response) => response.writeHead(302, { location: foreign.statusUri }).end(),
      (_request, response) => response.end('no token'),
      (_request, response) => response.end('a.b.c'),
      (_request, response) => response.end(Buffer.alloc(1024 * 1024 + 1, 'a')),
      (request) => request.socket.destroy(),
    ]
    for (const [index, listener] of bad.entries()) {
      foreign.answer('/status/1', listener)
      expect([index, await stateOf(3)]).toEqual([index, unreadable])
    }
    foreign.answer('/status/1', null)
    expect(await stateOf(3)).toBe('valid')
  })

  test('A1 addresses of lists that may not be asked are 503', async () => {
    await trust()
    for (const uri of ['http://10.0.0.1:8080/', 'https://[::1]:8443/', 'file:///etc/passwd', 'urn:list', '']) {
      expect([uri, await stateOf({ uri, idx: 3 })]).toEqual([uri, unreadable])
    }
  })

  test('D6 a list with a wrong sub, iss, typ, time or signature is 503', async () => {
    const stranger = await newKey('ES256')
    const kid = String(foreign.jwks.keys[0]?.kid)
    const wrong: Parameters<ForeignIssuer['answerStatus']>[0][] = [
      { claims: { sub: `${foreign.statusUri}/` } },
      { claims: { sub: undefined } },
      { claims: { iss: foreign.origin } },
      { claims: { iss: null } },
      { header: { typ: 'JWT' } },
      { header: { typ: undefined } },
      { claims: { exp: seconds() } },
      { claims: { exp: seconds() - 60 } },
      { claims: { exp: 'never' } },
      { claims: { iat: undefined } },
      { claims: { iat: seconds() + 3600 } },
      { claims: { ttl: 0 } },
      { claims: { ttl: -5 } },
      { claims: { ttl: '60' } },
      { key: { ...stranger, jwk: { ...stranger.jwk, kid } } },
      { header: { kid: 'unknown' } },
      { header: { kid: undefined } },
    ]
    for (const answer of wrong) expect([answer, await stateWith(answer)]).toEqual([answer, unreadable])
    for (const good of [{}, { claims: { iss: undefined } }, { claims: { exp: seconds() + 60 } }]) {
      expect([good, await stateWith(good)]).toEqual([good, 'valid'])
    }
  })

  test('D6 a malformed list is 503', async () => {
    const bytes = Buffer.alloc(16)
    const wrong: unknown[] = [
      undefined,
      null,
      'eNrbuRgAAhcBXQ',
      { bits: 1 },
      { lst: lstOf(bytes) },
      { bits: 3, lst: lstOf(bytes) },
      { bits: '1', lst: lstOf(bytes) },
      { bits: 1, lst: bytes.toString('base64url') },
      { bits: 1, lst: `${lstOf(bytes)}=` },
      { bits: 1, lst: lstOf(bytes).slice(0, -4) },
      { bits: 1, lst: '' },
    ]
    for (const list of wrong) {
      expect([list, await stateWith({ claims: { status_list: list } })]).toEqual([list, unreadable])
    }
    expect(await stateWith({ claims: { status_list: { bits: 1, lst: lstOf(bytes) } } })).toBe('valid')
  })

  test('D13 a list is inflated to 16 MiB at most', async () => {
    const largest = 16 * 1024 * 1024
    for (const [size, state] of [
      [largest, 'valid'],
      [largest + 1, unreadable],
      [20 * largest, unreadable],
    ] as const) {
      const status_list = { bits: 1, lst: lstOf(Buffer.alloc(size)) }
      expect([size, await stateWith({ claims: { status_list } })]).toEqual([size, state])
    }
  })

  test('D13 the keys are those of the credential, so a key of the list that is not trusted is 503', async () => {
    const trusted = await newKey('ES256')
    await trust({ jwks: { keys: [{ ...trusted.jwk, kid: 'other' }] } })
    expect(await stateOf(3)).toEqual(unreadable)
    await trust({ algs: ['EdDSA'] })
    expect(await stateOf(3)).toEqual(unreadable)
    const { root, x5c } = foreign.chain
    await trust({ jwks: undefined, x5c_roots: [root.base64] })
    expect(await stateOf(3)).toEqual(unreadable)
    foreign.answerStatus({ header: { x5c: [...x5c] } })
    expect(await stateOf(3)).toEqual(unreadable)
  })
})

describe('D13 how long a list is kept', () => {
  test.each([
    [60, 59],
    [200, 199],
    [10_000, 299],
    [undefined, 299],
  ])(
    'D13 with a ttl of %s seconds %d seconds later it is still used, and two more later it is not',
    async (ttl, age) => {
      await trust()
      foreign.answerStatus({ claims: { ttl } })
      expect(await stateOf(3)).toBe('valid')
      foreign.revoke(3)
      app.clock.advance({ seconds: age })
      expect(await stateOf(3)).toBe('valid')
      app.clock.advance({ seconds: 2 })
      expect(await stateOf(3)).toBe('revoked')
      expect(foreign.requests).toHaveLength(2)
    },
  )

  test('D13 never past exp', async () => {
    await trust()
    foreign.answerStatus({ claims: { exp: seconds() + 10, ttl: 300 } })
    expect(await stateOf(3)).toBe('valid')
    foreign.revoke(3)
    app.clock.advance({ seconds: 11 })
    expect(await stateOf(3)).toEqual(unreadable)
    foreign.answerStatus({})
    expect(await stateOf(3)).toBe('revoked')
  })

  test('D13 a failure is not kept', async () => {
    await trust()
    foreign.answer('/status/1', (_request, response) => response.writeHead(500).end())
    expect(await stateOf(3)).toEqual(unreadable)
    foreign.answer('/status/1', null)
    expect(await stateOf(3)).toBe('valid')
  })

  test('D1 what was verified with a key that is trusted no more is not used again', async () => {
    await trust()
    expect(await stateOf(3)).toBe('valid')
    const other = await newKey('ES256')
    await trust({ jwks: { keys: [{ ...other.jwk, kid: 'ec-1' }] } })
    expect(await stateOf(3)).toEqual(unreadable)
  })

  test('D13 sixteen at once share one fetch', async () => {
    await trust()
    const states = await Promise.all(Array.from({ length: 16 }, () => stateOf(3)))
    expect(new Set(states)).toEqual(new Set(['valid']))
    expect(foreign.requests).toHaveLength(1)
  })
})

describe('D6 our own credentials', () => {
  test('D6 their state is that of our list as it is now, without a fetch', async () => {
    await trust()
    const { principalId } = await newPrincipal(app, { approval_rule: 'above_limits' })
    const agent = await Agent.register(app, principalId)
    const tokens = await agent.buy()
    const { status } = decodeJwt<{ status: { status_list: StatusReference } }>(tokens.mandate_jwt.split('~')[0] ?? '')
    const reference = status.status_list
    const ours = readListed(0)
    expect(await stateOf(reference, ours)).toBe('valid')
    expect((await askAboutToken(app, 'revoke', agent, { token: tokens.refresh_token })).status).toBe(200)
    expect(await stateOf(reference, ours)).toBe('revoked')
  })

  test('D6 another list or a place that there is not is 503', async () => {
    await trust()
    const ours = readListed(0)
    const uri = `${app.baseUrl}/oauth/status-list/1`
    expect(await stateOf({ uri, idx: 0 }, ours)).toBe('valid')
    for (const reference of [
      { uri, idx: 2 ** 22 },
      { uri, idx: -1 },
      { uri, idx: 0.5 },
      { uri: `${app.baseUrl}/oauth/status-list/2`, idx: 0 },
      { uri: foreign.statusUri, idx: 0 },
    ]) {
      expect([reference, await stateOf(reference, ours)]).toEqual([reference, unreadable])
    }
    expect(foreign.requests).toEqual([])
  })
})
