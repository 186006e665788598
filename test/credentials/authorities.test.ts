/** Decision D10 with `trusted_authorities` (OpenID4VP section 6.1.1): who must stand behind what answers a query. */
import { beforeAll, describe, expect, test } from 'vitest'
import { must } from '../support/actors'
import { keyOf, type Minted, mint, x509 } from '../support/certificates'
import * as w from './request-world'
import { fetchRequest, respond } from './wallet'

let world: w.World
w.withWorld((opened) => {
  world = opened
})

type Authority = Readonly<Record<string, unknown>>
const withAuthorities = (...authorities: Authority[]) => {
  const [pid] = w.query()['credentials'] as object[]
  return { credentials: [{ ...pid, trusted_authorities: authorities }] }
}

/** A certificate that says which key of its issuer signed it, and how the identifier of its own key is written there. */
async function certify(issuer: Minted, options: Parameters<typeof mint>[0]): Promise<Minted> {
  const authority = await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey)
  return mint({ ...options, issuer, extensions: [authority] })
}
async function keyIdOf({ certificate }: Minted): Promise<string> {
  return Buffer.from(await certificate.publicKey.getKeyIdentifier()).toString('base64url')
}

let root: Minted
let authority: Minted
let leaf: Minted
let sdJwt: string
beforeAll(async () => {
  root = await mint({ name: 'Root', ca: true })
  authority = await certify(root, { name: 'Authority', ca: true })
  leaf = await certify(authority, { name: 'Issuer', names: [{ type: 'ip', value: '127.0.0.1' }] })
  sdJwt = await world.issuer.issue({
    vct: w.VCT,
    claims: w.claims,
    holder: world.holder,
    key: await keyOf(leaf, 'ES256'),
    x5c: [leaf.base64, authority.base64],
  })
})

const byChain = () => ({ issuer: world.issuer.issuer, algs: ['ES256'], x5c_roots: [root.base64] })
const byKey = async () => {
  const { jwk } = await keyOf(leaf, 'ES256')
  return { issuer: world.issuer.issuer, algs: ['ES256'], jwks: { keys: [jwk] } }
}

/** Presents the credential to a request with these authorities: the code of the refusal, or the region that counted. */
async function outcomeOf(...authorities: Authority[]): Promise<unknown> {
  const request = await w.newRequest(world.app, { dcql_query: withAuthorities(...authorities) })
  const { claims } = await fetchRequest(request.deep_link)
  const sent = await respond(claims, { vp_token: { pid: [await w.present({ ...world, sdJwt }, claims)] } })
  const { error, result, status } = must(await w.readResult(world.app, request), 200)
  expect([sent.status, sent.json['error']]).toEqual(status === 'verified' ? [200, undefined] : [400, error])
  return error ?? result?.['region']
}
const aki = (...values: string[]) => ({ type: 'aki', values })

describe('D10 a query with trusted_authorities of the type aki', () => {
  test('D10 is met by the identifier of any key that signed a certificate of the chain', async () => {
    await w.trust(world.app, w.REGION, [byChain()])
    expect(await outcomeOf(aki(await keyIdOf(authority)))).toBe(w.REGION)
    expect(await outcomeOf(aki('AAAA', await keyIdOf(root)))).toBe(w.REGION)
    expect(await outcomeOf(aki('AAAA'), aki(await keyIdOf(root)))).toBe(w.REGION)
  })

  test('D10 is not met by a trusted issuer of another authority: vp_token_invalid', async () => {
    await w.trust(world.app, w.REGION, [byChain()])
    const other = await mint({ ca: true })
    expect(await outcomeOf(aki(await keyIdOf(other)))).toBe('vp_token_invalid')
    // The key of the leaf signed no certificate.
    expect(await outcomeOf(aki(await keyIdOf(leaf)))).toBe('vp_token_invalid')
    expect(await outcomeOf(aki(`${await keyIdOf(authority)}=`))).toBe('vp_token_invalid')
  })

  test('D10 is not met by certificates that an issuer with keys of its own merely sends along', async () => {
    await w.trust(world.app, w.REGION, [await byKey()])
    expect(await outcomeOf(aki(await keyIdOf(authority)))).toBe('vp_token_invalid')
    await w.trust(world.app, 'Elsewhere', [byChain()])
    expect(await outcomeOf(aki(await keyIdOf(authority)))).toBe('Elsewhere')
  })
})

describe('D7 what cannot be enforced is not accepted', () => {
  test.each(['etsi_tl', 'openid_federation', 'unknown', 'AKI', '__proto__'])(
    'D7 trusted_authorities of the type %s are 422',
    async (type) => {
      const query = withAuthorities(aki('AAAA'), { type, values: ['https://trust.example'] })
      const { status, json } = await w.ask(world.app, { dcql_query: query })
      const loc = ['body', 'dcql_query', 'credentials', 0, 'trusted_authorities', 1, 'type']
      expect([status, json.detail?.[0]?.loc]).toEqual([422, loc])
    },
  )
})
