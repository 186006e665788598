import { ValidationError, type ValidationIssue } from '../../base/core/errors'
import type { Outbound } from '../../base/core/platform'
import { parseRootCertificate } from '../../base/protocol/certificate-chain'
import { ProtocolError } from '../../base/protocol/errors'
import { parseJwks } from '../../base/protocol/jwks'
import type { ListedIssuerInput } from './contract'
import type { ListedIssuer } from './trust-list-store'

/**
 * Parses the issuers of a request for storage: their addresses may be fetched, their keys are public, and their roots
 * may issue certificates.
 *
 * @throws 422 with an entry for each field that cannot be used
 */
export async function parseIssuers(outbound: Outbound, issuers: readonly ListedIssuerInput[]): Promise<ListedIssuer[]> {
  const issues: ValidationIssue[] = []
  const parsed: ListedIssuer[] = []
  for (const [index, input] of issuers.entries()) {
    const refuse = (msg: string, ...path: (string | number)[]): void => {
      issues.push({ loc: ['body', 'issuers', index, ...path], msg, type: 'value_error' })
    }
    requireAddress(outbound, input.issuer, refuse)
    requireRoots(input.x5c_roots ?? [], refuse)
    parsed.push(await withParsedKeys(input, refuse))
  }
  if (issues.length > 0) throw new ValidationError(issues)
  return parsed
}

type Refuse = (msg: string, ...path: (string | number)[]) => void

/** Refuses an issuer that cannot be both an `iss` and an address: the two are compared as text. */
function requireAddress(outbound: Outbound, issuer: string, refuse: Refuse): void {
  if (/[?#]/.test(issuer)) refuse('must have neither query nor fragment', 'issuer')
  else if (!outbound.allows(issuer)) refuse('must be an https URL of a public host without userinfo', 'issuer')
}

function requireRoots(roots: readonly string[], refuse: Refuse): void {
  for (const [place, root] of roots.entries()) {
    const refusal = refusalOf(() => parseRootCertificate(root))
    if (refusal !== null) refuse(refusal, 'x5c_roots', place)
  }
}

function refusalOf(parse: () => unknown): string | null {
  try {
    parse()
    return null
  } catch (error) {
    if (error instanceof ProtocolError) return error.message
    throw error
  }
}

/** Parses the public keys of an issuer. Unknown members of keys are dropped; private ones are refused. */
async function withParsedKeys({ jwks, ...input }: ListedIssuerInput, refuse: Refuse): Promise<ListedIssuer> {
  if (jwks === undefined) return toListed(input)
  try {
    const keys = await parseJwks(jwks)
    return toListed({ ...input, jwks: { keys: keys.filter((key) => key.kty !== 'RSA') } })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    refuse(error.message, 'jwks')
    return toListed(input)
  }
}

type Optional<T> = { readonly [Name in keyof T]: T[Name] | undefined }

/** Builds a listed issuer without undefined members. */
function toListed({
  issuer,
  algs,
  vct_values,
  jwks,
  x5c_roots,
}: Pick<ListedIssuer, 'issuer' | 'algs'> & Optional<Omit<ListedIssuer, 'issuer' | 'algs'>>): ListedIssuer {
  return {
    issuer,
    algs,
    ...(vct_values !== undefined && { vct_values }),
    ...(jwks !== undefined && { jwks }),
    ...(x5c_roots !== undefined && { x5c_roots }),
  }
}
