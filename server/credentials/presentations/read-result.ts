import type { CallOf, InputOf, OutputOf } from '../../base/contract/endpoint'
import { buildNotFoundError } from '../../base/contract/problem'
import { ownerOf } from './owner-of'
import type { readPresentationResultEndpoint } from './request-contract'
import { findRecordedRequest, type RecordedRequest } from './request-store'

type Read = typeof readPresentationResultEndpoint

/** Longer than the verification of a response takes; after it the request is taken for abandoned by its process. */
const VERIFYING_MAX_SECONDS = 120

/**
 * GET /eudiw/response/{request_id}. 404 for the requests of other wallet clients and of people in the portal; without a
 * credential, for all that were made with one.
 */
export async function readResult(call: CallOf<Read>, { request_id: id }: InputOf<Read>): Promise<OutputOf<Read>> {
  const { platform, now, actor } = call
  const recorded = await findRecordedRequest(platform, id, now)
  const owner = ownerOf(actor)
  const isTheirs = recorded?.asked === null && (owner === null || recorded.ownerId === owner)
  if (recorded === null || !isTheirs) throw buildNotFoundError()
  return { request_id: id, state: recorded.request.state, ...describeOutcome(recorded, now) }
}

/** Returns the outcome in the form in which callers read it. */
export function describeOutcome({ outcome, status, expiresAt }: RecordedRequest, now: Date) {
  if (outcome === null) {
    const endsAt = expiresAt.getTime() + (status === 'verifying' ? VERIFYING_MAX_SECONDS * 1000 : 0)
    return { status: endsAt > now.getTime() ? ('pending' as const) : ('expired' as const) }
  }
  if (outcome.status === 'verified') return { status: outcome.status, result: outcome.result }
  const { error, description } = outcome
  return { status: outcome.status, error, ...(description !== null && { error_description: description }) }
}
