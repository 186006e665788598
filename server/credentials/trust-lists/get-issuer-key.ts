import type { KeyObject } from 'node:crypto'
import type { Platform } from '../../base/core/platform'
import { verifyCertificateChain } from '../../base/protocol/certificate-chain'
import { ensure, ProtocolError } from '../../base/protocol/errors'
import { keyFitsAlgorithm, pickKey } from '../../base/protocol/issuer-keys'
import type { PublicJwk } from '../../base/protocol/jwk'
import { importKey } from '../../base/protocol/key-import'
import { AttestationError } from './attestation-error'
import { rootsOf } from './authority-keys'
import { findPublishedKey } from './published-keys'
import type { TrustedIssuer } from './trusted-issuers'

/** The members of a JWT's header that identify its key. */
export interface IssuerKeyHeader {
  readonly alg: string
  readonly kid?: string
  readonly x5c?: readonly string[]
}

/**
 * Returns the key that an issuer signed a JWT with: from the keys or by the roots of the trust list, otherwise from the
 * keys that the issuer publishes.
 *
 * @throws AttestationError vp_token_invalid when there is none
 */
export async function getIssuerKey(
  platform: Platform,
  issuer: TrustedIssuer,
  header: IssuerKeyHeader,
  now: Date,
): Promise<KeyObject> {
  try {
    return await findKey(platform, issuer, header, now)
  } catch (error) {
    if (error instanceof ProtocolError) throw new AttestationError('vp_token_invalid', `${error.message}.`, error)
    throw error
  }
}

async function findKey(
  platform: Platform,
  issuer: TrustedIssuer,
  header: IssuerKeyHeader,
  now: Date,
): Promise<KeyObject> {
  ensure(
    issuer.algs.some((alg) => alg === header.alg),
    'invalid_signature',
    'The alg is not one of the issuer',
  )
  if (issuer.isOurs) return findOurKey(platform, header)
  if (issuer.jwks !== null) return importFound(pickKey(issuer.jwks, header))
  const roots = rootsOf(issuer)
  if (roots !== null) return keyOfChain(issuer, roots, header, now)
  return importFound(await findPublishedKey(platform, { issuer: issuer.issuer, header, now }))
}

function findOurKey({ keys }: Platform, { kid }: IssuerKeyHeader): KeyObject {
  const key = kid === undefined ? undefined : keys.find('mandate', kid)
  ensure(key !== undefined, 'invalid_signature', UNKNOWN_KEY)
  return key
}

function keyOfChain(
  { issuer }: TrustedIssuer,
  roots: readonly string[],
  { alg, x5c }: IssuerKeyHeader,
  now: Date,
): KeyObject {
  ensure(x5c !== undefined, 'malformed', 'The header has no x5c')
  const key = verifyCertificateChain(x5c, { roots, host: new URL(issuer).hostname, now })
  ensure(keyFitsAlgorithm(key, alg), 'invalid_signature', 'The alg does not fit the key of the certificate')
  return key
}

const UNKNOWN_KEY = 'The issuer has no such key'

async function importFound(jwk: PublicJwk | null): Promise<KeyObject> {
  ensure(jwk !== null, 'invalid_signature', UNKNOWN_KEY)
  return (await importKey(jwk)).key
}
