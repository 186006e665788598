import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { decodeJwt, exportJWK, type JWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { createNonceSource } from '@/server/base/protocol/dpop-nonce'
import { sweepExpired } from '@/server/sweep'
import {
  Agent,
  type Answer,
  clientAssertion,
  clientForm,
  dpopProof,
  exchange,
  handmadeJws,
  type Key,
  newKey,
  newWalletClient,
  operate,
  Person,
  type ProofOptions,
  REDIRECT_URI,
} from '../support/actors'
import type { App } from '../support/app'
import { readyAgent, withApp } from './setup'

let app: App
let agent: Agent
let wallet: Awaited<ReturnType<typeof newWalletClient>>
let walletDpopKey: Key
let person: Person

const paths = ['/oauth/par', '/oauth/token', '/wallet/setup-tokens', '/wallet/agents'] as const
type Path = (typeof paths)[number]
const mintPaths = paths.slice(0, 3)
const success = { '/oauth/par': 201, '/oauth/token': 200, '/wallet/setup-tokens': 201, '/wallet/agents': 200 }
const isMint = (path: Path) => path !== '/wallet/agents'
const methodOf = (path: Path) => (isMint(path) ? 'POST' : 'GET')
const urlOf = (path: Path) => app.baseUrl + path

function keyOf(path: Path): Key {
  if (path === '/wallet/agents') return person.key
  return path === '/wallet/setup-tokens' ? walletDpopKey : agent.dpopKey
}

type Change = Readonly<Record<string, string>>
interface Parts {
  readonly headers: Record<string, string>
  readonly body?: string
}

/** All of a request that succeeds, but for its proof and for what `change` replaces. */
async function partsOf(path: Path, change: Change = {}): Promise<Parts> {
  if (path === '/wallet/agents') return { headers: { authorization: `DPoP ${person.token}`, ...change } }
  if (path === '/wallet/setup-tokens')
    return { headers: { 'content-type': 'application/json' }, body: await order(change) }
  const form = path === '/oauth/par' ? (await agent.purchase()).form : await grant()
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: await clientForm(app, agent, { ...form, ...change }),
  }
}

async function grant() {
  const { code, verifier } = await agent.code()
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
}

async function order(change: Change): Promise<string> {
  return JSON.stringify({
    client_id: wallet.clientId,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await clientAssertion(app, wallet),
    principal_id: `person-${randomUUID()}`,
    ...change,
  })
}

async function send(path: Path, dpop: string, change: Change = {}): Promise<Answer> {
  const { headers, body } = await partsOf(path, change)
  return exchange(urlOf(path), {
    method: methodOf(path),
    headers: { ...headers, dpop },
    ...(body === undefined ? {} : { body }),
  })
}

/** Header lines exactly as given, names and repetitions included. */
async function sendLines(url: string, method: string, parts: Parts, lines: readonly (readonly [string, string])[]) {
  const all = [
    ...Object.entries(parts.headers),
    ...lines,
    ...(parts.body === undefined ? [] : [['content-length', String(Buffer.byteLength(parts.body))] as const]),
    ...(lines.some(([name]) => name === 'host') ? [] : [['host', new URL(url).host] as const]),
  ]
  return new Promise<Answer>((resolve, reject) => {
    const request = httpRequest(url, { method, headers: all.flat(), agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const headers = new Headers()
        for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value))
        resolve({ status: response.statusCode ?? 0, headers, text, json: JSON.parse(text) as Record<string, unknown> })
      })
    })
    request.on('error', reject).end(parts.body)
  })
}

type ProofChange = Pick<Partial<ProofOptions>, 'claims' | 'header' | 'nonce'> & { readonly key?: Key }

/** A proof that is good at this endpoint, but for what `change` replaces. */
async function proofFor(path: Path, { key = keyOf(path), ...change }: ProofChange = {}): Promise<string> {
  return dpopProof(app, key, {
    method: methodOf(path),
    url: urlOf(path),
    ...(isMint(path) ? { nonce: await agent.freshNonce() } : { accessToken: person.token }),
    ...change,
  })
}
const claimsFor = async (path: Path) => decodeJwt(await proofFor(path))
const headerFor = (path: Path) => ({ typ: 'dpop+jwt', alg: keyOf(path).alg, jwk: keyOf(path).jwk })

/** Status, error code, and the reason that the DPoP challenge gives. */
function outcome({ status, json, headers }: Answer) {
  const challenge = headers.get('www-authenticate') ?? ''
  return [status, json['error'], /^DPoP .*?error="(\w+)"/.exec(challenge)?.[1] ?? null]
}
type Refusal = 'invalid_dpop_proof' | 'use_dpop_nonce'
const refusal = (path: Path, code: Refusal = 'invalid_dpop_proof') =>
  isMint(path) ? [400, code, null] : [401, 'invalid_token', code]

const now = () => Math.floor(app.clock.now().getTime() / 1000)

/** Moves the clock. What the agent does besides must not depend on how old its own nonce has become. */
function advance(seconds: number): void {
  app.clock.advance({ seconds })
  agent.forgetNonce()
}

const NQCHAR = /^[\x21\x23-\x5b\x5d-\x7e]+$/

describe('DPoP proofs', () => {
  let otherKey: Key
  let ecKey: Key
  let rsaKey: Key
  let p384: { jwk: JWK; sign: (input: Buffer) => Buffer }
  withApp(async (started) => {
    app = started
    agent = await readyAgent(app)
    wallet = await newWalletClient(app)
    person = await Person.signIn(app, agent.principalId)
    ;[walletDpopKey, otherKey, ecKey, rsaKey] = await Promise.all([
      newKey(),
      newKey(),
      newKey('ES256'),
      newKey('RS256'),
    ])
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    p384 = {
      jwk: await exportJWK(publicKey),
      sign: (input) => sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
    }
  })

  const handmade = async (
    path: Path,
    header: Record<string, unknown>,
    signer: Parameters<typeof handmadeJws>[2] = keyOf(path),
  ) => handmadeJws({ ...headerFor(path), ...header }, await claimsFor(path), signer)

  const badForms: [string, (path: Path) => string | Promise<string>][] = [
    ['D2 two proofs in one value', async (path) => `${await proofFor(path)}, ${await proofFor(path)}`],
    ['D2 a comma after the proof', async (path) => `${await proofFor(path)},`],
    ['D3 a value that is no JWT', () => 'garbage'],
    ['D3 two segments', async (path) => (await proofFor(path)).split('.').slice(0, 2).join('.')],
    ['D3 a stripped signature', async (path) => (await proofFor(path)).replace(/[^.]+$/, '')],
    ['D3 four segments', async (path) => `${await proofFor(path)}.x`],
    ['D3 bad base64', async (path) => (await proofFor(path)).replace(/[^.]+$/, '%%%')],
    ['D3 padded base64', async (path) => `${await proofFor(path)}==`],
    ['D3 an empty header object', async (path) => handmadeJws({}, await claimsFor(path), keyOf(path))],
    ['D3 a header that is no JSON', async (path) => handmadeJws('{', await claimsFor(path), keyOf(path))],
    ['D3 an array as payload', (path) => handmadeJws(headerFor(path), [], keyOf(path))],
    ['D5 no alg', async (path) => handmade(path, { alg: undefined })],
    ['D5 alg none', async (path) => handmade(path, { alg: 'none' })],
    ['D5 alg none without signature', async (path) => handmade(path, { alg: 'none' }, () => Buffer.of())],
    [
      'D5 HS256 with an oct key',
      (path) => handmade(path, { alg: 'HS256', jwk: { kty: 'oct', k: 'AAAA' } }, hmac('\0\0\0')),
    ],
    [
      'D5 HS256 keyed with the public JWK',
      (path) => handmade(path, { alg: 'HS256' }, hmac(JSON.stringify(keyOf(path).jwk))),
    ],
    ['D5 RS256', (path) => proofFor(path, { key: rsaKey })],
    ['D5 an alg in lower case', (path) => handmade(path, { alg: 'eddsa' })],
    ['D6 EdDSA with an EC key', (path) => handmade(path, { jwk: ecKey.jwk })],
    ['D6 ES256 with an OKP key', (path) => handmade(path, { alg: 'ES256' })],
    ['D6 ES256 with a P-384 key', (path) => handmade(path, { alg: 'ES256', jwk: p384.jwk }, p384.sign)],
    [
      'D6 ES256 with a point off the curve',
      (path) => handmade(path, { alg: 'ES256', jwk: { ...ecKey.jwk, y: ecKey.jwk.x } }),
    ],
    ['D6 EdDSA with an X25519 key', (path) => handmade(path, { jwk: { ...keyOf(path).jwk, crv: 'X25519' } })],
    ['D6 EdDSA with an Ed448 key', (path) => handmade(path, { jwk: { ...keyOf(path).jwk, crv: 'Ed448' } })],
    ['D6 EdDSA with a key of no length', (path) => handmade(path, { jwk: { ...keyOf(path).jwk, x: '' } })],
    ['D7 a private key', async (path) => proofFor(path, { header: { jwk: await exportJWK(keyOf(path).privateKey) } })],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'].map((member): [string, (path: Path) => Promise<string>] => [
      `D7 a key with the member ${member}`,
      (path) => proofFor(path, { header: { jwk: { ...keyOf(path).jwk, [member]: 'AAAA' } } }),
    ]),
    ['D8 a signature by another key', (path) => handmade(path, {}, otherKey)],
    [
      'D8 another payload under the signature',
      async (path) => swapPayload(await proofFor(path), { jti: randomUUID() }),
    ],
    ['D18 an unknown crit', (path) => handmade(path, { crit: ['x'], x: 1 })],
  ]

  const badHeaders: [string, Record<string, unknown>][] = [
    ['D4 no typ', { typ: undefined }],
    ['D4 typ JWT', { typ: 'JWT' }],
    ['D4 typ at+jwt', { typ: 'at+jwt' }],
    ['D4 a longer typ', { typ: 'text/dpop+jwt' }],
    ['D7 no jwk', { jwk: undefined }],
    ['D7 null as jwk', { jwk: null }],
    ['D7 an array as jwk', { jwk: [] }],
    ['D7 a string as jwk', { jwk: '{"kty":"OKP"}' }],
  ]

  type Claims = (path: Path) => Record<string, unknown>
  const badClaims: [string, Claims][] = [
    ['D9 another htm', (path) => ({ htm: isMint(path) ? 'GET' : 'POST' })],
    ['D9 the method in lower case', (path) => ({ htm: methodOf(path).toLowerCase() })],
    ['D9 no htm', () => ({ htm: undefined })],
    ['D9 an array as htm', (path) => ({ htm: [methodOf(path)] })],
    ['D12 an encoded slash', (path) => ({ htu: urlOf(path).replace(/\/(?=[^/]+$)/, '%2F') })],
    ['D13 another path', () => ({ htu: `${app.baseUrl}/oauth/revoke` })],
    ['D13 the path in upper case', (path) => ({ htu: app.baseUrl + path.toUpperCase() })],
    ['D13 a trailing slash', (path) => ({ htu: `${urlOf(path)}/` })],
    ['D13 a path only', (path) => ({ htu: path })],
    ['D13 https for http', (path) => ({ htu: urlOf(path).replace('http:', 'https:') })],
    ['D13 another host', (path) => ({ htu: urlOf(path).replace('localhost', '127.0.0.1') })],
    ['D13 another port', (path) => ({ htu: urlOf(path).replace(/:\d+/, ':1') })],
    ['D13 userinfo', (path) => ({ htu: urlOf(path).replace('://', '://user@') })],
    ['D13 no htu', () => ({ htu: undefined })],
    ['D13 a number as htu', () => ({ htu: 1 })],
    ['D13 an array as htu', (path) => ({ htu: [urlOf(path)] })],
    ['D15 no jti', () => ({ jti: undefined })],
    ['D15 an empty jti', () => ({ jti: '' })],
    ['D15 a number as jti', () => ({ jti: 7 })],
    ['D15 a jti of 257 characters', () => ({ jti: 'j'.repeat(257) })],
    ['D16 no iat', () => ({ iat: undefined })],
    ['D16 a string as iat', () => ({ iat: String(now()) })],
    ['D16 iat an hour ahead', () => ({ iat: now() + 3_600 })],
    ['D16 iat an hour ago', () => ({ iat: now() - 3_600 })],
    ['D16 iat more than a minute ahead', () => ({ iat: now() + 70 })],
    ['D16 iat more than a minute ago', () => ({ iat: now() - 61 })],
    ['D17 exp in the past', () => ({ exp: now() - 1 })],
    ['D17 a string as exp', () => ({ exp: String(now() + 60) })],
    ['D17 nbf in the future', () => ({ nbf: now() + 30 })],
    ['D23 a number as nonce', () => ({ nonce: 1 })],
    ['D23 null as nonce', () => ({ nonce: null })],
    ['D23 an array as nonce', () => ({ nonce: ['nonce'] })],
  ]

  const good: [string, (path: Path) => ProofChange][] = [
    ['D5 EdDSA', () => ({ header: { alg: 'EdDSA' } })],
    ['D5 Ed25519, the name of RFC 9864', () => ({ header: { alg: 'Ed25519' } })],
    ['D10 htu with a query', (path) => ({ claims: { htu: `${urlOf(path)}?a=b` } })],
    ['D10 htu with a fragment', (path) => ({ claims: { htu: `${urlOf(path)}#part` } })],
    ['D10 htu with both', (path) => ({ claims: { htu: `${urlOf(path)}?a=/b#c?d` } })],
    ['D11 scheme and host in upper case', (path) => ({ claims: { htu: app.baseUrl.toUpperCase() + path } })],
    ['D11 dot segments', (path) => ({ claims: { htu: `${app.baseUrl}/x/.././.${path}` } })],
    ['D12 unreserved characters encoded', (path) => ({ claims: { htu: app.baseUrl + percentEncoded(path) } })],
    ['D12 lower-case hexadecimal', (path) => ({ claims: { htu: app.baseUrl + percentEncoded(path).toLowerCase() } })],
    ['D15 a jti of 256 characters', () => ({ claims: { jti: randomUUID().padEnd(256, 'j') } })],
    ['D16 iat 10 s ahead', () => ({ claims: { iat: now() + 10 } })],
    ['D16 iat 10 s ago', () => ({ claims: { iat: now() - 10 } })],
    ['D16 iat almost a minute ahead', () => ({ claims: { iat: now() + 59 } })],
    ['D16 iat almost a minute ago', () => ({ claims: { iat: now() - 50 } })],
    ['D17 exp and nbf that hold', () => ({ claims: { exp: now() + 30, nbf: now() } })],
    ['D18 unknown members', () => ({ claims: { extra: { a: [1] } }, header: { kid: 'k', x: 1 } })],
    [
      'D18 a key with the members that browsers add',
      (path) => ({ header: { jwk: { ...keyOf(path).jwk, key_ops: ['verify'], ext: true, alg: 'Ed25519' } } }),
    ],
  ]

  describe.each(paths)('%s', (path) => {
    test.each(badForms)('%s is refused', async (_name, make) => {
      expect(outcome(await send(path, await make(path)))).toEqual(refusal(path))
    })

    test.each(badHeaders)('%s is refused', async (_name, header) => {
      expect(outcome(await send(path, await proofFor(path, { header })))).toEqual(refusal(path))
    })

    test.each(badClaims)('%s is refused', async (_name, claims) => {
      expect(outcome(await send(path, await proofFor(path, { claims: claims(path) })))).toEqual(refusal(path))
    })

    test.each(good)('%s is accepted', async (_name, change) => {
      const answer = await send(path, await proofFor(path, change(path)))
      expect(answer.status, answer.text).toBe(success[path])
    })

    test.each(['DPOP', 'dPoP'])('D1 a header named %s carries the proof', async (name) => {
      const answer = await sendLines(urlOf(path), methodOf(path), await partsOf(path), [[name, await proofFor(path)]])
      expect(answer.status, answer.text).toBe(success[path])
    })

    test('D2 two DPoP headers are refused, also with the same proof twice', async () => {
      const [one, two] = [await proofFor(path), await proofFor(path)]
      for (const second of [one, two]) {
        const lines = [['dpop', one] as const, ['DPoP', second] as const]
        const answer = await sendLines(urlOf(path), methodOf(path), await partsOf(path), lines)
        expect(outcome(answer)).toEqual(refusal(path))
      }
    })

    test('D19 a proof can be used once', async () => {
      const proof = await proofFor(path)
      expect((await send(path, proof)).status).toBe(success[path])
      expect(outcome(await send(path, proof))).toEqual(refusal(path))
    })

    test('D19 of many parallel uses of one proof exactly one succeeds', async () => {
      const proof = await proofFor(path)
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(path, proof)))
      expect(answers.filter(({ status }) => status === success[path])).toHaveLength(1)
      expect(answers.filter((answer) => outcome(answer).join() === refusal(path).join())).toHaveLength(7)
    })

    test('D20 a refused proof leaves its jti usable', async () => {
      const jti = randomUUID()
      for (const claims of [{ htm: 'PUT' }, { htu: 'https://else.example/' }, { iat: now() - 3_600 }]) {
        const refused = await send(path, await proofFor(path, { claims: { jti, ...claims } }))
        expect(outcome(refused)).toEqual(refusal(path))
      }
      const stranger = await proofFor(path, { key: otherKey, header: { jwk: keyOf(path).jwk }, claims: { jti } })
      expect(outcome(await send(path, stranger))).toEqual(refusal(path))
      expect((await send(path, await proofFor(path, { claims: { jti } }))).status).toBe(success[path])
    })

    test('D22 a nonce of another server is challenged, and the nonce of the challenge is accepted', async () => {
      const elsewhere = createNonceSource([randomBytes(32)]).current(app.clock.now())
      for (const nonce of ['unknown', elsewhere, '', 'n'.repeat(600)]) {
        const challenged = await send(path, await proofFor(path, { nonce }))
        expect(outcome(challenged)).toEqual(refusal(path, 'use_dpop_nonce'))
        expect(challenged.headers.get('dpop-nonce')).toMatch(NQCHAR)
        expect(challenged.headers.get('cache-control')).toBe('no-store')
        const proof = await proofFor(path, { nonce: challenged.headers.get('dpop-nonce') ?? '' })
        expect((await send(path, proof)).status).toBe(success[path])
        expect(outcome(await send(path, proof))).toEqual(refusal(path))
      }
    })
  })

  describe.each(mintPaths)('%s', (path) => {
    test('D21, D26 a proof without nonce is challenged, and the nonce of the challenge is accepted', async () => {
      const challenged = await send(path, await proofFor(path, { nonce: undefined }))
      expect(outcome(challenged)).toEqual(refusal(path, 'use_dpop_nonce'))
      expect(challenged.headers.get('cache-control')).toBe('no-store')
      const proof = await proofFor(path, { nonce: challenged.headers.get('dpop-nonce') ?? '' })
      expect((await send(path, proof)).status).toBe(success[path])
    })

    test('D24 so does what is refused before it is read', async () => {
      const url = urlOf(path)
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const refused = [
        await exchange(url, { method: 'POST', headers, body: 'x'.repeat(300_000) }),
        await exchange(url, { method: 'DELETE' }),
        await exchange(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }),
      ]
      for (const answer of refused) {
        expect(answer.status).toBeGreaterThanOrEqual(400)
        const proof = await proofFor(path, { nonce: answer.headers.get('dpop-nonce') ?? '' })
        expect((await send(path, proof)).status, String(answer.status)).toBe(success[path])
      }
    })

    test('D24 a success carries the next nonce and is not cached', async () => {
      const answer = await send(path, await proofFor(path))
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([success[path], 'no-store'])
      const proof = await proofFor(path, { nonce: answer.headers.get('dpop-nonce') ?? '' })
      expect((await send(path, proof)).status).toBe(success[path])
    })

    test('D20 a request that is refused for another reason leaves its proof usable', async () => {
      const proof = await proofFor(path)
      const client = path === '/wallet/setup-tokens' ? wallet : agent
      const stranger = await clientAssertion(app, { ...client, clientId: client.clientId, key: otherKey })
      expect((await send(path, proof, { client_assertion: stranger })).json).toMatchObject({ error: 'invalid_client' })
      expect((await send(path, proof)).status).toBe(success[path])
    })
  })

  test('D5 the metadata lists exactly the algorithms that are accepted', async () => {
    const { json } = await exchange(`${app.baseUrl}/.well-known/oauth-authorization-server`)
    expect(json['dpop_signing_alg_values_supported']).toEqual(['EdDSA', 'Ed25519', 'ES256'])
  })

  test('D5 ES256 is accepted at every endpoint', async () => {
    const es256 = new Agent(app, agent.clientId, agent.key, ecKey, agent.principalId)
    expect((await es256.buy()).token_type).toBe('DPoP')
    expect((await send('/wallet/setup-tokens', await proofFor('/wallet/setup-tokens', { key: ecKey }))).status).toBe(
      201,
    )
    const body = { principal_id: person.principalId, scope: 'wallet:read', dpop_jwk: ecKey.jwk }
    const { json } = await operate(app, 'POST', '/sandbox/wallet-sessions', body)
    const holder = new Person(app, person.principalId, json['access_token'] ?? '', ecKey)
    expect((await holder.call('GET', '/wallet/agents')).status).toBe(200)
  })

  test('D12 an encoded slash matches in either case but is not a slash; an encoded tilde is a tilde', async () => {
    const ask = async (path: string, htu: string) => {
      const url = app.baseUrl + path
      const options = { method: 'GET', url, accessToken: person.token, claims: { htu: app.baseUrl + htu } }
      const headers = { authorization: `DPoP ${person.token}`, dpop: await dpopProof(app, person.key, options) }
      return outcome(await exchange(url, { headers }))
    }
    const accepted = [404, 'not_found', null]
    expect(await ask('/wallet/agents/a%2Fb', '/wallet/agents/a%2fb')).toEqual(accepted)
    expect(await ask('/wallet/agents/a%2fb', '/wallet/agents/a%2Fb')).toEqual(accepted)
    expect(await ask('/wallet/agents/~a', '/wallet/agents/%7Ea')).toEqual(accepted)
    expect(await ask('/wallet/agents/%7ea', '/wallet/agents/~a')).toEqual(accepted)
    expect(await ask('/wallet/agents/a%252Fb', '/wallet/agents/a%252Fb')).toEqual(accepted)
    expect(await ask('/wallet/agents/a%2Fb', '/wallet/agents/a/b')).toEqual(refusal('/wallet/agents'))
    expect(await ask('/wallet/agents/a%252Fb', '/wallet/agents/a%2Fb')).toEqual(refusal('/wallet/agents'))
  })

  test('D19 a jti belongs to its key: another key may use the same', async () => {
    const jti = randomUUID()
    for (const key of [agent.dpopKey, otherKey, ecKey]) {
      const answer = await send('/oauth/par', await proofFor('/oauth/par', { key, claims: { jti } }))
      expect(answer.status, answer.text).toBe(201)
    }
    expect(outcome(await send('/oauth/par', await proofFor('/oauth/par', { claims: { jti } })))).toEqual(
      refusal('/oauth/par'),
    )
  })

  test('D19 a proof that was used at one endpoint is refused at another', async () => {
    const proof = await proofFor('/oauth/par')
    expect(outcome(await send('/oauth/token', proof))).toEqual(refusal('/oauth/token'))
    expect((await send('/oauth/par', proof)).status).toBe(201)
  })

  test('D20 a request that the operation itself refuses leaves proof and assertion usable', async () => {
    for (const [path, change, error] of [
      ['/oauth/par', { redirect_uri: 'https://else.example/' }, 'invalid_request'],
      ['/oauth/token', { code: 'unknown' }, 'invalid_grant'],
    ] as const) {
      const proof = await proofFor(path)
      const assertion = { client_assertion: await agent.assertion() }
      expect((await send(path, proof, { ...assertion, ...change })).json).toMatchObject({ error })
      expect((await send(path, proof, assertion)).status).toBe(success[path])
    }
  })

  test('D20 a refused access token leaves the proof usable', async () => {
    const proof = await proofFor('/wallet/agents')
    const [header, payload] = person.token.split('.')
    const tampered = `${header}.${payload}.${randomBytes(64).toString('base64url')}`
    const refused = await send('/wallet/agents', proof, { authorization: `DPoP ${tampered}` })
    expect(outcome(refused)).toEqual([401, 'invalid_token', 'invalid_token'])
    expect((await send('/wallet/agents', proof)).status).toBe(200)
  })

  test('D21 a nonce is optional at resource endpoints', async () => {
    expect((await send('/wallet/agents', await proofFor('/wallet/agents'))).status).toBe(200)
    const proof = await proofFor('/wallet/agents', { nonce: await agent.freshNonce() })
    expect((await send('/wallet/agents', proof)).status).toBe(200)
  })

  test('D22 settlement challenges like every resource endpoint', async () => {
    const tokens = await agent.buy()
    const settle = async (nonce: string) => {
      const url = `${app.baseUrl}/settlement/settle`
      const options = { method: 'POST', url, accessToken: tokens.access_token, nonce }
      const dpop = await dpopProof(app, agent.dpopKey, options)
      const body = { mandate: tokens.mandate_jwt, idempotency_key: 'order-1' }
      return agent.call('POST', '/settlement/settle', tokens.access_token, body, { dpop })
    }
    const challenged = await settle('unknown')
    expect(outcome(challenged)).toEqual([401, 'invalid_token', 'use_dpop_nonce'])
    expect((await settle(challenged.headers.get('dpop-nonce') ?? '')).status).toBe(200)
  })

  test('D25 the challenge leaves code, refresh token, assertion and Idempotency-Key usable', async () => {
    const url = urlOf('/oauth/token')
    const challengedThenRetried = async (form: Record<string, string>) => {
      const all = { client_assertion: await agent.assertion(), ...form }
      const key = { 'idempotency-key': randomUUID() }
      const dpop = await agent.proof('POST', url, { nonce: undefined })
      const challenged = await agent.mint('/oauth/token', all, { ...key, dpop })
      expect(outcome(challenged)).toEqual([400, 'use_dpop_nonce', null])
      const retried = await agent.mint<Record<string, string>>('/oauth/token', all, key)
      expect(retried.status, retried.text).toBe(200)
      const repeated = await agent.mint('/oauth/token', all, key)
      expect([repeated.status, repeated.text]).toEqual([200, retried.text])
      return retried.json['refresh_token'] ?? ''
    }
    const refreshToken = await challengedThenRetried(await grant())
    await challengedThenRetried({ grant_type: 'refresh_token', refresh_token: refreshToken })
  })

  test('D25 the challenge leaves the assertion of a setup-token request usable', async () => {
    const path = '/wallet/setup-tokens'
    const assertion = { client_assertion: await clientAssertion(app, wallet) }
    const challenged = await send(path, await proofFor(path, { nonce: undefined }), assertion)
    expect(outcome(challenged)).toEqual([400, 'use_dpop_nonce', null])
    expect((await send(path, await proofFor(path), assertion)).status).toBe(201)
  })

  test('D19 a used proof stays refused for as long as it could be accepted, also after a sweep', async () => {
    const claims = { iat: now() + 55 }
    const [used, unused] = [await proofFor('/wallet/agents', { claims }), await proofFor('/wallet/agents', { claims })]
    expect((await send('/wallet/agents', used)).status).toBe(200)
    advance(105)
    await sweepExpired(app.platform)
    expect(outcome(await send('/wallet/agents', used))).toEqual(refusal('/wallet/agents'))
    expect((await send('/wallet/agents', unused)).status).toBe(200)
  })

  test.each(mintPaths)('D22 a nonce is accepted for 90 s and stale after 180 s at %s', async (path) => {
    agent.forgetNonce()
    const nonce = await agent.freshNonce()
    advance(80)
    expect((await send(path, await proofFor(path, { nonce }))).status).toBe(success[path])
    advance(101)
    const challenged = await send(path, await proofFor(path, { nonce }))
    expect(outcome(challenged)).toEqual(refusal(path, 'use_dpop_nonce'))
    const proof = await proofFor(path, { nonce: challenged.headers.get('dpop-nonce') ?? '' })
    expect((await send(path, proof)).status).toBe(success[path])
  })

  test('D22 a resource endpoint challenges a stale nonce', async () => {
    agent.forgetNonce()
    const nonce = await agent.freshNonce()
    advance(181)
    person = await Person.signIn(app, person.principalId)
    const challenged = await send('/wallet/agents', await proofFor('/wallet/agents', { nonce }))
    expect(outcome(challenged)).toEqual(refusal('/wallet/agents', 'use_dpop_nonce'))
  })

  test('D24 a client that always takes the newest nonce is never challenged', async () => {
    agent.forgetNonce()
    const first = await agent.freshNonce()
    let nonce = first
    for (let round = 0; round < 5; round += 1) {
      advance(80)
      const answer = await send('/oauth/par', await proofFor('/oauth/par', { nonce }))
      expect(answer.status, answer.text).toBe(201)
      nonce = answer.headers.get('dpop-nonce') ?? ''
    }
    expect(nonce).not.toBe(first)
  })
})

describe('behind a proxy', () => {
  const PUBLIC_URL = 'https://pay.example'
  let local: string
  withApp(
    async (started) => {
      app = started
      local = `http://127.0.0.1:${app.platform.config.port}`
      agent = await readyAgent({ baseUrl: local, operatorToken: app.operatorToken, clock: app.clock })
    },
    { BASE_URL: PUBLIC_URL, SANDBOX_PUBLIC: 'true' },
  )

  async function push(htu: string, lines: readonly (readonly [string, string])[] = []) {
    const { form } = await agent.purchase({ merchant: 'https://shop.example' })
    const own = { resource: 'https://shop.example', client_assertion: await agent.assertion({ aud: PUBLIC_URL }) }
    const nonce = await agent.freshNonce()
    const dpop = await agent.proof('POST', `${local}/oauth/par`, { nonce, claims: { htu } })
    const parts = {
      headers: { 'content-type': 'application/x-www-form-urlencoded', dpop },
      body: await clientForm(app, agent, { ...form, ...own }),
    }
    return sendLines(`${local}/oauth/par`, 'POST', parts, lines)
  }

  const forwarded = [
    ['x-forwarded-host', 'evil.example'],
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '443'],
    ['forwarded', 'host=evil.example;proto=https'],
  ] as const

  test.each([
    ['D14 the public address', `${PUBLIC_URL}/oauth/par`],
    ['D11 the public address with the default port', `${PUBLIC_URL}:443/oauth/par`],
    ['D11 the public address with an empty port', `${PUBLIC_URL}:/oauth/par`],
    ['D11 the public address in another spelling', 'HTTPS://Pay.Example:443/oauth/./x/../par'],
  ])('%s is accepted as htu, and forwarding headers change nothing', async (_name, htu) => {
    for (const lines of [[], forwarded]) {
      const answer = await push(htu, lines)
      expect(answer.status, answer.text).toBe(201)
    }
  })

  test.each([
    ['D13 http for https', 'http://pay.example/oauth/par'],
    ['D11 the default port of http', `${PUBLIC_URL}:80/oauth/par`],
    ['D14 the address behind the proxy', () => `${local}/oauth/par`],
    ['D14 the host of the headers', 'https://evil.example/oauth/par'],
  ])('%s is refused as htu, and forwarding headers change nothing', async (_name, htu) => {
    for (const lines of [[], forwarded]) {
      expect(outcome(await push(typeof htu === 'string' ? htu : htu(), lines))).toEqual(refusal('/oauth/par'))
    }
  })
})

function hmac(secret: string) {
  return (input: Buffer) => createHmac('sha256', secret).update(input).digest()
}

function swapPayload(jws: string, claims: Record<string, unknown>): string {
  const [header, , signature] = jws.split('.')
  const payload = Buffer.from(JSON.stringify({ ...decodeJwt(jws), ...claims })).toString('base64url')
  return `${header}.${payload}.${signature}`
}

/** The path with some of its letters percent-encoded, those whose code has a letter itself. */
function percentEncoded(path: string): string {
  return path.replaceAll(/[j-o]/g, (letter) => `%${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase()}`)
}
