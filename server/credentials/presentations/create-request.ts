import type { CallOf, InputOf, OutputOf } from '../../base/contract/endpoint'
import type { Call } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Randomness } from '../../base/core/platform'
import { generateResponseKey } from '../../base/protocol/request-object'
import { readRegions } from '../trust-lists'
import { describeTransaction, needsStrongAuthentication, type WantedTransaction } from './describe-transaction'
import { ownerOf } from './owner-of'
import { requireRelyingParty } from './relying-party'
import type { createPresentationRequestEndpoint } from './request-contract'
import { type AskedPerson, insertRequest, type PresentationRequest } from './request-store'

type Create = typeof createPresentationRequestEndpoint

const ID_BYTES = 32
const NONCE_BYTES = 32
const STATE_BYTES = 16

/** POST /eudiw/request. */
export async function createRequest(call: CallOf<Create>, input: InputOf<Create>): Promise<OutputOf<Create>> {
  const { requestUri, deepLink, request } = await createWalletRequest(call, {
    ...input,
    ownerId: ownerOf(call.actor),
    asked: null,
  })
  return {
    request_uri: requestUri,
    deep_link: deepLink,
    qr_payload: deepLink,
    nonce: request.nonce,
    state: request.state,
  }
}

/** The credentials to be presented, with the owner of the request and the person to ask. */
export interface WantedPresentation extends Omit<InputOf<Create>, 'transaction_data'> {
  readonly transaction_data?: WantedTransaction | undefined
  readonly ownerId: string | null
  readonly asked: AskedPerson | null
}

/** A stored request that wallet apps can fetch. */
export interface CreatedRequest {
  readonly id: string
  readonly requestUri: string
  /** The link that opens a wallet app, also shown as a QR code. */
  readonly deepLink: string
  readonly expiresAt: Date
  readonly request: PresentationRequest
}

/**
 * Stores a request for a wallet app to fetch. 400 region_unsupported; 503 request_object_invalid without a certificate.
 */
export async function createWalletRequest(
  { platform, now }: Call,
  wanted: WantedPresentation,
): Promise<CreatedRequest> {
  const { ownerId, asked } = wanted
  await requireRegion({ platform, now }, wanted.region)
  const { clientId } = await requireRelyingParty({ platform, now })
  const request = await buildRequest(platform.random, { clientId, input: wanted })
  const id = platform.random.token(ID_BYTES)
  const expiresAt = new Date(now.getTime() + platform.config.presentationRequestTtlSeconds * 1000)
  await insertRequest(platform, { id, ownerId, asked, request, now, expiresAt })
  const requestUri = `${platform.config.baseUrl}/eudiw/request/${id}`
  return { id, requestUri, deepLink: toDeepLink(clientId, requestUri), expiresAt, request }
}

async function requireRegion(call: Pick<Call, 'platform' | 'now'>, region: string | undefined): Promise<void> {
  if (region === undefined || (await readRegions(call)).includes(region)) return
  throw new ServiceError('region_unsupported', 'No trust list is configured for this region.')
}

async function buildRequest(
  random: Randomness,
  { clientId, input }: { readonly clientId: string; readonly input: WantedPresentation },
): Promise<PresentationRequest> {
  const { dcql_query: query, transaction_data: data } = input
  return {
    clientId,
    nonce: random.token(NONCE_BYTES),
    state: random.token(STATE_BYTES),
    query,
    transactionData: data === undefined ? [] : [describeTransaction(query, data)],
    needsStrongAuthentication: needsStrongAuthentication(data),
    jkt: input.jkt ?? null,
    region: input.region ?? null,
    responseKey: input.response_mode === 'direct_post.jwt' ? await generateResponseKey() : null,
  }
}

/** Returns the link that opens a wallet app (OpenID4VP section 5.10: `post` is case-sensitive). */
function toDeepLink(clientId: string, requestUri: string): string {
  const query = new URLSearchParams({ client_id: clientId, request_uri: requestUri, request_uri_method: 'post' })
  return `openid4vp://?${query}`
}
