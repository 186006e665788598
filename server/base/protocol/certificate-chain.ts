import type { KeyObject } from 'node:crypto'
import { type Certificate, namesHost, parseCertificate } from './certificate'
import { ensure } from './errors'
import { CERTIFICATE_CHAIN_MAX } from './lifetimes'

/** The trusted roots, the host and the time for the verification of an `x5c` header. */
export interface CertificateTrust {
  /** The trusted root certificates, as base64 of DER. */
  readonly roots: readonly string[]
  /** The host that the leaf must name. */
  readonly host: string
  readonly now: Date
}

/**
 * Verifies an `x5c` header (RFC 7515 section 4.1.6) and returns the leaf's key: the leaf comes first, each certificate
 * is issued by the next, the last by a trusted root, which is left out; all are within their validity times and path
 * length limits (RFC 5280 section 6.1).
 */
export function verifyCertificateChain(x5c: readonly string[], { roots, host, now }: CertificateTrust): KeyObject {
  const isBounded = x5c.length >= 1 && x5c.length <= CERTIFICATE_CHAIN_MAX
  ensure(isBounded, 'malformed', `The x5c must hold 1 to ${CERTIFICATE_CHAIN_MAX} certificates`)
  const chain = x5c.map(parseCertificate)
  const isRootLeftOut = chain.every((certificate) => !isIssuedBy(certificate, certificate))
  ensure(isRootLeftOut, 'malformed', 'The x5c holds a certificate that issued itself')
  const [leaf] = chain
  const last = chain.at(-1)
  ensure(leaf !== undefined && last !== undefined, 'malformed', 'The x5c is empty')
  ensure(leaf.signs, 'invalid_signature', 'The key of the certificate is not for signatures')
  ensure(namesHost(leaf, host), 'invalid_signature', 'The certificate does not name the issuer')
  const path = chain.every((certificate, index) => index === 0 || issues(certificate, chain[index - 1], index - 1))
  ensure(path, 'invalid_signature', 'A certificate was not issued by the next one')
  ensure(
    chain.every((certificate) => isCurrent(certificate, now)),
    'invalid_signature',
    'A certificate is not valid now',
  )
  const anchors = roots.map(parseCertificate).filter((root) => isCurrent(root, now))
  const isAnchored = anchors.some((root) => issues(root, last, chain.length - 1))
  ensure(isAnchored, 'invalid_signature', 'The certificates lead to no trusted root')
  return leaf.publicKey
}

/** Reads a certificate that may serve as a trusted root. */
export function parseRootCertificate(text: string): Certificate {
  const root = parseCertificate(text)
  ensure(root.isCa, 'malformed', 'The certificate may not issue others')
  return root
}

/** Whether a certificate has issued another and may do so with `between` certificates between it and the leaf. */
function issues(issuer: Certificate, issued: Certificate | undefined, between: number): boolean {
  const isBounded = issuer.pathLength === null || between <= issuer.pathLength
  return issuer.isCa && isBounded && issued !== undefined && isIssuedBy(issued, issuer)
}

function isIssuedBy(issued: Certificate, issuer: Certificate): boolean {
  return issued.x509.checkIssued(issuer.x509) && issued.x509.verify(issuer.publicKey)
}

function isCurrent({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return now >= notBefore && now <= notAfter
}
