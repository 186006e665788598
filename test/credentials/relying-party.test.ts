/** Decision D8: the access certificate that presentation requests are signed with. */
import { createHash, KeyObject, randomBytes, X509Certificate } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { decodeRequestObject } from '@/scripts/wallet/request-object'
import { sql } from '@/server/base/core/sql'
import { exchange, must, operate } from '../support/actors'
import { type App, startApp } from '../support/app'
import { type Minted, type MintOptions, mint } from '../support/certificates'
import { openTestDatabase } from '../support/database'
import { ask, newRequest, query } from './request-world'
import { fetchRequest, postForm } from './wallet'

interface Party {
  readonly provisioned: boolean
  readonly client_id: string
  readonly x5c: readonly string[]
  readonly anchor: string | null
  readonly not_after: string
  readonly detail?: readonly { readonly loc: readonly unknown[] }[]
}

const pemOf = ({ base64 }: Minted) =>
  `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
const keyOf = ({ key }: Minted) => KeyObject.from(key.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString()
const hashOf = ({ base64 }: Minted) =>
  `x509_hash:${createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64url')}`

interface Chain {
  readonly root: Minted
  readonly authority: Minted
  readonly leaf: Minted
}

async function newChain(leaf: MintOptions = {}): Promise<Chain> {
  const root = await mint({ name: 'Root', ca: true })
  const authority = await mint({ name: 'Access authority', issuer: root, ca: true })
  return { root, authority, leaf: await mint({ name: 'Verifier', issuer: authority, ...leaf }) }
}

const bodyOf = ({ root, authority, leaf }: Chain, more: object = {}) => ({
  certificate_chain: [leaf, authority, root].map(({ base64 }) => base64),
  private_key: keyOf(leaf),
  ...more,
})

let app: App
let chain: Chain
beforeAll(async () => {
  app = await startApp()
  chain = await newChain()
})
afterAll(() => app.close())
/** As if nothing had been said of it yet. */
afterEach(() => app.platform.db.query(sql`DELETE FROM relying_party`))

const set = (body: unknown) => operate<Party>(app, 'PUT', '/relying-party', body)
const show = async (of: App = app) => must(await operate<Party>(of, 'GET', '/relying-party'), 200)

/** The certificate with another object identifier in the place of id-ecPublicKey. */
const withUnknownKey = (base64: string) =>
  Buffer.from(
    Buffer.from(base64, 'base64').toString('hex').replace('2a8648ce3d0201', '2a8648ce3d027f'),
    'hex',
  ).toString('base64')

describe('the operator sets the certificate', () => {
  test('D8 the answer names the client, the chain without its anchor, and the end of the leaf', async () => {
    const { root, authority, leaf } = chain
    const saved = must(await set(bodyOf(chain)), 200)
    expect(saved).toEqual({
      provisioned: true,
      client_id: hashOf(leaf),
      x5c: [leaf.base64, authority.base64],
      anchor: root.base64,
      not_after: new Date(Math.floor(leaf.certificate.notAfter.getTime() / 1000) * 1000).toISOString(),
    })
    expect(await show()).toEqual(saved)
    const request = await newRequest(app)
    const { header, claims } = await fetchRequest(request.deep_link)
    expect([header['x5c'], claims.client_id]).toEqual([saved.x5c, saved.client_id])
    expect(claims).not.toHaveProperty('verifier_info')
  })

  test('D8 PEM is taken, and a chain without its anchor', async () => {
    const { authority, leaf } = chain
    const saved = must(await set({ certificate_chain: [pemOf(leaf), pemOf(authority)], private_key: keyOf(leaf) }), 200)
    expect([saved.x5c, saved.anchor]).toEqual([[leaf.base64, authority.base64], null])
    const alone = must(await set({ certificate_chain: [leaf.base64], private_key: keyOf(leaf) }), 200)
    expect([alone.x5c, alone.anchor]).toEqual([[leaf.base64], null])
  })

  test('D8 x509_san_dns names the host of this server, which the leaf must name', async () => {
    const prefix = { client_id_prefix: 'x509_san_dns' }
    expect((await set(bodyOf(chain, prefix))).json.detail?.[0]?.loc).toEqual(['body', 'certificate_chain'])
    const foreign = await newChain({ names: [{ type: 'dns', value: 'other.example' }] })
    expect((await set(bodyOf(foreign, prefix))).status).toBe(422)
    const named = await newChain({ names: [{ type: 'dns', value: 'localhost' }] })
    expect(must(await set(bodyOf(named, prefix)), 200).client_id).toBe('x509_san_dns:localhost')
    const request = await newRequest(app)
    expect(new URL(request.deep_link).searchParams.get('client_id')).toBe('x509_san_dns:localhost')
    const { claims } = await decodeRequestObject((await postForm(request.request_uri, {})).text)
    expect(claims.client_id).toBe('x509_san_dns:localhost')
  })

  test('D8 verifier_info travels in the request object', async () => {
    const info = [{ format: 'registration_cert', data: 'eyJ', credential_ids: ['pid'] }]
    must(await set(bodyOf(chain, { verifier_info: info })), 200)
    const { claims } = await fetchRequest((await newRequest(app)).deep_link)
    expect(claims['verifier_info']).toEqual(info)
  })

  type Case = [name: string, member: string, body: () => Promise<unknown>]
  test.each<Case>([
    ['no chain', 'certificate_chain', async () => ({ private_key: keyOf(chain.leaf) })],
    ['an empty chain', 'certificate_chain', async () => bodyOf(chain, { certificate_chain: [] })],
    ['rubbish', 'certificate_chain', async () => bodyOf(chain, { certificate_chain: ['rubbish'] })],
    [
      'a self-signed leaf',
      'certificate_chain',
      async () => ({ certificate_chain: [chain.root.base64], private_key: keyOf(chain.root) }),
    ],
    [
      'an expired leaf',
      'certificate_chain',
      async () => bodyOf(await newChain({ notAfter: new Date(Date.now() - 1000) })),
    ],
    [
      'a leaf that is not valid yet',
      'certificate_chain',
      async () => bodyOf(await newChain({ notBefore: new Date(Date.now() + 3_600_000) })),
    ],
    [
      'a leaf of another authority',
      'certificate_chain',
      async () => bodyOf({ ...chain, authority: (await newChain()).authority }),
    ],
    [
      'the chain in the wrong order',
      'certificate_chain',
      async () =>
        bodyOf(chain, { certificate_chain: [chain.leaf, chain.root, chain.authority].map((one) => one.base64) }),
    ],
    [
      'a leaf whose key is of an unknown kind',
      'certificate_chain',
      async () => bodyOf(chain, { certificate_chain: [withUnknownKey(chain.leaf.base64), chain.authority.base64] }),
    ],
    ['another key', 'private_key', async () => bodyOf(chain, { private_key: keyOf(chain.authority) })],
    ['a key that is no P-256 key', 'private_key', async () => bodyOf(await newChain({ alg: 'RS256' }))],
    ['a P-384 key', 'private_key', async () => bodyOf(await newChain({ alg: 'ES384' }))],
    ['rubbish as key', 'private_key', async () => bodyOf(chain, { private_key: 'rubbish' })],
    ['another prefix', 'client_id_prefix', async () => bodyOf(chain, { client_id_prefix: 'redirect_uri' })],
    ['verifier_info without format', 'verifier_info', async () => bodyOf(chain, { verifier_info: [{ data: 'x' }] })],
    ['an unknown member', 'extra', async () => bodyOf(chain, { extra: 1 })],
  ])('D8 %s is 422, and the certificate stays', async (_name, member, body) => {
    const before = must(await set(bodyOf(chain)), 200)
    const refused = await set(await body())
    expect(refused.status).toBe(422)
    expect(refused.json.detail?.[0]?.loc.slice(0, 2)).toEqual(['body', member])
    expect(await show()).toEqual(before)
  })

  test('D8 only the operator sees and changes it', async () => {
    const url = `${app.baseUrl}/operator/relying-party`
    const headers = { 'content-type': 'application/json' }
    for (const method of ['GET', 'DELETE']) expect((await exchange(url, { method })).status).toBe(401)
    expect((await exchange(url, { method: 'PUT', headers, body: '{}' })).status).toBe(401)
  })

  test('D8 the key is stored sealed', async () => {
    must(await set(bodyOf(chain)), 200)
    const row = await app.platform.db.prisma.relyingParty.findFirst()
    expect(row?.sealed_private_key).toMatch(/^v2\./)
    const secret = KeyObject.from(chain.leaf.key.privateKey).export({ format: 'jwk' })
    expect(JSON.stringify(row)).not.toContain(String(secret.d))
  })
})

describe('without a certificate', () => {
  test('D8 a sandbox makes a test anchor and a leaf that names its host, once, also for requests at once', async () => {
    const requests = await Promise.all(Array.from({ length: 8 }, () => newRequest(app)))
    const clients = new Set(requests.map(({ deep_link: link }) => new URL(link).searchParams.get('client_id')))
    expect(clients.size).toBe(1)
    const { x5c, anchor, client_id: clientId } = await show()
    expect([...clients]).toEqual([clientId])
    const [leaf, root] = [x5c[0], anchor].map((text) => new X509Certificate(Buffer.from(text ?? '', 'base64')))
    expect(x5c).toHaveLength(1)
    expect(leaf?.subjectAltName).toBe('DNS:localhost')
    expect([leaf?.ca, root?.ca, root && leaf?.verify(root.publicKey), root?.verify(root.publicKey)]).toEqual([
      false,
      true,
      true,
      true,
    ])
    expect(root && leaf?.checkIssued(root)).toBe(true)
  })

  test('D8 DELETE is 204, and the sandbox makes none again: 503 request_object_invalid', async () => {
    const request = await newRequest(app)
    expect((await operate(app, 'DELETE', '/relying-party')).status).toBe(204)
    expect((await operate(app, 'DELETE', '/relying-party')).status).toBe(204)
    expect(await show()).toEqual({ provisioned: false })
    for (const refused of [await ask(app, { dcql_query: query() }), await postForm(request.request_uri, {})]) {
      expect([refused.status, refused.json.error]).toEqual([503, 'request_object_invalid'])
    }
    expect((await ask(app, { dcql_query: {} })).status).toBe(422)
    must(await set(bodyOf(chain)), 200)
    expect((await ask(app, { dcql_query: query() })).status).toBe(200)
  })

  test('D8 a request that was made under another certificate is not signed with the new one', async () => {
    must(await set(bodyOf(chain)), 200)
    const request = await newRequest(app)
    must(await set(bodyOf(await newChain())), 200)
    const refused = await postForm(request.request_uri, {})
    expect([refused.status, refused.json['error']]).toEqual([503, 'request_object_invalid'])
  })

  test('D8 an expired leaf counts as none; that of the sandbox is made again', async () => {
    const own = await startApp()
    onTestFinished(() => own.close())
    const short = await newChain({ notAfter: new Date(Date.now() + 60_000) })
    const first = await show(own)
    own.clock.advance({ seconds: 400 * 86_400 })
    const second = await show(own)
    expect(second.provisioned).toBe(true)
    expect(second.client_id).not.toBe(first.client_id)
    own.clock.advance({ seconds: -400 * 86_400 })
    must(await operate(own, 'PUT', '/relying-party', bodyOf(short)), 200)
    own.clock.advance({ seconds: 61 })
    expect(await show(own)).toEqual({ provisioned: false })
    expect((await ask(own, { dcql_query: query() })).status).toBe(503)
  })

  test('D8 production makes none: 503 after the body has been validated', async () => {
    const strong = () => randomBytes(32).toString('hex')
    const env = {
      SANDBOX: 'false',
      OPERATOR_TOKEN: strong(),
      PROCESSOR_WEBHOOK_SECRET: strong(),
      RCS_CALLBACK_SECRET: strong(),
      KEY_ENCRYPTION_KEY: strong(),
    }
    const production = await startApp({ env, seed: false })
    onTestFinished(() => production.close())
    const authorization = { authorization: `Bearer ${production.operatorToken}` }
    expect((await ask(production, {}, authorization)).status).toBe(422)
    const refused = await ask(production, { dcql_query: query() }, authorization)
    expect([refused.status, refused.json.error]).toEqual([503, 'request_object_invalid'])
    expect(await show(production)).toEqual({ provisioned: false })
    must(await operate(production, 'PUT', '/relying-party', bodyOf(chain)), 200)
    expect((await ask(production, { dcql_query: query() }, authorization)).status).toBe(200)
  })

  test('D8 all processes share it, that of the sandbox too', async () => {
    const database = await openTestDatabase()
    const env = {
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      OPERATOR_TOKEN: randomBytes(32).toString('hex'),
    }
    const one = await startApp({ database, env })
    const other = await startApp({ database, env })
    onTestFinished(async () => {
      await one.close()
      await other.close()
      await database.close()
    })
    expect(await show(one)).toEqual(await show(other))
    const saved = must(await operate<Party>(one, 'PUT', '/relying-party', bodyOf(chain)), 200)
    expect(await show(other)).toEqual(saved)
    const authorization = { authorization: `Bearer ${other.operatorToken}` }
    const request = must(await ask(other, { dcql_query: query() }, authorization), 200)
    expect((await fetchRequest(request.deep_link.replace(other.baseUrl, one.baseUrl))).claims.client_id).toBe(
      saved.client_id,
    )
  })
})
