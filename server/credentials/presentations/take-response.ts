import type { CallOf, InputOf, OutputOf } from '../../base/contract/endpoint'
import { buildNotFoundError } from '../../base/contract/problem'
import { announceChange } from '../../base/core/announce-change'
import { ServiceError } from '../../base/core/errors'
import { freeTextRefusal } from '../../base/core/free-text'
import { findAuthorityKeyIds, findDcqlMismatch, type PresentedCredential } from '../../base/protocol/dcql'
import { isJsonObject } from '../../base/protocol/encoding'
import { ProtocolError } from '../../base/protocol/errors'
import { decryptResponse } from '../../base/protocol/request-object'
import { readRegions } from '../trust-lists'
import { acceptAnswer, type PersonsAnswer } from './accept-answer'
import type { takeWalletResponseEndpoint } from './request-contract'
import {
  type AskedPerson,
  consumeRequest,
  countFailedAttempt,
  findPendingRequest,
  type Outcome,
  type PresentationRequest,
  recordOutcome,
  responseModeOf,
} from './request-store'
import type { VerifiedPresentations } from './verify-contract'
import { type ExpectedBinding, verifyPresentations } from './verify-presentations'
import { buildVpTokenError, parseVpToken } from './vp-token'

type Take = typeof takeWalletResponseEndpoint
type TakeCall = CallOf<Take>
type SentResponse = Omit<InputOf<Take>, 'request_id'>

/** The parameters of a response, decrypted. */
interface WalletResponse {
  readonly vpToken: unknown
  readonly error: string | null
  readonly description: string | null
}

/** POST /eudiw/response/{request_id}: the first response that can be read ends the request, whether it verifies or not. */
export async function takeResponse(call: TakeCall, input: InputOf<Take>): Promise<OutputOf<Take>> {
  const { platform, now } = call
  const pending = await findPendingRequest(platform, input.request_id, now)
  if (pending === null) throw buildNotFoundError()
  const { id, request, asked } = pending
  const response = await readOrCount(call, id, { request, sent: input })
  if (!(await consumeRequest(platform.db, id, now))) throw buildNotFoundError()
  try {
    const evaluated = await evaluateResponse(call, request, response)
    await platform.db.transaction(async (tx) => {
      if (asked !== null && evaluated.status === 'verified')
        await acceptAnswer(tx, call, { ...evaluated, asked, request })
      await recordOutcome({ ...platform, db: tx }, id, { outcome: keptOf(asked, toOutcome(evaluated)), now })
    })
  } catch (error) {
    await recordOutcome(platform, id, { outcome: toRejection(error), now })
    throw error
  } finally {
    // After the commit, so that the page that asked reads the outcome.
    if (asked !== null) await announceChange(platform, asked.principalId)
  }
  return {}
}

type ResponseResult =
  | Extract<Outcome, { readonly status: 'rejected' }>
  | (Extract<Outcome, { readonly status: 'verified' }> & Pick<PersonsAnswer, 'presented'>)

async function evaluateResponse(
  call: TakeCall,
  request: PresentationRequest,
  response: WalletResponse,
): Promise<ResponseResult> {
  const { error, description, vpToken } = response
  if (error !== null) return { status: 'rejected', error, description }
  return { status: 'verified', ...(await verifyAnswer(call, request, vpToken)) }
}

function toOutcome(evaluated: ResponseResult): Outcome {
  return evaluated.status === 'verified' ? { status: evaluated.status, result: evaluated.result } : evaluated
}

/** Returns the outcome as it is stored. One of the portal is for one decision, so the presented claims are removed. */
function keptOf(asked: AskedPerson | null, outcome: Outcome): Outcome {
  if (asked === null || outcome.status !== 'verified') return outcome
  const { result } = outcome
  const presentations = result.presentations.map((presentation) => ({ ...presentation, claims: {} }))
  return { ...outcome, result: { ...result, claims: {}, presentations } }
}

function toRejection(error: unknown): Outcome {
  if (!(error instanceof ServiceError)) return { status: 'rejected', error: 'server_error', description: null }
  return { status: 'rejected', error: error.code, description: error.description }
}

/** Reads a response. One that cannot be read only counts as a failed attempt. */
async function readOrCount(
  { platform, now }: TakeCall,
  id: string,
  { request, sent }: { readonly request: PresentationRequest; readonly sent: SentResponse },
): Promise<WalletResponse> {
  try {
    return await readResponse(request, sent)
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause
    const description = 'Too many responses could not be read.'
    const outcome: Outcome = { status: 'rejected', error: 'invalid_request', description }
    if (!(await countFailedAttempt(platform, id, { outcome, now }))) throw buildNotFoundError()
    throw new ServiceError('invalid_request', `${cause.message}.`, { cause })
  }
}

/**
 * Decrypts a response and compares its state. Errors may be sent in clear (OpenID4VP section 8.3), presentations only
 * where the request says so.
 */
async function readResponse({ responseKey, state }: PresentationRequest, sent: SentResponse): Promise<WalletResponse> {
  const parameters = await readParameters(responseKey, sent)
  if (parameters['state'] !== state) throw new ProtocolError('malformed', 'The state is not that of the request')
  const { error, error_description: description } = parameters
  return {
    vpToken: parameters['vp_token'],
    error: typeof error === 'string' ? readCode(error) : null,
    description: typeof description === 'string' ? readDescription(description) : null,
  }
}

/** Returns an error code, which has no blanks and may be a URI; `invalid_request` for a text that is none. */
const readCode = (text: string): string => (ERROR_CODE.test(text) ? text : 'invalid_request')
const ERROR_CODE = /^[\w.:/-]{1,256}$/

/** Returns the beginning of a description; null when it must not be shown or stored, because the answer still counts. */
function readDescription(text: string): string | null {
  const start = text.slice(0, TEXT_MAX_CHARS)
  return freeTextRefusal(start) === null ? start : null
}

const TEXT_MAX_CHARS = 1_024

async function readParameters(
  key: PresentationRequest['responseKey'],
  sent: SentResponse,
): Promise<Readonly<Record<string, unknown>>> {
  if (sent.error !== undefined && sent.response === undefined) return { ...sent, vp_token: undefined }
  if (key === null) {
    if (sent.response !== undefined) throw new ProtocolError('malformed', 'The response must not be encrypted')
    return { ...sent }
  }
  if (sent.response === undefined) throw new ProtocolError('malformed', 'The response must be encrypted')
  return decryptResponse(sent.response, key)
}

/** Verifies the presentations against the request, and that they answer all of it. */
async function verifyAnswer(
  call: TakeCall,
  request: PresentationRequest,
  vpToken: unknown,
): Promise<Pick<PersonsAnswer, 'presented' | 'result'>> {
  if (typeof vpToken !== 'string' && !isJsonObject(vpToken)) {
    throw buildVpTokenError('The response has no vp_token object.')
  }
  const { region, query } = request
  const presented = parseVpToken(vpToken, null).map((presentation) => {
    const authorityKeyIds = findAuthorityKeyIds(query, presentation.id)
    return authorityKeyIds === null ? presentation : { ...presentation, authorityKeyIds }
  })
  const result = await verifyPresentations(call, presented, {
    regions: region === null ? await readRegions(call) : [region],
    expected: { ...expectedBinding(request), isOneOfSeveral: presented.length > 1 },
  })
  const mismatch = findDcqlMismatch(query, result.presentations.map(toPresented))
  if (mismatch !== null) throw buildVpTokenError(`${mismatch}.`)
  const isSigned = result.presentations.some(({ transaction_data_hashes: hashes }) => hashes !== undefined)
  if (request.transactionData.length > 0 && !isSigned)
    throw buildVpTokenError('No presentation signs the transaction data.')
  return { presented, result }
}

function expectedBinding(request: PresentationRequest): ExpectedBinding {
  const { clientId, nonce, jkt, transactionData, needsStrongAuthentication } = request
  return {
    audiences: [clientId],
    nonce,
    jkt,
    ...(transactionData.length > 0 && { transactionData }),
    ...(needsStrongAuthentication === true && { strongAuthentication: { responseMode: responseModeOf(request) } }),
  }
}

function toPresented({ id, vct, claims }: VerifiedPresentations['presentations'][number]): PresentedCredential {
  return { id: id ?? '', vct, claims }
}
