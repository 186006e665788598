import { noInput } from '../../../base/contract/portal-procedure'
import {
  ageRequestProcedure,
  proveAge,
  proveAgeProcedure,
  readAge,
  readAgeRequest,
  withdrawAgeRequest,
} from '../../../surfaces/portal'
import { removeAgeProof } from '../../../wallet/age-proofs'
import { removeAgeProofProcedure } from '../../../wallet/age-proofs/contract'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const ageRouter = t.router({
  read: portalQuery(noInput, readAge),
  prove: portalMutation(proveAgeProcedure, proveAge),
  request: portalQuery(ageRequestProcedure, readAgeRequest),
  withdraw: portalMutation(ageRequestProcedure, withdrawAgeRequest),
  remove: portalMutation(removeAgeProofProcedure, removeAgeProof),
})
