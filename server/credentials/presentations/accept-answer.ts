import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { acceptAge } from './accept-age'
import { acceptApproval } from './accept-approval'
import type { AskedFor, AskedPerson, PresentationRequest } from './request-store'
import type { VerifiedPresentations } from './verify-contract'
import type { PresentationToVerify } from './verify-presentations'

/** What a person presented on a request that they made in the portal. */
export interface PersonsAnswer {
  readonly asked: AskedPerson
  readonly request: PresentationRequest
  /** The presentations as they came, in the order of the result. */
  readonly presented: readonly PresentationToVerify[]
  readonly result: VerifiedPresentations
}

type Acceptance = (tx: Transaction, call: Call, answer: PersonsAnswer) => Promise<void>

const acceptances: Readonly<Record<AskedFor, Acceptance>> = { age: acceptAge, approval: acceptApproval }

/** Applies the verified response to its purpose, in the caller's transaction. Throws what that purpose throws. */
export async function acceptAnswer(tx: Transaction, call: Call, answer: PersonsAnswer): Promise<void> {
  await acceptances[answer.asked.purpose](tx, call, answer)
}
