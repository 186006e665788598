import { operation } from '../../base/contract/endpoint'
import { readEvidenceAsOperatorEndpoint, readEvidenceEndpoint } from './contract'
import { readEvidenceAsOperator as readAsOperatorVerb, readEvidence as readEvidenceVerb } from './read-evidence'

export { writeEvidenceJson } from './read-evidence'

/** GET /wallet/payments/{payment_intent_id}/evidence. 404 not_found for an unknown payment and for another person's. */
export const readEvidence = operation(readEvidenceEndpoint, readEvidenceVerb)
/** GET /operator/payments/{payment_intent_id}/evidence. 404 not_found, also once the person is erased. */
export const readEvidenceAsOperator = operation(readEvidenceAsOperatorEndpoint, readAsOperatorVerb)
