import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import { type AttestationErrorCode, ProtocolError } from '../../base/protocol/errors'
import { PRESENTATIONS_MAX } from '../../base/protocol/lifetimes'
import {
  type ExpectedBinding,
  type ParsedPresentation,
  parsePresentation,
  type StatusReference,
  type VerifiedPresentation,
  verifyPresentation,
} from '../../base/protocol/presentation'
import { getIssuerKey, isBackedBy, readForeignStatus, readTrustedIssuers, type TrustedIssuer } from '../trust-lists'
import type { PresentationResult, VerifiedPresentations } from './verify-contract'

export type { ExpectedBinding } from '../../base/protocol/presentation'

type VerifierCall = Pick<Call, 'platform' | 'now'>

/** A presentation as received, with the id of the query that it answers. */
export interface PresentationToVerify {
  readonly id?: string
  readonly compact: string
  /** The key identifiers of the authorities, of which one must back the issuer; absent when any may. */
  readonly authorityKeyIds?: readonly string[]
}

/** The form of a region's name. */
const REGION = /^[A-Za-z0-9-]{1,32}$/

/** An issuer as one region trusts it. */
interface Trust {
  readonly region: string
  readonly issuer: TrustedIssuer
}

/** A well-formed presentation. */
interface Parsed {
  readonly id: string | undefined
  readonly parsed: ParsedPresentation
  readonly authorityKeyIds: readonly string[] | undefined
}

/** A presentation that is valid but for its status, which is not checked yet, with the trust that makes it valid. */
interface CheckedPresentation extends Parsed {
  readonly verified: VerifiedPresentation
  readonly trust: Trust
}

/**
 * Verifies the presentations of one response; all must be valid. In this order: region, form, trust list, issuer
 * signature, disclosures, times, key binding, and last, once all the rest is verified for every presentation, the
 * status.
 *
 * @param options.regions the regions whose issuers are trusted
 * @throws ServiceError with the code of what is wrong; 503 when a status cannot be read
 */
export async function verifyPresentations(
  call: VerifierCall,
  presentations: readonly PresentationToVerify[],
  { regions, expected }: { readonly regions: readonly string[]; readonly expected: ExpectedBinding },
): Promise<VerifiedPresentations> {
  return verifyTrusted(call, presentations, { trusted: await readTrusted(call, regions), expected })
}

/**
 * Returns the issuers that the regions trust. @throws ServiceError `region_unsupported` when a region is not configured
 */
export async function readTrusted(call: VerifierCall, regions: readonly string[]): Promise<readonly Trust[]> {
  const lists = await Promise.all(
    regions.map(async (region) => {
      const issuers = REGION.test(region) ? await readTrustedIssuers(call, region) : null
      if (issuers === null) throw new ServiceError('region_unsupported', 'No trust list is configured for this region.')
      return issuers.map((issuer) => ({ region, issuer }))
    }),
  )
  return lists.flat()
}

/** Verifies as {@link verifyPresentations} does, with issuers that were read already. */
export async function verifyTrusted(
  call: VerifierCall,
  presentations: readonly PresentationToVerify[],
  { trusted, expected }: { readonly trusted: readonly Trust[]; readonly expected: ExpectedBinding },
): Promise<VerifiedPresentations> {
  if (presentations.length === 0 || presentations.length > PRESENTATIONS_MAX) {
    throw new ServiceError('vp_token_invalid', `A vp_token holds 1 to ${PRESENTATIONS_MAX} presentations.`)
  }
  const parsed = await wordingRefusals(() =>
    presentations.map(({ id, compact, authorityKeyIds }) => ({
      id,
      parsed: parsePresentation(compact),
      authorityKeyIds,
    })),
  )
  const checked: CheckedPresentation[] = []
  for (const presentation of parsed) {
    checked.push({ ...presentation, ...(await verifyUnderTrust(call, presentation, { trusted, expected })) })
  }
  const results: PresentationResult[] = []
  for (const presentation of checked) results.push(await completeResult(call, presentation))
  const [first] = results
  if (first === undefined) throw new ServiceError('vp_token_invalid', 'The vp_token holds no presentation.')
  const { id: _id, ...answer } = first
  return { ...answer, presentations: results }
}

/**
 * Verifies under each region that trusts the issuer for this type until one succeeds: keys and algorithms may differ.
 */
async function verifyUnderTrust(
  call: VerifierCall,
  presentation: Parsed,
  { trusted, expected }: { readonly trusted: readonly Trust[]; readonly expected: ExpectedBinding },
): Promise<Pick<CheckedPresentation, 'verified' | 'trust'>> {
  const candidates = trusted.filter(({ issuer }) => isTrustedFor(issuer, presentation.parsed))
  const refusals: unknown[] = []
  for (const trust of candidates) {
    try {
      const verified = await wordingRefusals(() => verifyUnder(call, presentation, { trust, expected }))
      return { verified, trust }
    } catch (error) {
      refusals.push(error)
    }
  }
  if (refusals.length === 0) throw new ServiceError('issuer_untrusted', 'The region does not trust this issuer.')
  throw mostTelling(refusals)
}

function isTrustedFor({ issuer, vctValues }: TrustedIssuer, parsed: ParsedPresentation): boolean {
  return issuer === parsed.issuer && (vctValues === null || vctValues.includes(parsed.vct))
}

/** Returns the most specific refusal: under another region's keys every signature is merely invalid. */
function mostTelling(refusals: readonly unknown[]): unknown {
  const isTelling = (error: unknown) => !(error instanceof ServiceError) || error.code !== 'vp_token_invalid'
  return refusals.find(isTelling) ?? refusals[0]
}

async function verifyUnder(
  { platform, now }: VerifierCall,
  { parsed, authorityKeyIds }: Parsed,
  { trust: { issuer }, expected }: { readonly trust: Trust; readonly expected: ExpectedBinding },
): Promise<VerifiedPresentation> {
  const verified = await verifyPresentation(parsed, {
    algorithms: issuer.algs,
    findKey: (header) => getIssuerKey(platform, issuer, header, now),
    binding: expected,
    now,
  })
  if (authorityKeyIds !== undefined && !isBackedBy(authorityKeyIds, issuer, parsed.header)) {
    throw new ServiceError('vp_token_invalid', 'The attestation was not issued under a trusted authority of the query.')
  }
  return verified
}

async function completeResult(
  call: VerifierCall,
  { id, parsed, verified, trust }: CheckedPresentation,
): Promise<PresentationResult> {
  const { keyBinding, transactionDataHashes } = verified
  return {
    ...(id !== undefined && { id }),
    verified: true,
    format: 'dc+sd-jwt',
    vct: parsed.vct,
    issuer: parsed.issuer,
    region: trust.region,
    claims: verified.claims,
    holder: { jkt: verified.holderJkt },
    nonce: keyBinding.nonce,
    aud: keyBinding.audience,
    status: await requireGoodStatus(call, trust.issuer, verified.status),
    ...(transactionDataHashes !== null && { transaction_data_hashes: [...transactionDataHashes] }),
    verified_at: call.now.toISOString(),
  }
}

async function requireGoodStatus(
  { platform, now }: VerifierCall,
  issuer: TrustedIssuer,
  reference: StatusReference | null,
): Promise<'valid' | 'none'> {
  if (reference === null) return 'none'
  const status = await readForeignStatus(platform, issuer, reference, now)
  if (status !== 'valid') throw new ServiceError('attestation_revoked', 'The issuer has revoked the attestation.')
  return status
}

async function wordingRefusals<Result>(step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    throw new ServiceError(cause.code as AttestationErrorCode, `${cause.message}.`, { cause })
  }
}
