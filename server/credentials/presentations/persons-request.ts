import { buildNotFoundError } from '../../base/contract/problem'
import type { WalletCall } from '../../base/core/call'
import type { DcqlQuery } from '../../base/protocol/dcql'
import { type CreatedRequest, createWalletRequest, type WantedPresentation } from './create-request'
import { describeOutcome } from './read-result'
import { type AskedFor, findRecordedRequest } from './request-store'

/** A request that a person answers with a wallet app, made in the portal. */
export interface PersonsRequest extends Pick<WantedPresentation, 'transaction_data' | 'jkt'> {
  readonly purpose: AskedFor
  readonly subjectId: string | null
  readonly query: DcqlQuery
}

/** Creates a request for this person's wallet app. 503 request_object_invalid without a certificate. */
export function createPersonsRequest(call: WalletCall, request: PersonsRequest): Promise<CreatedRequest> {
  const { purpose, subjectId, query, ...given } = request
  const asked = { principalId: call.actor.principalId, purpose, subjectId }
  return createWalletRequest(call, {
    ...given,
    dcql_query: query,
    response_mode: 'direct_post.jwt',
    ownerId: null,
    asked,
  })
}

/** Returns the state of a request. 404 for another person's, for one of another purpose, and a day after its end. */
export async function readPersonsRequest(
  { platform, now, actor }: WalletCall,
  { id, purpose }: { readonly id: string; readonly purpose: AskedFor },
) {
  const recorded = await findRecordedRequest(platform, id, now)
  const { asked } = recorded ?? { asked: null }
  if (recorded === null || asked?.principalId !== actor.principalId || asked.purpose !== purpose) {
    throw buildNotFoundError()
  }
  return { subjectId: asked.subjectId, ...describeOutcome(recorded, now) }
}
