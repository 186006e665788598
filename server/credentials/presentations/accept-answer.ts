import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { acceptAge } from './accept-age'
import { acceptApproval } from './accept-approval'
import type { AskedFor, AskedPerson, PresentationRequest } from './request-store'
import type { VerifiedPresentations } from './verify-contract'
import type { PresentationToVerify } from './verify-presentations'

/** A person's response to a request that they made in the portal. */
export interface PersonsAnswer {
  readonly asked: AskedPerson
  readonly request: PresentationRequest
  /** The presentations as received, in the order of the result. */
  readonly presented: readonly PresentationToVerify[]
  readonly result: VerifiedPresentations
}

type Acceptance = (tx: Transaction, call: Call, answer: PersonsAnswer) => Promise<void>

const acceptances: Readonly<Record<AskedFor, Acceptance>> = { age: acceptAge, approval: acceptApproval }

/**
 * Applies a verified response for the purpose of its request, in the caller's transaction. Throws that purpose's
 * errors.
 */
export async function acceptAnswer(tx: Transaction, call: Call, answer: PersonsAnswer): Promise<void> {
  await acceptances[answer.asked.purpose](tx, call, answer)
}
