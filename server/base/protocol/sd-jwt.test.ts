import { createHash, randomBytes } from 'node:crypto'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJws } from './eddsa'
import { decodeBase64url, encodeBase64url, type JsonObject, sha256Base64url } from './encoding'
import type { PublicJwk } from './jwk'
import { verifyJws } from './jws'
import { importKey } from './key-import'
import { createDisclosures, issueSdJwt, parseDisclosures, processSdJwt, splitSdJwt } from './sd-jwt'
import { codeOf, ed25519Key, isEd25519Signature, signBytes } from './test-support'

const key = ed25519Key()
const salt = (count: number) => Buffer.alloc(count, 7)
const issue = (claims: JsonObject, disclosable: JsonObject) =>
  issueSdJwt({ typ: 'dc+sd-jwt', claims, disclosures: createDisclosures(disclosable, randomBytes), key })

/** Returns a disclosure and its digest. */
function hide(...content: unknown[]): { text: string; digest: string } {
  const text = encodeBase64url(JSON.stringify(content))
  return { text, digest: sha256Base64url(text) }
}
const process = (payload: JsonObject, ...hidden: { text: string }[]) =>
  processSdJwt({ payload, disclosures: parseDisclosures(hidden.map(({ text }) => text)), plainOnly: ['exp', 'cnf'] })
const refused = (payload: JsonObject, ...hidden: { text: string }[]) => codeOf(() => process(payload, ...hidden))

describe('RFC 9901 section 5', () => {
  const issuerKey: PublicJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: 'b28d4MwZMjw8-00CG4xfnn9SLMVMM19SlqZpVb_uNtQ',
    y: 'Xv5zWwuoaTgdS6hV43yI6gBwTnjukmFQQnJ_kCxzqk8',
  }
  const holderKey: PublicJwk = {
    kty: 'EC',
    crv: 'P-256',
    x: 'TCAER19Zvu3OHF4j4W4vfSVoHIP1ILilDls7vCeGemc',
    y: 'ZxjiWWbZMQGHVWKVQ4hbSIirsVfuecCE6t4jT9F2HZQ',
  }
  const jwt =
    'eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImV4YW1wbGUrc2Qtand0In0.eyJfc2QiOiBbIkNyUWU3UzVrcUJBSHQtbk1ZWGdjNmJkdDJTSDVhVFkxc1VfTS1QZ2tqUEkiLCAiSnpZakg0c3ZsaUgwUjNQeUVNZmVadTZKdDY5dTVxZWhabzdGN0VQWWxTRSIsICJQb3JGYnBLdVZ1Nnh5bUphZ3ZrRnNGWEFiUm9jMkpHbEFVQTJCQTRvN2NJIiwgIlRHZjRvTGJnd2Q1SlFhSHlLVlFaVTlVZEdFMHc1cnREc3JaemZVYW9tTG8iLCAiWFFfM2tQS3QxWHlYN0tBTmtxVlI2eVoyVmE1TnJQSXZQWWJ5TXZSS0JNTSIsICJYekZyendzY002R242Q0pEYzZ2Vks4QmtNbmZHOHZPU0tmcFBJWmRBZmRFIiwgImdiT3NJNEVkcTJ4Mkt3LXc1d1BFemFrb2I5aFYxY1JEMEFUTjNvUUw5Sk0iLCAianN1OXlWdWx3UVFsaEZsTV8zSmx6TWFTRnpnbGhRRzBEcGZheVF3TFVLNCJdLCAiaXNzIjogImh0dHBzOi8vaXNzdWVyLmV4YW1wbGUuY29tIiwgImlhdCI6IDE2ODMwMDAwMDAsICJleHAiOiAxODgzMDAwMDAwLCAic3ViIjogInVzZXJfNDIiLCAibmF0aW9uYWxpdGllcyI6IFt7Ii4uLiI6ICJwRm5kamtaX1ZDem15VGE2VWpsWm8zZGgta284YUlLUWM5RGxHemhhVllvIn0sIHsiLi4uIjogIjdDZjZKa1B1ZHJ5M2xjYndIZ2VaOGtoQXYxVTFPU2xlclAwVmtCSnJXWjAifV0sICJfc2RfYWxnIjogInNoYS0yNTYiLCAiY25mIjogeyJqd2siOiB7Imt0eSI6ICJFQyIsICJjcnYiOiAiUC0yNTYiLCAieCI6ICJUQ0FFUjE5WnZ1M09IRjRqNFc0dmZTVm9ISVAxSUxpbERsczd2Q2VHZW1jIiwgInkiOiAiWnhqaVdXYlpNUUdIVldLVlE0aGJTSWlyc1ZmdWVjQ0U2dDRqVDlGMkhaUSJ9fX0.MczwjBFGtzf-6WMT-hIvYbkb11NrV1WMO-jTijpMPNbswNzZ87wY2uHz-CXo6R04b7jYrpj9mNRAvVssXou1iw'
  const kbJwt =
    'eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImtiK2p3dCJ9.eyJub25jZSI6ICIxMjM0NTY3ODkwIiwgImF1ZCI6ICJodHRwczovL3ZlcmlmaWVyLmV4YW1wbGUub3JnIiwgImlhdCI6IDE3NDg1MzcyNDQsICJzZF9oYXNoIjogIjBfQWYtMkItRWhMV1g1eWRoX3cyeHp3bU82aU02NkJfMlFDRWFuSTRmVVkifQ.T3SIus2OidNl41nmVkTZVCKKhOAX97aOldMyHFiYjHm261eLiJ1YiuONFiMN8QlCmYzDlBLAdPvrXh52KaLgUQ'
  const familyName = 'WyJlbHVWNU9nM2dTTklJOEVZbnN4QV9BIiwgImZhbWlseV9uYW1lIiwgIkRvZSJd'
  const address =
    'WyJBSngtMDk1VlBycFR0TjRRTU9xUk9BIiwgImFkZHJlc3MiLCB7InN0cmVldF9hZGRyZXNzIjogIjEyMyBNYWluIFN0IiwgImxvY2FsaXR5IjogIkFueXRvd24iLCAicmVnaW9uIjogIkFueXN0YXRlIiwgImNvdW50cnkiOiAiVVMifV0'
  const givenName = 'WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiSm9obiJd'
  const nationality = 'WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIlVTIl0'

  test('RFC 9901 5.2: the presentation verifies and is processed as printed', async () => {
    const parts = splitSdJwt([jwt, familyName, address, givenName, nationality, kbJwt].join('~'))
    const jws = decodeJws(parts.issuerJwt)
    await verifyJws(jws, { key: (await importKey(issuerKey)).key, algorithms: ['ES256'] })
    const { payload, disclosed } = processSdJwt({
      payload: jws.payload,
      disclosures: parseDisclosures(parts.disclosures),
      plainOnly: [],
    })
    const fromDisclosures = {
      family_name: 'Doe',
      address: { street_address: '123 Main St', locality: 'Anytown', region: 'Anystate', country: 'US' },
      given_name: 'John',
    }
    expect(payload).toEqual({
      iss: 'https://issuer.example.com',
      iat: 1_683_000_000,
      exp: 1_883_000_000,
      sub: 'user_42',
      nationalities: ['US'],
      cnf: { jwk: holderKey },
      ...fromDisclosures,
    })
    expect(disclosed).toEqual(fromDisclosures)
  })

  test('RFC 9901 5.2: the key binding verifies and its sd_hash is that of the presentation', async () => {
    const { boundText, keyBindingJwt } = splitSdJwt([jwt, familyName, address, givenName, nationality, kbJwt].join('~'))
    const jws = decodeJws(keyBindingJwt ?? '')
    await verifyJws(jws, { key: (await importKey(holderKey)).key, algorithms: ['ES256'] })
    expect(jws.payload['sd_hash']).toBe(sha256Base64url(boundText))
  })

  test('RFC 9901 4.2.3: the digests of the disclosures', () => {
    expect(sha256Base64url(givenName)).toBe('jsu9yVulwQQlhFlM_3JlzMaSFzglhQG0DpfayQwLUK4')
    expect(sha256Base64url(nationality)).toBe('pFndjkZ_VCzmyTa6UjlZo3dh-ko8aIKQc9DlGzhaVYo')
    expect(sha256Base64url('WyI2cU1RdlJMNWhhaiIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0')).toBe(
      'uutlBuYeMDyjLLTpf6Jxi7yNkEF35jdyWMn9U7b_RYY',
    )
  })
})

describe('issuing', () => {
  test('issuing hides what is disclosable and shows the rest', () => {
    const text = issueSdJwt({
      typ: 'dc+sd-jwt',
      claims: { iss: 'a' },
      disclosures: createDisclosures({ b: 1, c: [2] }, salt),
      key,
    })
    const [jwt = '', first = '', second = '', last] = text.split('~')
    const { header, payload } = decodeJws(jwt)
    const shown = encodeBase64url(Buffer.alloc(16, 7))
    expect(header).toEqual({ alg: 'EdDSA', typ: 'dc+sd-jwt', kid: key.kid })
    expect([first, second].map((part) => JSON.parse(decodeBase64url(part).toString()))).toEqual([
      [shown, 'b', 1],
      [shown, 'c', [2]],
    ])
    expect(payload).toEqual({
      iss: 'a',
      _sd: [first, second].map((part) => sha256Base64url(part)).toSorted(),
      _sd_alg: 'sha-256',
    })
    expect(last).toBe('')
  })

  test('issuing without disclosures still ends with a tilde', () => {
    const text = issue({ iss: 'a' }, {})
    expect(text.split('~')).toHaveLength(2)
    expect(decodeJws(text.slice(0, -1)).payload).toEqual({ iss: 'a', _sd_alg: 'sha-256' })
  })

  test.each([
    ['a reserved name', {}, { _sd: 1 }],
    ['a name that is taken', { a: 1 }, { a: 2 }],
    ['too many disclosures', {}, Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`c${index}`, 1]))],
  ])('issuing is refused with %s', (_name, claims, disclosable) => {
    expect(() => issue(claims, disclosable)).toThrow('invariant')
  })

  test('processing any part of the disclosures gives exactly those claims', () => {
    const names = fc
      .string({ minLength: 1, maxLength: 10 })
      .filter((name) => !['_sd', '...', '_sd_alg', '__proto__', 'plain'].includes(name))
    const wellFormed = (value: unknown) =>
      !/\\ud[89a-f]/.test(JSON.stringify(value)) && !/"(_sd|\.\.\.|_sd_alg|__proto__)":/.test(JSON.stringify(value))
    const isKept = (value: unknown) => typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER
    const json = fc
      .jsonValue({ maxDepth: 3 })
      .filter(wellFormed)
      .map((value): unknown => JSON.parse(JSON.stringify(value), (_, one: unknown) => (isKept(one) ? one : 0)))
    const claims = fc.dictionary(names, json, { maxKeys: 8 })
    fc.assert(
      fc.property(claims, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (disclosable, choice) => {
        const own = { ...disclosable }
        const { issuerJwt, disclosures } = splitSdJwt(issue({ plain: 1 }, own))
        const shown = disclosures.filter((_, index) => choice[index])
        const wanted = Object.fromEntries(Object.entries(own).filter((_, index) => choice[index]))
        const result = processSdJwt({
          payload: decodeJws(issuerJwt, { maxBytes: 65_536 }).payload,
          disclosures: parseDisclosures(shown),
          plainOnly: [],
        })
        expect(result.disclosed).toEqual(JSON.parse(JSON.stringify(wanted)))
        expect(result.payload).toEqual({ plain: 1, ...JSON.parse(JSON.stringify(wanted)) })
      }),
    )
  })
})

describe('splitting', () => {
  test('splitting tells a bare SD-JWT from a bound one', () => {
    expect(splitSdJwt('a~')).toEqual({ issuerJwt: 'a', disclosures: [], keyBindingJwt: null, boundText: 'a~' })
    expect(splitSdJwt('a~b~c')).toEqual({ issuerJwt: 'a', disclosures: ['b'], keyBindingJwt: 'c', boundText: 'a~b~' })
  })

  test.each([
    ['nothing', ''],
    ['a JWT', 'a.b.c'],
    ['a tilde', '~'],
    ['no JWT', '~b~'],
    ['an empty disclosure', 'a~~'],
    ['65 disclosures', `a~${'b~'.repeat(65)}`],
    ['more than 64 KiB', `a~${'b'.repeat(65_536)}~`],
  ])('splitting refuses %s', (_name, text) => {
    expect(codeOf(() => splitSdJwt(text))).toBe('malformed')
  })
})

describe('processing', () => {
  const given = hide('salt', 'given', 'Ada')
  const family = hide('salt', 'family', 'Lovelace')
  const item = hide('salt', 'item')

  test('processing resolves nested and recursive disclosures, and drops the digests left over', () => {
    const inner = hide('salt', 'street', 'Main St')
    const outer = hide('salt', 'address', { _sd: [inner.digest, 'decoy'], country: 'US' })
    const payload = {
      _sd: [outer.digest, given.digest],
      list: [{ '...': item.digest }, { '...': 'decoy-2' }, 'plain'],
      empty: { _sd: ['decoy-3'] },
    }
    const result = process(payload, item, outer, inner)
    expect(result.payload).toEqual({
      address: { street: 'Main St', country: 'US' },
      list: ['item', 'plain'],
      empty: {},
    })
    expect(result.disclosed).toEqual({ address: { street: 'Main St', country: 'US' } })
  })

  test('processing resolves an array element within an array element', () => {
    const inner = hide('salt', 1)
    const outer = hide('salt', [{ '...': inner.digest }])
    expect(process({ a: [{ '...': outer.digest }] }, outer, inner).payload).toEqual({ a: [[1]] })
  })

  test.each<[string, JsonObject, { text: string }[]]>([
    ['a disclosure that nothing refers to', { _sd: [given.digest] }, [given, family]],
    ['a nested disclosure without its parent', { _sd: [hide('s', 'a', { _sd: [given.digest] }).digest] }, [given]],
    ['a disclosure that occurs twice', { _sd: [given.digest] }, [given, given]],
    ['a digest that occurs twice', { _sd: [given.digest, given.digest] }, [given]],
    ['a digest that occurs at two levels', { _sd: [given.digest], a: { _sd: [given.digest] } }, [given]],
    ['a decoy that occurs twice', { _sd: ['decoy', 'decoy'] }, []],
    ['a name that is taken', { _sd: [given.digest], given: 'Eve' }, [given]],
    [
      'a name that two disclosures take',
      { _sd: [given.digest, hide('other', 'given', 1).digest] },
      [given, hide('other', 'given', 1)],
    ],
    ['the name _sd', { _sd: [hide('s', '_sd', []).digest] }, [hide('s', '_sd', [])]],
    ['the name ...', { _sd: [hide('s', '...', 'x').digest] }, [hide('s', '...', 'x')]],
    ['the name _sd_alg', { _sd: [hide('s', '_sd_alg', 'x').digest] }, [hide('s', '_sd_alg', 'x')]],
    ['the name __proto__', { _sd: [hide('s', '__proto__', {}).digest] }, [hide('s', '__proto__', {})]],
    ['a claim that must be plain', { _sd: [hide('s', 'exp', 9).digest] }, [hide('s', 'exp', 9)]],
    ['a name in an array element', { a: [{ '...': given.digest }] }, [given]],
    ['no name in an object', { _sd: [item.digest] }, [item]],
    ['a digest that is no string', { _sd: [1] }, []],
    ['digests that are no array', { _sd: given.digest }, [given]],
    ['digests that are an object', { _sd: {} }, []],
    ['digests that are null', { _sd: null }, []],
    ['digests that are a text', { _sd: 'ab' }, []],
    ['an element with more than a digest', { a: [{ '...': item.digest, b: 1 }] }, [item]],
    ['an element whose digest is no string', { a: [{ '...': 1 }] }, []],
    ['... outside an array', { a: { '...': item.digest } }, [item]],
    ['_sd_alg below the top', { a: { _sd_alg: 'sha-256' } }, []],
    ['another hash', { _sd_alg: 'sha-512' }, []],
    ['a hash that is no string', { _sd_alg: null }, []],
    ['a disclosure that is no array', { _sd: [] }, [{ text: encodeBase64url('{}') }]],
    ['a disclosure that is no JSON', { _sd: [] }, [{ text: 'AAAA' }]],
    ['a disclosure that is no base64url', { _sd: [] }, [{ text: '%' }]],
    ['a disclosure of one element', { _sd: [hide('s').digest] }, [hide('s')]],
    ['a disclosure of four elements', { _sd: [hide('s', 'a', 1, 2).digest] }, [hide('s', 'a', 1, 2)]],
    ['a salt that is no string', { _sd: [hide(1, 'a', 1).digest] }, [hide(1, 'a', 1)]],
    ['a name that is no string', { _sd: [hide('s', 1, 1).digest] }, [hide('s', 1, 1)]],
  ])('processing refuses %s', (_name, payload, hidden) => {
    expect(refused(payload, ...hidden)).toBe('malformed')
  })

  test('processing allows what must be plain at the top to be hidden further down', () => {
    const exp = hide('s', 'exp', 9)
    expect(process({ card: { _sd: [exp.digest] } }, exp).payload).toEqual({ card: { exp: 9 } })
  })

  test('processing bounds nesting, also through disclosures', () => {
    const nest = (depth: number): JsonObject => (depth === 1 ? {} : { a: nest(depth - 1) })
    expect(refused(nest(16))).toBe('accepted')
    expect(refused(nest(17))).toBe('malformed')
    const nestArrays = (depth: number): unknown => (depth === 0 ? 1 : [nestArrays(depth - 1)])
    expect(refused({ a: nestArrays(15) })).toBe('accepted')
    expect(refused({ a: nestArrays(16) })).toBe('malformed')
    const chain = [hide('s', 'a', 1)]
    for (let depth = 0; depth < 20; depth += 1) chain.unshift(hide('s', 'a', { _sd: [chain[0]?.digest] }))
    expect(refused({ _sd: [chain[0]?.digest] }, ...chain)).toBe('malformed')
  })

  test('processing bounds the number of disclosures', () => {
    const many = Array.from({ length: 65 }, (_, index) => hide('s', `c${index}`, 1))
    expect(refused({ _sd: many.map(({ digest }) => digest) }, ...many)).toBe('malformed')
    expect(refused({ _sd: many.map(({ digest }) => digest) }, ...many.slice(1))).toBe('accepted')
  })
})

describe('@sd-jwt/sd-jwt-vc agrees', () => {
  const library = new SDJwtVcInstance({
    signer: (data: string) => encodeBase64url(signBytes(Buffer.from(data), key.privateKey)),
    verifier: (data: string, signature: string) =>
      isEd25519Signature(key.publicKey, Buffer.from(data), decodeBase64url(signature)),
    signAlg: 'EdDSA',
    hasher: (data: string | ArrayBuffer, alg: string) =>
      createHash(alg.replace('-', ''))
        .update(typeof data === 'string' ? data : Buffer.from(data))
        .digest(),
    hashAlg: 'sha-256',
    saltGenerator: (length: number) => encodeBase64url(randomBytes(length)),
  })

  test('@sd-jwt/sd-jwt-vc agrees with what we issue', async () => {
    const text = issue({ iss: 'https://a.example', vct: 'https://a.example/vct' }, { given: 'Ada', list: [{ a: 1 }] })
    const { payload } = await library.verify(text)
    expect(payload).toEqual({ iss: 'https://a.example', vct: 'https://a.example/vct', given: 'Ada', list: [{ a: 1 }] })
  })

  test('we agree with what @sd-jwt/sd-jwt-vc issues', async () => {
    const claims = {
      iss: 'https://a.example',
      vct: 'https://a.example/vct',
      given: 'Ada',
      list: ['a', 'b'],
      address: { street: 'x', city: 'y' },
    }
    const frame = {
      _sd: ['given' as const, 'address' as const],
      list: { _sd: [0] },
      address: { _sd: ['street' as const] },
    }
    const { issuerJwt, disclosures } = splitSdJwt(await library.issue(claims, frame))
    const { payload } = processSdJwt({
      payload: decodeJws(issuerJwt).payload,
      disclosures: parseDisclosures(disclosures),
      plainOnly: [],
    })
    expect(payload).toEqual(claims)
  })
})
