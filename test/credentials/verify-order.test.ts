/** Decisions D6 and A7: which of two faults is told, and the bounds of a presentation. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handmadeJws, type Key, newKey } from '../support/actors'
import { NONCE, REGION, send, startWorld, stopWorld, trust, VCT, type World } from './verifier'

type Members = Record<string, unknown>

let world: World
let issuer: { readonly name: string; readonly key: Key; readonly stranger: Key }
beforeAll(async () => {
  world = await startWorld()
  const named = async () => {
    const key = await newKey('ES256')
    return { ...key, jwk: { ...key.jwk, kid: 'by-hand' } }
  }
  issuer = { name: `${world.foreign.origin}/by-hand`, key: await named(), stranger: await named() }
  const jwks = { keys: [issuer.key.jwk] }
  // The list of this issuer is signed by itself, by the same key.
  const bytes = Buffer.alloc(16, 0b01)
  world.foreign.answer('/by-hand/list', (_request, response) => {
    const status_list = { bits: 1, lst: deflateSync(bytes).toString('base64url') }
    const claims = { iss: issuer.name, sub: `${world.foreign.origin}/by-hand/list`, iat: seconds(), status_list }
    response.end(handmadeJws({ alg: 'ES256', typ: 'statuslist+jwt', kid: 'by-hand' }, claims, issuer.key))
  })
  await trust(world.app, REGION, [{ issuer: issuer.name, algs: ['ES256'], jwks }])
})
afterAll(() => stopWorld(world))

const seconds = () => Math.floor(world.app.clock.now().getTime() / 1000)
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const disclosureOf = (name: string, value: unknown) =>
  Buffer.from(JSON.stringify(['salt', name, value])).toString('base64url')
/** At index 0 it is revoked, at index 1 it is not. */
const statusAt = (idx: number) => ({ status_list: { idx, uri: `${world.foreign.origin}/by-hand/list` } })

/** What a presentation is made of; each fault changes a part of it. */
interface Parts {
  region: string
  header: Members
  claims: Members
  key: Key
  disclosures: string[]
  /** Disclosures that the issuer has signed nothing about. */
  strange: string[]
  binding: Members
  holder: Key
}

function goodParts(): Parts {
  const claims = { iss: issuer.name, vct: VCT, iat: seconds(), cnf: { jwk: world.holder.jwk }, status: statusAt(1) }
  return {
    region: REGION,
    header: { alg: 'ES256', typ: 'dc+sd-jwt', kid: 'by-hand' },
    claims,
    key: issuer.key,
    disclosures: [disclosureOf('given_name', 'Ada')],
    strange: [],
    binding: { iat: seconds(), aud: world.app.baseUrl, nonce: NONCE },
    holder: world.holder,
  }
}

function assemble({ header, claims, key, disclosures, strange, binding, holder }: Parts): string {
  const payload = { ...claims, _sd: disclosures.map(sha256), _sd_alg: 'sha-256' }
  const boundText = [handmadeJws(header, payload, key), ...disclosures, ...strange, ''].join('~')
  const kb = { sd_hash: sha256(boundText), ...binding }
  return boundText + handmadeJws({ alg: 'ES256', typ: 'kb+jwt' }, kb, holder)
}

async function outcomeOf(parts: Parts): Promise<string> {
  const body = { vp_token: { q: [assemble(parts)] }, presentation_submission: null, region: parts.region }
  const { status, json } = await send(world.app, { ...body, expected_nonce: NONCE })
  const { error_description: description } = json as { error_description?: string }
  return status === 200 ? 'verified' : `${status} ${json.error} ${description}`
}

type Fault = readonly [name: string, code: string, spoil: (parts: Parts) => void]

/** In the order in which they are looked for. */
const FAULTS: readonly Fault[] = [
  ['an unknown region', '400 region_unsupported', (parts) => void (parts.region = 'XX')],
  ['another typ', '400 vp_token_invalid', ({ header }) => void (header['typ'] = 'vc+sd-jwt')],
  ['an issuer that is not listed', '403 issuer_untrusted', ({ claims }) => void (claims['iss'] = 'https://x.example')],
  ['an alg that the issuer may not use', '400 vp_token_invalid', ({ header }) => void (header['alg'] = 'EdDSA')],
  ['an unknown kid', '400 vp_token_invalid', ({ header }) => void (header['kid'] = 'other')],
  ['the signature of another key', '400 vp_token_invalid', (parts) => void (parts.key = issuer.stranger)],
  [
    'a disclosure without a digest',
    '400 vp_token_invalid',
    ({ strange }) => void strange.push(disclosureOf('admin', true)),
  ],
  ['an exp that has passed', '400 presentation_expired', ({ claims }) => void (claims['exp'] = seconds() - 1)],
  ['no key to bind to', '400 holder_binding_missing', ({ claims }) => void (claims['cnf'] = { kid: 'x' })],
  ['a binding by another key', '400 vp_token_invalid', (parts) => void (parts.holder = issuer.stranger)],
  ['a binding of an hour ago', '400 vp_token_invalid', ({ binding }) => void (binding['iat'] = seconds() - 3_600)],
  ['another audience', '400 audience_mismatch', ({ binding }) => void (binding['aud'] = 'https://x.example')],
  ['another nonce', '400 nonce_mismatch', ({ binding }) => void (binding['nonce'] = 'other')],
  [
    'the hash of another presentation',
    '400 vp_token_invalid',
    ({ binding }) => void (binding['sd_hash'] = sha256('x')),
  ],
  ['a status that is revoked', '403 attestation_revoked', ({ claims }) => void (claims['status'] = statusAt(0))],
]

function spoiled(...faults: readonly Fault[]): Parts {
  const parts = goodParts()
  for (const [, , spoil] of faults) spoil(parts)
  return parts
}

describe('which fault is told', () => {
  test('D6 without a fault it is verified', async () => {
    expect(await outcomeOf(goodParts())).toBe('verified')
  })

  test.each(FAULTS)('D6 %s is %s', async (...fault) => {
    expect(await outcomeOf(spoiled(fault))).toMatch(new RegExp(`^${fault[1]} `))
  })

  test.each(FAULTS.map((fault, index) => [fault[0], index] as const))(
    'D6 %s is told before everything that is looked for later',
    async (_name, index) => {
      const [first, ...later] = FAULTS.slice(index)
      if (first === undefined) throw new Error('no fault')
      const alone = await outcomeOf(spoiled(first))
      for (const second of later) {
        expect([second[0], await outcomeOf(spoiled(first, second))]).toEqual([second[0], alone])
      }
    },
  )

  test('D6 a status list that cannot be read is reported last, and D13 one that comes compressed for the transport is not read', async () => {
    const parts = goodParts()
    parts.claims['status'] = { status_list: { idx: 1, uri: `${world.foreign.origin}/compressed` } }
    world.foreign.answer('/compressed', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(64))
    })
    expect(await outcomeOf(parts)).toMatch(/^503 service_unavailable /)
    parts.binding['nonce'] = 'other'
    expect(await outcomeOf(parts)).toMatch(/^400 nonce_mismatch /)
  })
})

describe('bounds', () => {
  const INVALID = /^400 vp_token_invalid /
  /** Of an issuer whom nobody trusts, so that what is told first is seen. */
  const untrusted = (parts: Parts): Parts => ({ ...parts, claims: { ...parts.claims, iss: 'https://x.example' } })
  const nested = (levels: number): unknown => (levels === 0 ? 'x' : { a: nested(levels - 1) })
  const claimsOf = (count: number) => Array.from({ length: count }, (_, index) => disclosureOf(`claim-${index}`, index))

  test('A7 64 disclosures are taken, 65 are vp_token_invalid before the trust list is asked', async () => {
    expect(await outcomeOf({ ...goodParts(), disclosures: claimsOf(64) })).toBe('verified')
    expect(await outcomeOf({ ...goodParts(), disclosures: claimsOf(65) })).toMatch(INVALID)
    expect(await outcomeOf(untrusted({ ...goodParts(), disclosures: claimsOf(65) }))).toMatch(INVALID)
  })

  test('A7 16 levels are taken, 17 are vp_token_invalid, also in a disclosure and in the key binding', async () => {
    // The payload is the first level.
    const plain = (levels: number) => {
      const parts = goodParts()
      return { ...parts, claims: { ...parts.claims, deep: nested(levels - 1) } }
    }
    expect(await outcomeOf(plain(16))).toBe('verified')
    expect(await outcomeOf(plain(17))).toMatch(INVALID)
    expect(await outcomeOf(untrusted(plain(17)))).toMatch(INVALID)
    const disclosed = (levels: number) => ({ ...goodParts(), disclosures: [disclosureOf('deep', nested(levels - 1))] })
    expect(await outcomeOf(disclosed(16))).toBe('verified')
    expect(await outcomeOf(disclosed(17))).toMatch(INVALID)
    const bound = (levels: number) => {
      const parts = goodParts()
      return { ...parts, binding: { ...parts.binding, deep: nested(levels - 1) } }
    }
    expect(await outcomeOf(bound(16))).toBe('verified')
    expect(await outcomeOf(untrusted(bound(17)))).toMatch(INVALID)
  })

  test('A7 a presentation of 64 KiB is taken, and one that is a byte larger is vp_token_invalid', async () => {
    const most = 65_536
    const ofSize = (size: number) => {
      const fill = (length: number) => ({ ...goodParts(), disclosures: [disclosureOf('filling', 'x'.repeat(length))] })
      let length = Math.floor(((size - assemble(fill(0)).length) * 3) / 4)
      while (assemble(fill(length)).length < size) length += 1
      return fill(length)
    }
    const fits = ofSize(most - 3)
    expect(assemble(fits).length).toBeLessThanOrEqual(most)
    expect(await outcomeOf(fits)).toBe('verified')
    const large = ofSize(most + 1)
    expect(assemble(large).length - most).toBeLessThan(4)
    expect(await outcomeOf(large)).toMatch(INVALID)
    expect(await outcomeOf(untrusted(ofSize(most + 200)))).toMatch(INVALID)
  })

  test('A7 a disclosure that occurs twice, and one that hides what must be plain, are vp_token_invalid', async () => {
    const [given = ''] = goodParts().disclosures
    expect(await outcomeOf({ ...goodParts(), strange: [given] })).toMatch(INVALID)
    for (const name of ['iss', 'nbf', 'exp', 'cnf', 'vct', 'status', '_sd', '...', '__proto__']) {
      const parts = goodParts()
      Reflect.deleteProperty(parts.claims, name === 'iss' || name === 'vct' || name === 'cnf' ? '' : name)
      const value = name === 'exp' || name === 'nbf' ? seconds() + 60 : 'x'
      expect([name, await outcomeOf({ ...parts, disclosures: [disclosureOf(name, value)] })]).toEqual([
        name,
        expect.stringMatching(INVALID),
      ])
    }
  })

  test('E a claim that is named __proto__ or constructor changes nothing but itself', async () => {
    const disclosures = [
      disclosureOf('constructor', { prototype: { verified: 'x' } }),
      disclosureOf('given_name', 'Ada'),
    ]
    expect(await outcomeOf({ ...goodParts(), disclosures })).toBe('verified')
    expect(({} as Members)['verified']).toBeUndefined()
  })
})
