/** Certificates in the form that an authority issues. */
import { KeyObject } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { exportJWK, generateKeyPair } from 'jose'
import type { Key } from './actors'

x509.cryptoProvider.set(crypto)

/** The library, exported from here because it must be loaded after `reflect-metadata`. */
export { x509 }

/** A certificate with its key, which may issue others. */
export interface Minted {
  readonly certificate: x509.X509Certificate
  readonly key: CryptoKeyPair
  /** The certificate in the form of `x5c` and trust lists. */
  readonly base64: string
}

type CryptoKeyPair = Awaited<ReturnType<typeof generateKeyPair>>
type AlternativeNames = ConstructorParameters<typeof x509.SubjectAlternativeNameExtension>[0]

export interface MintOptions {
  readonly name?: string
  /** The issuing certificate; the certificate itself when absent. */
  readonly issuer?: Minted
  readonly alg?: 'ES256' | 'EdDSA' | 'RS256' | 'ES384'
  readonly names?: AlternativeNames
  readonly ca?: boolean
  readonly pathLength?: number
  readonly usages?: x509.KeyUsageFlags
  readonly notBefore?: Date
  readonly notAfter?: Date
  readonly extensions?: readonly x509.Extension[]
}

const DAY = 86_400_000
let serial = 1

/** Creates a certificate that is valid from yesterday for a year, unless options say otherwise. */
export async function mint(options: MintOptions = {}): Promise<Minted> {
  const { issuer, alg = 'ES256', name = `Test ${serial}` } = options
  const key = await generateKeyPair(alg, { extractable: true })
  const signer = issuer?.key.privateKey ?? key.privateKey
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: String(serial++).padStart(4, '0'),
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    notBefore: options.notBefore ?? new Date(Date.now() - DAY),
    notAfter: options.notAfter ?? new Date(Date.now() + 365 * DAY),
    publicKey: key.publicKey,
    signingKey: signer,
    signingAlgorithm: { ...signer.algorithm, hash: 'SHA-256' },
    extensions: extensionsOf(options),
  })
  return { certificate, key, base64: Buffer.from(certificate.rawData).toString('base64') }
}

function extensionsOf({ ca, pathLength, names, usages, extensions = [] }: MintOptions): x509.Extension[] {
  return [
    ...(ca === undefined ? [] : [new x509.BasicConstraintsExtension(ca, pathLength, true)]),
    ...(names === undefined ? [] : [new x509.SubjectAlternativeNameExtension(names)]),
    ...(usages === undefined ? [] : [new x509.KeyUsagesExtension(usages, true)]),
    ...extensions,
  ]
}

/** Returns the key of a certificate in the form in which tests sign. */
export async function keyOf({ key }: Minted, alg: Key['alg']): Promise<Key> {
  const jwk = await exportJWK(key.publicKey)
  return { ...key, jwk, jkt: '', alg }
}

/** Creates an access certificate with its key, as the operator provisions it. */
export async function newRelyingParty(
  options: MintOptions = {},
): Promise<{ certificate_chain: string[]; private_key: string }> {
  const root = await mint({ name: 'Hopper Root', ca: true })
  const leaf = await mint({ name: 'Grace', issuer: root, ...options })
  const key = KeyObject.from(leaf.key.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { certificate_chain: [leaf.base64, root.base64], private_key: key.toString() }
}
