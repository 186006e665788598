import { createHash, X509Certificate } from 'node:crypto'
import { compactVerify, decodeProtectedHeader, type JWK } from 'jose'
import { CommandError } from '../operator-client'

interface CredentialQuery {
  readonly id: string
  readonly meta: { readonly vct_values: readonly string[] }
  readonly claims?: readonly { readonly path: readonly unknown[] }[]
}

/** The claims of a request object that a wallet reads (OpenID4VP section 5). */
export interface RequestClaims {
  readonly client_id: string
  readonly nonce: string
  readonly state: string
  readonly response_uri: string
  readonly response_mode: string
  readonly iat: number
  readonly exp: number
  readonly dcql_query: {
    readonly credentials: readonly CredentialQuery[]
    /** The sets of queries that are enough together (OpenID4VP section 6.2); all queries where it is absent. */
    readonly credential_sets?: readonly {
      readonly options: readonly (readonly string[])[]
      readonly required?: boolean
    }[]
  }
  readonly transaction_data?: readonly string[]
  readonly client_metadata?: { readonly jwks?: { readonly keys: readonly JWK[] } }
  readonly [claim: string]: unknown
}

/** A request object that is signed by the leaf of its certificate chain. */
export interface RequestObject {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: RequestClaims
  /** The leaf certificate, in DER. */
  readonly leaf: Buffer
}

/**
 * Verifies the signature of a request object by the leaf of its `x5c`, without checking the issuer of that certificate.
 */
export async function decodeRequestObject(jwt: string): Promise<RequestObject> {
  const header = decodeProtectedHeader(jwt)
  const leaf = Buffer.from(header.x5c?.[0] ?? '', 'base64')
  const { payload } = await compactVerify(jwt, new X509Certificate(leaf).publicKey, { algorithms: ['ES256'] })
  return { header: { ...header }, claims: JSON.parse(Buffer.from(payload).toString()) as RequestClaims, leaf }
}

/**
 * Verifies a request object for the client that a link names, and its certificate's hash where the client id contains
 * one.
 * @throws CommandError when another party has signed it
 */
export async function verifyRequestObject(jwt: string, clientId: string): Promise<RequestObject> {
  const request = await decodeRequestObject(jwt)
  const hash = `x509_hash:${createHash('sha256').update(request.leaf).digest('base64url')}`
  const isHash = clientId.startsWith('x509_hash:')
  if (request.claims.client_id !== clientId || (isHash && clientId !== hash)) {
    throw new CommandError('The request is of another party than the link names.')
  }
  return request
}
