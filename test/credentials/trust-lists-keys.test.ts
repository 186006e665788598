/** Decision D1: the keys of other issuers, from the list, from certificates, or as they publish them. */
import type { KeyObject } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getIssuerKey, type IssuerKeyHeader, readTrustedIssuers } from '@/server/credentials/trust-lists'
import { must, newKey, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { keyOf, type Minted, mint } from '../support/certificates'
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
const vct = 'https://types.example/person'
const WELL_KNOWN = '/.well-known/jwt-vc-issuer/tenant'

/** Lists the foreign issuer, and reads it as a verifier does. */
async function trust(more: Body = {}) {
  const issuers = [{ issuer: foreign.issuer, algs: ['ES256', 'EdDSA'], ...more }]
  must(await operate(app, 'PUT', '/trust-lists/EU', { issuers }), 200)
  const [, trusted] = (await readTrustedIssuers({ platform: app.platform, now: app.clock.now() }, 'EU')) ?? []
  return trusted ?? expect.fail('the issuer is not listed')
}

/** The code of the refusal, or whether the key verifies what the issuer signed. */
async function keyFor(more: Body, header: IssuerKeyHeader): Promise<KeyObject> {
  return getIssuerKey(app.platform, await trust(more), header, app.clock.now())
}
async function codeOf(finding: Promise<unknown>): Promise<unknown> {
  return finding.then(
    () => 'found',
    (error: unknown) => (error as { code?: unknown }).code ?? error,
  )
}
const thumbprint = (key: KeyObject) => key.export({ format: 'jwk' })['x']
const json =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

describe('D1 with jwks only these, by kid', () => {
  test('D1 the key of the kid, which fits the alg', async () => {
    const [ec, ed] = await Promise.all([newKey('ES256'), newKey('EdDSA')])
    const jwks = {
      keys: [
        { ...ec.jwk, kid: 'ec' },
        { ...ed.jwk, kid: 'ed' },
      ],
    }
    expect(thumbprint(await keyFor({ jwks }, { alg: 'ES256', kid: 'ec' }))).toBe(ec.jwk.x)
    expect(thumbprint(await keyFor({ jwks }, { alg: 'EdDSA', kid: 'ed' }))).toBe(ed.jwk.x)
    for (const header of [
      { alg: 'ES256', kid: 'ed' },
      { alg: 'EdDSA', kid: 'ec' },
      { alg: 'ES256', kid: 'other' },
      { alg: 'ES256', kid: '' },
      { alg: 'ES256' },
    ]) {
      expect([header, await codeOf(keyFor({ jwks }, header))]).toEqual([header, 'vp_token_invalid'])
    }
  })

  test('D1 one key without kid matches a JWT without, and none with', async () => {
    const [one, other] = await Promise.all([newKey('ES256'), newKey('ES256')])
    const single = { jwks: { keys: [one.jwk, { ...other.jwk, kid: 'named' }] } }
    expect(thumbprint(await keyFor(single, { alg: 'ES256' }))).toBe(one.jwk.x)
    expect(await codeOf(keyFor(single, { alg: 'ES256', kid: 'x' }))).toBe('vp_token_invalid')
    const two = { jwks: { keys: [one.jwk, other.jwk] } }
    expect(await codeOf(keyFor(two, { alg: 'ES256' }))).toBe('vp_token_invalid')
  })

  test('D1 nothing is fetched, and neither published keys nor certificates count', async () => {
    const key = await newKey('ES256')
    const { root, x5c } = foreign.chain
    const more = { jwks: { keys: [{ ...key.jwk, kid: 'mine' }] }, x5c_roots: [root.base64] }
    const kid = String(foreign.jwks.keys[0]?.kid)
    expect(await codeOf(keyFor(more, { alg: 'ES256', kid }))).toBe('vp_token_invalid')
    expect(await codeOf(keyFor(more, { alg: 'ES256', x5c }))).toBe('vp_token_invalid')
    expect(foreign.requests).toEqual([])
  })

  test('D1, D6 an alg outside the entry is refused', async () => {
    const ed = await newKey('EdDSA')
    const more = { algs: ['Ed25519'], jwks: { keys: [ed.jwk] } }
    expect(await codeOf(keyFor(more, { alg: 'Ed25519' }))).toBe('found')
    for (const alg of ['EdDSA', 'ES256', 'none', 'HS256', '__proto__']) {
      expect([alg, await codeOf(keyFor(more, { alg }))]).toEqual([alg, 'vp_token_invalid'])
    }
  })
})

describe('D1 with x5c_roots the chain of the JWT', () => {
  const roots = (...list: Minted[]) => ({ x5c_roots: list.map(({ base64 }) => base64) })
  const byChain = (x5c: readonly string[], alg = 'ES256', root = foreign.chain.root) =>
    codeOf(keyFor(roots(root), { alg, x5c }))

  test('D1 the leaf’s key verifies what the issuer signed with it', async () => {
    const { root, x5c } = foreign.chain
    const [issuerJwt = ''] = (await foreign.issue({ vct, x5c })).split('~')
    const header = decodeProtectedHeader(issuerJwt)
    const sent = { alg: 'ES256', ...(header.x5c !== undefined && { x5c: header.x5c }) }
    const key = await keyFor(roots(await mint({ ca: true }), root), sent)
    expect((await jwtVerify(issuerJwt, key)).payload['vct']).toBe(vct)
    expect(foreign.requests).toEqual([])
  })

  test('D1 the root is left out; a chain with it, without a link or in another order is refused', async () => {
    const { root, x5c } = foreign.chain
    const [leaf = '', authority = ''] = x5c
    expect(await byChain([leaf, authority])).toBe('found')
    for (const chain of [[leaf, authority, root.base64], [leaf], [authority, leaf], [authority], [leaf, leaf], []]) {
      expect(await byChain(chain)).toBe('vp_token_invalid')
    }
  })

  test('D1 without x5c, with another root or another alg there is no key', async () => {
    const { x5c, root } = foreign.chain
    const kid = String(foreign.jwks.keys[0]?.kid)
    expect(await codeOf(keyFor(roots(root), { alg: 'ES256', kid }))).toBe('vp_token_invalid')
    expect(await byChain(x5c, 'ES256', await mint({ ca: true }))).toBe('vp_token_invalid')
    expect(await byChain(x5c, 'EdDSA')).toBe('vp_token_invalid')
  })

  test('D1 the leaf must name the issuer’s host in its SAN', async () => {
    const { root } = foreign.chain
    const leaf = async (names: NonNullable<Parameters<typeof mint>[0]>['names']) =>
      (await mint({ name: '127.0.0.1', issuer: root, ...(names !== undefined && { names }) })).base64
    expect(await byChain([await leaf([{ type: 'ip', value: '127.0.0.1' }])])).toBe('found')
    expect(await byChain([await leaf([{ type: 'url', value: `${foreign.issuer}/more` }])])).toBe('found')
    for (const names of [
      undefined,
      [{ type: 'dns', value: 'issuer.example' }],
      [{ type: 'url', value: 'https://issuer.example/127.0.0.1' }],
      [{ type: 'email', value: 'a@127.0.0.1' }],
    ] as const) {
      const chain = [await leaf(names === undefined ? undefined : [...names])]
      expect([names, await byChain(chain)]).toEqual([names, 'vp_token_invalid'])
    }
  })

  test('D1 certificates hold for their time', async () => {
    const { root, x5c } = foreign.chain
    const trusted = await trust(roots(root))
    const at = (days: number) =>
      codeOf(
        getIssuerKey(app.platform, trusted, { alg: 'ES256', x5c }, new Date(app.clock.now().getTime() + days * 864e5)),
      )
    expect([await at(0), await at(364), await at(366), await at(-2)]).toEqual([
      'found',
      'found',
      'vp_token_invalid',
      'vp_token_invalid',
    ])
  })

  test('D1 an Ed25519 leaf signs with EdDSA', async () => {
    const { root } = foreign.chain
    const names = [{ type: 'ip', value: '127.0.0.1' } as const]
    const leaf = await mint({ issuer: root, alg: 'EdDSA', names })
    expect(await byChain([leaf.base64], 'EdDSA')).toBe('found')
    expect(await byChain([leaf.base64], 'ES256')).toBe('vp_token_invalid')
    const key = await keyOf(leaf, 'EdDSA')
    expect(thumbprint(await keyFor(roots(root), { alg: 'EdDSA', x5c: [leaf.base64] }))).toBe(key.jwk.x)
  })
})

describe('D1 with neither the keys that the issuer publishes', () => {
  const published = (kid: string, alg = 'ES256') => codeOf(keyFor({}, { alg, kid }))

  test('D1 at .well-known/jwt-vc-issuer before the path, kept for 300 s at most', async () => {
    const [ec, ed] = foreign.jwks.keys
    expect(thumbprint(await keyFor({}, { alg: 'ES256', kid: 'ec-1' }))).toBe(ec?.x)
    expect(thumbprint(await keyFor({}, { alg: 'EdDSA', kid: 'ed-1' }))).toBe(ed?.x)
    expect(foreign.requests).toEqual([WELL_KNOWN])
    app.clock.advance({ seconds: 299 })
    expect(await published('ec-1')).toBe('found')
    expect(foreign.requests).toHaveLength(1)
    app.clock.advance({ seconds: 2 })
    expect(await published('ec-1')).toBe('found')
    expect(foreign.requests).toHaveLength(2)
  })

  test('D1 a trailing slash of the issuer is not part of the well-known address', async () => {
    foreign.answer('/.well-known/jwt-vc-issuer', json({ issuer: `${foreign.origin}/`, jwks: foreign.jwks }))
    const more = { issuer: `${foreign.origin}/` }
    expect(await codeOf(keyFor(more, { alg: 'ES256', kid: 'ec-1' }))).toBe('found')
    expect(foreign.requests).toEqual(['/.well-known/jwt-vc-issuer'])
  })

  test('D1 an unknown kid has them fetched once more, which finds changed keys', async () => {
    expect(await published('ec-1')).toBe('found')
    await foreign.rotate()
    expect(await published('ec-2')).toBe('found')
    expect(foreign.requests).toHaveLength(2)
    expect(await published('ec-1')).toBe('vp_token_invalid')
    expect(foreign.requests).toHaveLength(3)
  })

  test('D1 unknown kids have an issuer asked ten times a minute at most', async () => {
    expect(await published('ec-1')).toBe('found')
    const answers = []
    for (let index = 0; index < 30; index += 1) answers.push(await published(`unknown-${index}`))
    expect(new Set(answers)).toEqual(new Set(['vp_token_invalid']))
    expect(foreign.requests).toHaveLength(11)
    expect(await published('ec-1')).toBe('found')
  })

  test('D1 sixteen at once share one fetch', async () => {
    const trusted = await trust()
    const finding = Array.from({ length: 16 }, () =>
      codeOf(getIssuerKey(app.platform, trusted, { alg: 'ES256', kid: 'ec-1' }, app.clock.now())),
    )
    expect(new Set(await Promise.all(finding))).toEqual(new Set(['found']))
    expect(foreign.requests).toHaveLength(1)
  })

  test('D1 the issuer of the metadata must equal iss', async () => {
    for (const issuer of [foreign.origin, `${foreign.issuer}/`, 'https://issuer.example', undefined]) {
      foreign.answer(WELL_KNOWN, json({ issuer, jwks: foreign.jwks }))
      expect([issuer, await published('ec-1')]).toEqual([issuer, 'vp_token_invalid'])
    }
  })

  test('D1 metadata that is away, redirected, malformed, too large or without keys finds none', async () => {
    const { issuer, jwks } = foreign
    const bad: RequestListener[] = [
      json({ issuer, jwks }, 404),
      json({ issuer, jwks }, 201),
      json({ issuer }),
      json({ issuer, jwks, jwks_uri: `${foreign.origin}/jwks` }),
      json({ issuer, jwks: { keys: 'none' } }),
      json({ issuer, jwks: { keys: [] } }),
      json({ issuer, jwks: { keys: [...jwks.keys, ...jwks.keys] } }),
      json([]),
      json({ issuer, jwks_uri: 'http://10.0.0.1:8080/jwks' }),
      json({ issuer, jwks_uri: 7 }),
      json({ issuer, jwks, more: 'x'.repeat(1024 * 1024) }),
      (_request, response) => response.writeHead(302, { location: foreign.origin }).end(),
      (_request, response) => response.end('{'),
      (request) => request.socket.destroy(),
    ]
    for (const [index, listener] of bad.entries()) {
      foreign.answer(WELL_KNOWN, listener)
      expect([index, await published('ec-1')]).toEqual([index, 'vp_token_invalid'])
    }
    foreign.answer(WELL_KNOWN, null)
    expect(await published('ec-1')).toBe('found')
  })

  test('D1 keys may be behind jwks_uri, and those of kinds that are not understood are passed over', async () => {
    const rsa = await newKey('RS256')
    const odd = [null, 'key', { kty: '__proto__' }, { ...rsa.jwk, kid: 'ec-1' }]
    foreign.answer(WELL_KNOWN, json({ issuer: foreign.issuer, jwks_uri: `${foreign.origin}/keys` }))
    foreign.answer('/keys', json({ keys: [...odd, ...foreign.jwks.keys] }))
    expect(await published('ec-1')).toBe('found')
    expect(foreign.requests).toEqual([WELL_KNOWN, '/keys'])
  })

  test('D1 an issuer that is away for a moment keeps the keys that are known', async () => {
    expect(await published('ec-1')).toBe('found')
    foreign.answer(WELL_KNOWN, json({}, 503))
    expect(await published('ec-9')).toBe('vp_token_invalid')
    expect(await published('ec-1')).toBe('found')
  })

  test('D1 the keys that are known are found while an unknown one is looked for', async () => {
    expect(await published('ec-1')).toBe('found')
    const asked = new Promise<() => void>((resolve) => {
      foreign.answer(WELL_KNOWN, (_request, response) => resolve(() => response.writeHead(503).end()))
    })
    const unknown = published('ec-9')
    const refuse = await asked
    expect(await published('ec-1')).toBe('found')
    refuse()
    expect(await unknown).toBe('vp_token_invalid')
  })
})

test('D1 the keys of our own issuer are those of our keyring, EdDSA only', async () => {
  must(await operate(app, 'PUT', '/trust-lists/EU', { issuers: [] }), 200)
  const [ours] = (await readTrustedIssuers({ platform: app.platform, now: app.clock.now() }, 'EU')) ?? []
  if (ours === undefined) return expect.fail('our own issuer is not trusted')
  const { kid } = app.platform.keys.current('mandate')
  const find = (header: IssuerKeyHeader) => codeOf(getIssuerKey(app.platform, ours, header, app.clock.now()))
  expect(await find({ alg: 'EdDSA', kid })).toBe('found')
  expect(await find({ alg: 'ES256', kid })).toBe('vp_token_invalid')
  expect(await find({ alg: 'EdDSA' })).toBe('vp_token_invalid')
  expect(await find({ alg: 'EdDSA', kid: app.platform.keys.current('access_token').kid })).toBe('vp_token_invalid')
})
