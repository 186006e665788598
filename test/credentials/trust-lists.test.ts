/** Decisions D1 and D14: whom a region trusts, as the operator says it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readRegions, readTrustedIssuers } from '@/server/credentials/trust-lists'
import { clientAssertion, exchange, must, newKey, newWalletClient, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { mint } from '../support/certificates'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Body = Record<string, unknown>
const send = (method: string, region: string, body?: unknown) =>
  operate<Body>(app, method, `/trust-lists${region === '' ? '' : `/${region}`}`, body)
const issuer = (more: Body = {}) => ({ issuer: 'https://issuer.example', algs: ['ES256'], ...more })
const put = (region: string, ...issuers: unknown[]) => send('PUT', region, { issuers })
const list = async () => must(await send('GET', ''), 200)['trust_lists'] as Body[]
const call = () => ({ platform: app.platform, now: app.clock.now() })

/** Where the 422 says that something is wrong. */
async function refusedAt(region: string, body: unknown): Promise<string[]> {
  const { status, json } = await send('PUT', region, body)
  expect([status, json]).toMatchObject([422, { detail: expect.anything() }])
  return (json['detail'] as { loc: (string | number)[] }[]).map(({ loc }) => loc.join('.'))
}
const at = (...path: (string | number)[]) => ['body', 'issuers', 0, ...path].join('.')

describe('D1 the operator lists the issuers of a region', () => {
  test('D1, D2 no region is configured at first', async () => {
    expect(await list()).toEqual([])
    expect(await readRegions(call())).toEqual([])
    expect(await readTrustedIssuers(call(), 'EU')).toBeNull()
  })

  test('D1 PUT answers the region with its issuers and the time, and GET lists them', async () => {
    const [key, root] = await Promise.all([newKey('ES256'), mint({ ca: true })])
    const issuers = [
      issuer({ vct_values: ['urn:a', 'urn:b'], jwks: { keys: [{ ...key.jwk, kid: 'k1', use: 'sig' }] } }),
      issuer({ issuer: 'https://other.example:8443/a', algs: ['EdDSA', 'Ed25519'], x5c_roots: [root.base64] }),
      issuer({ issuer: 'https://third.example/' }),
    ]
    const saved = must(await put('EU', ...issuers), 200)
    expect(saved).toEqual({ region: 'EU', issuers, updated_at: expect.stringMatching(/^\d{4}-.*Z$/) })
    expect(await list()).toEqual([saved])
  })

  test('D1 PUT replaces the whole list, and regions are apart, also by case', async () => {
    must(await put('EU', issuer({ issuer: 'https://new.example' })), 200)
    must(await put('eu'), 200)
    expect((await list()).map(({ region, issuers }) => [region, (issuers as Body[]).length])).toEqual([
      ['EU', 1],
      ['eu', 0],
    ])
    expect(await readRegions(call())).toEqual(['EU', 'eu'])
  })

  test('D1 DELETE removes the region with 204 and no body, and is 404 after that', async () => {
    must(await put('GB', issuer()), 200)
    const removed = await send('DELETE', 'GB')
    expect([removed.status, removed.text]).toEqual([204, ''])
    expect((await send('DELETE', 'GB')).status).toBe(404)
    expect(await readTrustedIssuers(call(), 'GB')).toBeNull()
  })

  test('D1 our own issuer is trusted in every configured region, EdDSA only, without being named', async () => {
    const ours = {
      issuer: app.baseUrl,
      algs: ['EdDSA', 'Ed25519'],
      vctValues: null,
      jwks: null,
      x5cRoots: null,
      isOurs: true,
    }
    must(await put('JP'), 200)
    expect(await readTrustedIssuers(call(), 'JP')).toEqual([ours])
    const key = await newKey('ES256')
    must(await put('JP', issuer({ issuer: app.baseUrl, algs: ['ES256'], jwks: { keys: [key.jwk] } })), 200)
    expect(await readTrustedIssuers(call(), 'JP')).toEqual([ours])
  })

  test('D1 a change holds at once', async () => {
    must(await put('BR', issuer()), 200)
    expect(await readTrustedIssuers(call(), 'BR')).toMatchObject([
      { isOurs: true },
      { issuer: 'https://issuer.example' },
    ])
    must(await put('BR'), 200)
    expect(await readTrustedIssuers(call(), 'BR')).toHaveLength(1)
  })

  test('D1 sixteen at once leave one of the lists whole', async () => {
    const name = (index: number) => `https://issuer-${index}.example`
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        put('RACE', issuer({ issuer: name(index) }), issuer({ issuer: `${name(index)}/b` })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200))
    const [, one, other] = (await readTrustedIssuers(call(), 'RACE')) ?? []
    expect(other?.issuer).toBe(`${one?.issuer}/b`)
  })
})

describe('D1, D14 what cannot be used is refused with 422 and changes nothing', () => {
  test.each(['EU_1', 'a b', 'a.b', '%C3%BC', 'x'.repeat(33), 'EU%2F', '__proto__'])(
    'D1 the region %s',
    async (region) => {
      expect(await refusedAt(region, { issuers: [] })).toEqual(['path.region'])
    },
  )

  test.each(['A', '-', 'x'.repeat(32), 'constructor', 'EU-2'])('D1 the region %s may be', async (region) => {
    must(await put(region), 200)
    expect((await send('DELETE', region)).status).toBe(204)
  })

  test.each([
    'http://issuer.example',
    'https://issuer.example?a=b',
    'https://issuer.example/?',
    'https://issuer.example#a',
    'https://issuer.example/#',
    'https://user@issuer.example',
    'https://issuer.example:444',
    'https://10.0.0.1',
    'https://[::1]',
    'http://127.0.0.1:80',
    'http://127.0.0.2:8080',
    'issuer.example',
    'urn:issuer',
    '',
  ])('D14 the issuer %s', async (address) => {
    expect(await refusedAt('EU', { issuers: [issuer({ issuer: address })] })).toEqual([at('issuer')])
  })

  test('D14 an issuer may be http on loopback in a trial', async () => {
    must(await put('TRIAL', issuer({ issuer: 'http://127.0.0.1:4000/a' })), 200)
  })

  test('D1 algorithms, types and keys', async () => {
    const [ec, ed, rsa] = await Promise.all([newKey('ES256'), newKey('EdDSA'), newKey('RS256')])
    const cases: [Body, string][] = [
      [{ algs: [] }, at('algs')],
      [{ algs: ['RS256'] }, at('algs', 0)],
      [{ algs: ['none'] }, at('algs', 0)],
      [{ algs: ['ES256', 'ES256'] }, at('algs')],
      [{ algs: 'ES256' }, at('algs')],
      [{ vct_values: [] }, at('vct_values')],
      [{ vct_values: ['a', 'a'] }, at('vct_values')],
      [{ vct_values: [''] }, at('vct_values', 0)],
      [{ jwks: {} }, at('jwks')],
      [{ jwks: { keys: [] } }, at('jwks')],
      [{ jwks: { keys: [rsa.jwk] } }, at('jwks')],
      [{ jwks: { keys: [{ ...ed.jwk, d: 'AAAA' }] } }, at('jwks')],
      [{ jwks: { keys: [{ kty: 'oct', k: 'AAAA' }] } }, at('jwks')],
      [
        {
          jwks: {
            keys: [
              { ...ed.jwk, kid: 'a' },
              { ...ec.jwk, kid: 'a' },
            ],
          },
        },
        at('jwks'),
      ],
      [{ jwks: { keys: [{ ...ec.jwk, y: ec.jwk.x }] } }, at('jwks')],
      [{ x5c_roots: [] }, at('x5c_roots')],
      [{ x5c_roots: ['AAAA'] }, at('x5c_roots', 0)],
      [{ x5c_roots: ['-----BEGIN CERTIFICATE-----'] }, at('x5c_roots', 0)],
      [{ x5c_roots: [(await mint({ name: 'No authority' })).base64] }, at('x5c_roots', 0)],
      [{ extra: 1 }, at('extra')],
    ]
    for (const [more, loc] of cases) {
      expect([more, await refusedAt('EU', { issuers: [issuer(more)] })]).toEqual([more, [loc]])
    }
  })

  test('D1 the body', async () => {
    for (const [body, loc] of [
      [{}, 'body.issuers'],
      [{ issuers: null }, 'body.issuers'],
      [{ issuers: {} }, 'body.issuers'],
      [{ issuers: [], more: 1 }, 'body.more'],
      [{ issuers: [issuer(), issuer()] }, 'body.issuers'],
      [{ issuers: ['https://issuer.example'] }, 'body.issuers.0'],
    ] as const) {
      expect(await refusedAt('EU', body)).toEqual([loc])
    }
    const everything = await refusedAt('EU', { issuers: [issuer({ issuer: 'x' }), issuer({ jwks: {} })] })
    expect(everything).toEqual(['body.issuers.0.issuer', 'body.issuers.1.jwks'])
  })

  test('D1 a refused list leaves the one that was there', async () => {
    must(await put('KEPT', issuer()), 200)
    await refusedAt('KEPT', { issuers: [issuer({ issuer: 'https://new.example' }), issuer({ algs: [] })] })
    expect(await readTrustedIssuers(call(), 'KEPT')).toMatchObject([{}, { issuer: 'https://issuer.example' }])
  })
})

describe('A6 who may not', () => {
  test('only the operator lists, changes and removes trust lists', async () => {
    const wallet = await newWalletClient(app)
    must(await put('SAFE', issuer()), 200)
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { 'x-client-id': wallet.clientId, 'x-client-assertion': await clientAssertion(app, wallet) },
    ]) {
      for (const [method, path] of [
        ['GET', '/operator/trust-lists'],
        ['PUT', '/operator/trust-lists/SAFE'],
        ['DELETE', '/operator/trust-lists/SAFE'],
      ] as const) {
        const body = method === 'PUT' ? { body: '{"issuers":[]}' } : {}
        const json = { 'content-type': 'application/json' }
        const { status } = await exchange(app.baseUrl + path, { method, headers: { ...json, ...headers }, ...body })
        expect([path, status]).toEqual([path, 401])
      }
    }
    expect(await readTrustedIssuers(call(), 'SAFE')).toHaveLength(2)
  })
})
