import { KeyObject } from 'node:crypto'

/** Certificates for trials, which no wallet outside them trusts. */
export interface TestCertificate {
  /** Leaf and anchor, base64 DER. */
  readonly chain: readonly [leaf: string, anchor: string]
  readonly privateKey: KeyObject
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const SERIAL_BYTES = 16

interface TestCertificateOptions {
  readonly host: string
  readonly notBefore: Date
  readonly notAfter: Date
  /** Returns random bytes. */
  readonly bytes: (length: number) => Buffer
}

/** Makes a trust anchor and a leaf below it that names the host. The anchor's key is not kept. */
export async function mintTestCertificate(options: TestCertificateOptions): Promise<TestCertificate> {
  // Loaded on demand, because only a sandbox needs it, once.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  const { host, notBefore, notAfter, bytes } = options
  const [anchorKeys, leafKeys] = await Promise.all([generateKeys(), generateKeys()])
  const validity = { notBefore, notAfter, signingAlgorithm: algorithm }
  const anchor = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Countersign sandbox test anchor',
    serialNumber: serialNumber(bytes),
    keys: anchorKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(anchorKeys.publicKey),
    ],
  })
  const leaf = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=Countersign sandbox',
    issuer: anchor.subject,
    serialNumber: serialNumber(bytes),
    publicKey: leafKeys.publicKey,
    signingKey: anchorKeys.privateKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }]),
      await x509.AuthorityKeyIdentifierExtension.create(anchorKeys.publicKey),
    ],
  })
  const toBase64 = ({ rawData }: { readonly rawData: ArrayBuffer }) => Buffer.from(rawData).toString('base64')
  return { chain: [toBase64(leaf), toBase64(anchor)], privateKey: KeyObject.from(leafKeys.privateKey) }
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

/** Returns a positive serial number, so the first bit is not set (RFC 5280 section 4.1.2.2). */
function serialNumber(bytes: (length: number) => Buffer): string {
  return `01${bytes(SERIAL_BYTES).toString('hex')}`
}
