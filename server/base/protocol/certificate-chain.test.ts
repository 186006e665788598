import { describe, expect, test } from 'vitest'
import { type Minted, type MintOptions, mint, x509 } from '@/test/support/certificates'
import { parseRootCertificate, verifyCertificateChain } from './certificate-chain'
import { codeOf } from './test-support'

const NOW = new Date()
const HOST = 'issuer.example'
const names = [{ type: 'dns', value: HOST } as const]
const { keyCertSign, digitalSignature, keyAgreement } = x509.KeyUsageFlags

/** Verifies a chain, leaf first, below a root and returns the outcome. */
const judge = (root: Minted, ...chain: Minted[]) =>
  codeOf(() =>
    verifyCertificateChain(
      chain.map(({ base64 }) => base64),
      { roots: [root.base64], host: HOST, now: NOW },
    ),
  )
const newRoot = (more: MintOptions = {}) => mint({ name: 'Root', ca: true, ...more })
const newAuthority = (issuer: Minted, more: MintOptions = {}) => mint({ name: 'CA', issuer, ca: true, ...more })
const newLeaf = (issuer: Minted, more: MintOptions = {}) => mint({ name: 'Leaf', issuer, names, ...more })

describe('a certificate chain', () => {
  test('a chain leads from a leaf that names the host over authorities to a root', async () => {
    const root = await newRoot()
    const authority = await newAuthority(root)
    const lower = await newAuthority(authority, { name: 'Lower' })
    const leaf = await newLeaf(lower)
    expect(judge(root, leaf, lower, authority)).toBe('accepted')
    expect(judge(authority, leaf, lower)).toBe('accepted')
    expect(judge(root, await newLeaf(root))).toBe('accepted')
    const key = verifyCertificateChain([leaf.base64, lower.base64], { roots: [authority.base64], host: HOST, now: NOW })
    expect(await crypto.subtle.exportKey('jwk', leaf.key.publicKey)).toMatchObject(key.export({ format: 'jwk' }))
  })

  test('a chain over Ed25519, P-384 and RSA certificates holds', async () => {
    for (const alg of ['EdDSA', 'ES384', 'RS256'] as const) {
      const root = await newRoot({ alg })
      const authority = await newAuthority(root, { alg })
      expect([alg, judge(root, await newLeaf(authority), authority)]).toEqual([alg, 'accepted'])
    }
  })

  test('a certificate that another with the same name signed breaks the chain', async () => {
    const [root, impostor] = [await newRoot(), await newRoot()]
    expect(judge(root, await newLeaf(impostor))).toBe('invalid_signature')
    const authority = await newAuthority(root)
    const twin = await newAuthority(root)
    expect(judge(root, await newLeaf(twin), authority)).toBe('invalid_signature')
  })

  test('an authority must be one by its basic constraints and its key usage', async () => {
    const root = await newRoot()
    for (const [more, outcome] of [
      [{ ca: true, usages: keyCertSign }, 'accepted'],
      [{ ca: false }, 'invalid_signature'],
      [{ ca: true, usages: digitalSignature }, 'invalid_signature'],
    ] as const) {
      const authority = await newAuthority(root, more)
      expect([more, judge(root, await newLeaf(authority), authority)]).toEqual([more, outcome])
    }
    const nothing = await mint({ name: 'CA', issuer: root })
    expect(judge(root, await newLeaf(nothing), nothing)).toBe('invalid_signature')
    const leaf = await newLeaf(root)
    expect(judge(root, await newLeaf(leaf), leaf)).toBe('invalid_signature')
  })

  test('the path length bounds the authorities below a root and below another authority', async () => {
    const root = await newRoot({ pathLength: 1 })
    const authority = await newAuthority(root, { pathLength: 0 })
    const lower = await newAuthority(authority, { name: 'Lower' })
    expect(judge(root, await newLeaf(authority), authority)).toBe('accepted')
    expect(judge(root, await newLeaf(lower), lower, authority)).toBe('invalid_signature')
    const narrow = await newRoot({ pathLength: 0 })
    const below = await newAuthority(narrow)
    expect(judge(narrow, await newLeaf(narrow))).toBe('accepted')
    expect(judge(narrow, await newLeaf(below), below)).toBe('invalid_signature')
  })

  test('each certificate must be within its time, the root too', async () => {
    const past = { notBefore: new Date('2020-01-01'), notAfter: new Date('2021-01-01') }
    const future = { notBefore: new Date('2100-01-01'), notAfter: new Date('2101-01-01') }
    for (const time of [past, future]) {
      const root = await newRoot()
      const authority = await newAuthority(root, time)
      expect(judge(root, await newLeaf(root, time))).toBe('invalid_signature')
      expect(judge(root, await newLeaf(authority), authority)).toBe('invalid_signature')
      const untimely = await newRoot(time)
      expect(judge(untimely, await newLeaf(untimely))).toBe('invalid_signature')
    }
  })

  test('the key of the leaf must be for signatures', async () => {
    const root = await newRoot()
    expect(judge(root, await newLeaf(root, { usages: digitalSignature }))).toBe('accepted')
    expect(judge(root, await newLeaf(root, { usages: keyAgreement }))).toBe('invalid_signature')
  })

  test('the leaf must name the host, not only in its subject, and not by a wildcard', async () => {
    const root = await newRoot()
    const named = async (list: MintOptions['names']) =>
      judge(root, await mint({ name: HOST, issuer: root, ...(list !== undefined && { names: list }) }))
    expect(await named([{ type: 'dns', value: 'other.example' }, ...names])).toBe('accepted')
    expect(await named([{ type: 'dns', value: 'ISSUER.example' }])).toBe('accepted')
    expect(await named([{ type: 'url', value: 'https://issuer.example/path' }])).toBe('accepted')
    for (const list of [
      undefined,
      [{ type: 'dns', value: '*.example' }],
      [{ type: 'dns', value: 'evil-issuer.example' }],
      [{ type: 'dns', value: 'issuer.example.evil.example' }],
      [{ type: 'dns', value: 'x, URI:https://issuer.example' }],
      [{ type: 'url', value: 'https://evil.example/, URI:https://issuer.example' }],
      [{ type: 'url', value: 'https://issuer.example@evil.example/' }],
      [{ type: 'email', value: 'a@issuer.example' }],
    ] as const) {
      expect([list, await named(list === undefined ? undefined : [...list])]).toEqual([list, 'invalid_signature'])
    }
  })

  test('a certificate that issued itself has no place in a chain', async () => {
    const root = await newRoot()
    const authority = await newAuthority(root)
    const leaf = await newLeaf(authority)
    expect(judge(root, leaf, authority, root)).toBe('malformed')
    expect(judge(await mint({ names, ca: true }), await mint({ names }))).toBe('malformed')
    const own = await mint({ names, ca: true })
    expect(judge(own, own)).toBe('malformed')
  })

  test('extensions that are critical and not understood, and name constraints, end it', async () => {
    const root = await newRoot()
    const extension = (oid: string, critical: boolean) => new x509.Extension(oid, critical, new Uint8Array([5, 0]))
    const policies = new x509.CertificatePolicyExtension(['2.5.29.32.0'], true)
    const usage = new x509.ExtendedKeyUsageExtension(['1.0.18013.5.1.2'], true)
    for (const [one, outcome] of [
      [policies, 'accepted'],
      [usage, 'accepted'],
      [extension('1.2.3.4', false), 'accepted'],
      [extension('1.2.3.4', true), 'malformed'],
      [extension('2.5.29.54', true), 'malformed'],
      [extension('2.5.29.30', true), 'malformed'],
      [extension('2.5.29.30', false), 'malformed'],
    ] as const) {
      const leaf = await newLeaf(root, { extensions: [one] })
      expect([one.type, one.critical, judge(root, leaf)]).toEqual([one.type, one.critical, outcome])
    }
    const twice = await newLeaf(root, { extensions: [extension('1.2.3.4', false), extension('1.2.3.4', false)] })
    expect(judge(root, twice)).toBe('malformed')
  })

  test('a chain of none or too many is refused before anything is verified', async () => {
    const root = await newRoot()
    const leaf = await newLeaf(root)
    expect(judge(root)).toBe('malformed')
    expect(judge(root, ...Array.from({ length: 6 }, () => leaf))).toBe('malformed')
  })

  test('texts that are no base64 of DER are refused, whatever was changed', async () => {
    const root = await newRoot()
    const { base64 } = await newLeaf(root)
    const der = Buffer.from(base64, 'base64')
    const check = (text: string) =>
      codeOf(() => verifyCertificateChain([text], { roots: [root.base64], host: HOST, now: NOW }))
    expect(check(base64)).toBe('accepted')
    const pem = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`
    const texts = ['', 'x', pem, `${base64}\n`, Buffer.concat([der, Buffer.from([0])]).toString('base64')]
    for (const text of [...texts, der.toString('base64url')]) {
      expect([text.slice(0, 20), check(text)]).toEqual([text.slice(0, 20), 'malformed'])
    }
    const outcomes = new Set<string>()
    for (let index = 0; index < der.length; index += 1) {
      const changed = Buffer.from(der)
      changed[index] = (changed[index] ?? 0) ^ 0x55
      outcomes.add(check(changed.toString('base64')))
    }
    expect([...outcomes].toSorted()).toEqual(['invalid_signature', 'malformed'])
  })
})

describe('a root certificate', () => {
  test('a root must be able to issue', async () => {
    const root = await newRoot()
    expect(codeOf(() => parseRootCertificate(root.base64))).toBe('accepted')
    for (const other of [await mint(), await mint({ ca: false })]) {
      expect(codeOf(() => parseRootCertificate(other.base64))).toBe('malformed')
    }
  })

  test('weak keys are refused', async () => {
    const key = await crypto.subtle.generateKey(
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 1024, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
      true,
      ['sign', 'verify'],
    )
    const weak = (hash: string) =>
      x509.X509CertificateGenerator.createSelfSigned({
        name: 'CN=Weak',
        keys: key,
        signingAlgorithm: { name: 'RSASSA-PKCS1-v1_5', hash },
        extensions: [new x509.BasicConstraintsExtension(true)],
      })
    const { rawData } = await weak('SHA-256')
    expect(codeOf(() => parseRootCertificate(Buffer.from(rawData).toString('base64')))).toBe('malformed')
  })

  test('signatures with SHA-1 are refused', async () => {
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) }
    const keys = await crypto.subtle.generateKey({ ...algorithm, hash: 'SHA-1' }, true, ['sign', 'verify'])
    const { rawData } = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Old',
      keys,
      signingAlgorithm: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-1' },
      extensions: [new x509.BasicConstraintsExtension(true)],
    })
    expect(codeOf(() => parseRootCertificate(Buffer.from(rawData).toString('base64')))).toBe('malformed')
  })
})
