import { type KeyObject, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { parseUrl } from '../core/parse-url'
import { DER, type DerElement, readDer, readDerSequence } from './der'
import { ensure, ProtocolError } from './errors'

/** A certificate with the properties that path validation checks (RFC 5280 section 6). */
export interface Certificate {
  readonly x509: X509Certificate
  readonly publicKey: KeyObject
  readonly notBefore: Date
  readonly notAfter: Date
  /** Whether it may issue certificates. */
  readonly isCa: boolean
  /** The most certificates between it and the leaf; null without a limit. */
  readonly pathLength: number | null
  /** Whether its key may sign data other than certificates. */
  readonly signs: boolean
  /** The identifier of the issuer's key that signed it, as base64url; null when it names none. */
  readonly authorityKeyId: string | null
}

/** The DER identifiers, in hex, of extensions that are checked or only inform; name constraints are refused. */
const EXTENSION = {
  basicConstraints: '551d13',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  nameConstraints: '551d1e',
  policies: '551d20',
  authorityKeyIdentifier: '551d23',
  extendedKeyUsage: '551d25',
} as const
const UNDERSTOOD: readonly string[] = Object.values(EXTENSION).filter((oid) => oid !== EXTENSION.nameConstraints)

/** ECDSA and RSA with SHA-256, 384 and 512, and Ed25519. */
const SIGNATURES: readonly string[] = [
  ...['02', '03', '04'].map((last) => `2a8648ce3d0403${last}`),
  ...['0b', '0c', '0d'].map((last) => `2a864886f70d0101${last}`),
  '2b6570',
]
const RSA_MIN_BITS = 2048
const EC_CURVES: readonly (string | undefined)[] = ['prime256v1', 'secp384r1', 'secp521r1']

/**
 * Reads a certificate from base64 of DER, as in `x5c` (RFC 7515 section 4.1.6). Refuses weak keys and signatures, name
 * constraints and, as RFC 5280 section 4.2 requires, other critical extensions that are not supported.
 */
export function parseCertificate(text: string): Certificate {
  const bytes = Buffer.from(text, 'base64')
  ensure(bytes.toString('base64') === text, 'malformed', 'The certificate is not base64')
  const x509 = parseX509(bytes)
  ensure(x509.raw.equals(bytes), 'malformed', 'The certificate is not DER')
  const [body, signatureAlgorithm] = readDerSequence(bytes)
  ensure(body !== undefined && signatureAlgorithm !== undefined, 'malformed', 'The certificate is incomplete')
  const [oid] = readDer(signatureAlgorithm.content)
  const isStrong = oid !== undefined && SIGNATURES.includes(oid.content.toString('hex'))
  ensure(isStrong, 'malformed', 'The signature algorithm of the certificate is not accepted')
  const extensions = readExtensions(body)
  ensure(!extensions.has(EXTENSION.nameConstraints), 'malformed', 'The certificate has name constraints')
  return {
    x509,
    publicKey: readStrongKey(x509),
    notBefore: new Date(x509.validFrom),
    notAfter: new Date(x509.validTo),
    ...readBasicConstraints(extensions.get(EXTENSION.basicConstraints)),
    signs: maySign(extensions.get(EXTENSION.keyUsage)),
    authorityKeyId: readAuthorityKeyId(extensions.get(EXTENSION.authorityKeyIdentifier)),
  }
}

function parseX509(bytes: Buffer): X509Certificate {
  try {
    return new X509Certificate(bytes)
  } catch {
    throw new ProtocolError('malformed', 'The certificate cannot be read')
  }
}

function readStrongKey(x509: X509Certificate): KeyObject {
  const key = readKey(x509)
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  const isStrong =
    key.asymmetricKeyType === 'ed25519' ||
    (key.asymmetricKeyType === 'ec' && EC_CURVES.includes(namedCurve)) ||
    (key.asymmetricKeyType === 'rsa' && modulusLength >= RSA_MIN_BITS)
  ensure(isStrong, 'malformed', 'The key of the certificate is not accepted')
  return key
}

function readKey(x509: X509Certificate): KeyObject {
  try {
    return x509.publicKey
  } catch {
    throw new ProtocolError('malformed', 'The key of the certificate cannot be read')
  }
}

/**
 * Reads the values of all extensions by the hex of their names.
 * @see {@link https://www.rfc-editor.org/rfc/rfc5280#section-4.1}
 */
function readExtensions(body: DerElement): ReadonlyMap<string, Buffer> {
  const [list] = readDer(body.content).filter(({ tag }) => tag === 0xa3)
  const extensions = new Map<string, Buffer>()
  for (const { content } of list === undefined ? [] : readDerSequence(list.content)) {
    const parts = readDer(content)
    const isCritical = parts[1]?.tag === DER.boolean && parts[1].content[0] !== 0
    const name = parts[0]?.content.toString('hex') ?? ''
    const value = parts.at(-1)
    ensure(
      value?.tag === DER.octets && !extensions.has(name),
      'malformed',
      'An extension of the certificate is malformed',
    )
    const isUnderstood = !isCritical || UNDERSTOOD.includes(name)
    ensure(isUnderstood, 'malformed', 'The certificate has a critical extension that is not understood')
    extensions.set(name, value.content)
  }
  return extensions
}

function readBasicConstraints(value: Buffer | undefined): Pick<Certificate, 'isCa' | 'pathLength'> {
  const parts = value === undefined ? [] : readDerSequence(value)
  const isCa = parts[0]?.tag === DER.boolean && parts[0].content[0] !== 0
  const bound = parts.find(({ tag }) => tag === DER.integer)?.content
  ensure(bound === undefined || bound.length === 1, 'malformed', 'The path length of the certificate is malformed')
  return { isCa, pathLength: bound?.[0] ?? null }
}

/** Whether the key usage allows signatures: the first bit, or no extension at all (RFC 5280 section 4.2.1.3). */
function maySign(value: Buffer | undefined): boolean {
  if (value === undefined) return true
  const [bits] = readDer(value)
  return bits?.tag === DER.bits && ((bits.content[1] ?? 0) & 0x80) !== 0
}

/** Reads the authority's key identifier (RFC 5280 section 4.2.1.1); its name and serial number may be present too. */
function readAuthorityKeyId(value: Buffer | undefined): string | null {
  const parts = value === undefined ? [] : readDerSequence(value)
  return parts.find(({ tag }) => tag === DER.keyIdentifier)?.content.toString('base64url') ?? null
}

/** An entry of Node.js's list of names, which quotes names with a comma or other special characters. */
const ALTERNATIVE_NAME = /([A-Za-z ]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy

/** Whether the certificate names a host as DNS name, address or host of a URI (RFC 5280 section 4.2.1.6). */
export function namesHost({ x509 }: Certificate, host: string): boolean {
  const literal = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(literal) !== 0 && x509.checkIP(literal) !== undefined) return true
  if (x509.checkHost(literal, { subject: 'never', wildcards: false }) !== undefined) return true
  const names = [...(x509.subjectAltName ?? '').matchAll(ALTERNATIVE_NAME)]
  return names.some(([, kind, name = '']) => kind === 'URI' && parseUrl(name)?.hostname === host)
}
