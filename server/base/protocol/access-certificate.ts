import { createPrivateKey, hash, type KeyObject, X509Certificate } from 'node:crypto'
import { ensure, ProtocolError } from './errors'

/**
 * The forms of a client identifier that names the requester's certificate.
 * @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#section-5.9.3}
 */
export const clientIdPrefixes = ['x509_hash', 'x509_san_dns'] as const
export type ClientIdPrefix = (typeof clientIdPrefixes)[number]

/** The certificate chain with which a relying party signs requests, as base64 of DER. */
export interface AccessChain {
  /** Leaf first, without the trust anchor. */
  readonly x5c: readonly string[]
  /** The self-signed end of the chain; null when it was not given. */
  readonly anchor: string | null
  readonly notAfter: Date
}

const CERTIFICATE_MAX_CHARS = 16_384

/**
 * Reads a chain of PEM or base64 DER certificates, leaf first: each is signed by the next one, none is outside its time, and
 * the leaf is not signed by itself (HAIP section 5). Throws `malformed`.
 */
export function readAccessChain(texts: readonly string[], now: Date): AccessChain {
  const certificates = texts.map(readCertificate)
  const [leaf] = certificates
  ensure(leaf, 'malformed', 'The certificate chain is empty')
  ensure(!isSelfSigned(leaf), 'malformed', 'The leaf certificate is self-signed')
  for (const [index, certificate] of certificates.entries()) {
    const from = Date.parse(certificate.validFrom)
    ensure(from <= now.getTime(), 'malformed', 'A certificate of the chain is not valid yet')
    ensure(endOf(certificate) > now.getTime(), 'malformed', 'A certificate of the chain has expired')
    const issuer = certificates[index + 1]
    const isIssued = issuer === undefined || (certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey))
    ensure(isIssued, 'malformed', 'A certificate of the chain is not signed by the next one')
  }
  const last = certificates.at(-1)
  const anchor = last !== undefined && isSelfSigned(last) ? last : null
  return {
    x5c: certificates.filter((certificate) => certificate !== anchor).map(toBase64),
    anchor: anchor === null ? null : toBase64(anchor),
    notAfter: new Date(endOf(leaf)),
  }
}

function readCertificate(text: string): X509Certificate {
  ensure(text.length <= CERTIFICATE_MAX_CHARS, 'malformed', 'A certificate of the chain is too long')
  const certificate = parseCertificate(text)
  ensure(hasReadableKey(certificate), 'malformed', 'The key of a certificate of the chain cannot be read')
  return certificate
}

function parseCertificate(text: string): X509Certificate {
  try {
    const isPem = text.includes('-----BEGIN')
    return new X509Certificate(isPem ? text : Buffer.from(text, 'base64'))
  } catch {
    throw new ProtocolError('malformed', 'A certificate of the chain is neither PEM nor base64 DER')
  }
}

/** Whether Node.js can read the key: it throws for an unknown algorithm, but only on the first access. */
function hasReadableKey(certificate: X509Certificate): boolean {
  try {
    return certificate.publicKey.type === 'public'
  } catch {
    return false
  }
}

const isSelfSigned = (certificate: X509Certificate): boolean => certificate.verify(certificate.publicKey)
const endOf = ({ validTo }: X509Certificate): number => Date.parse(validTo)
const toBase64 = ({ raw }: X509Certificate): string => raw.toString('base64')

/**
 * Returns the client identifier of a leaf certificate: its hash, or the DNS name that it shares with the address of
 * responses. Throws `malformed` when it names another host.
 */
export function clientIdOf(leaf: string, prefix: ClientIdPrefix, host: string): string {
  const der = Buffer.from(leaf, 'base64')
  if (prefix === 'x509_hash') return `x509_hash:${hash('sha256', der, 'base64url')}`
  const named = new X509Certificate(der).checkHost(host, { subject: 'never', wildcards: false })
  ensure(named !== undefined, 'malformed', 'The leaf certificate does not name the host of this server')
  return `x509_san_dns:${host}`
}

/** Reads the PKCS#8 key of a leaf certificate. Throws `malformed` unless it is P-256 and matches the certificate. */
export function readAccessKey(pem: string, leaf: string): KeyObject {
  const key = parseKey(pem)
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  ensure(isP256, 'malformed', 'The private key is not a P-256 key')
  const isOwn = new X509Certificate(Buffer.from(leaf, 'base64')).checkPrivateKey(key)
  ensure(isOwn, 'malformed', 'The private key is not that of the leaf certificate')
  return key
}

function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, format: 'pem' })
  } catch {
    throw new ProtocolError('malformed', 'The private key is not PKCS#8 in PEM')
  }
}
