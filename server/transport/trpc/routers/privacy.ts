import { noInput } from '../../../base/contract/portal-procedure'
import {
  correctData,
  eraseWithProof,
  exportDataWithProof,
  liftRestriction,
  objectToMarketing,
  readPrivacy,
  requestAccessWithProof,
  restrictProcessing,
} from '../../../surfaces/privacy'
import {
  eraseProcedure,
  liftRestrictionProcedure,
  ownDataProcedure,
  rectifyProcedure,
} from '../../../surfaces/privacy/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery } from '../procedures'

/** The person's rights over their data. Restricting and objecting need no step-up, because they only tighten. */
export const privacyRouter = t.router({
  read: portalQuery(noInput, readPrivacy),
  access: portalMutation(ownDataProcedure, requestAccessWithProof),
  take: portalMutation(ownDataProcedure, exportDataWithProof),
  rectify: portalMutation(rectifyProcedure, correctData),
  restrict: mutation(restrictProcessing),
  lift: portalMutation(liftRestrictionProcedure, liftRestriction),
  object: mutation(objectToMarketing),
  erase: portalMutation(eraseProcedure, eraseWithProof),
})
