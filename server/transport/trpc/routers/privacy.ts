import { noInput } from '../../../base/contract/portal-procedure'
import {
  askForDataConfirmed,
  correctData,
  eraseConfirmed,
  liftRestriction,
  objectToMarketing,
  readPrivacy,
  restrictProcessing,
  takeDataConfirmed,
} from '../../../surfaces/privacy'
import {
  eraseProcedure,
  liftRestrictionProcedure,
  rectifyProcedure,
  takeDataProcedure,
} from '../../../surfaces/privacy/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery } from '../procedures'

/** The rights of the person over their data. To restrict and to object only tightens, so both need no confirmation. */
export const privacyRouter = t.router({
  read: portalQuery(noInput, readPrivacy),
  access: portalMutation(takeDataProcedure, askForDataConfirmed),
  take: portalMutation(takeDataProcedure, takeDataConfirmed),
  rectify: portalMutation(rectifyProcedure, correctData),
  restrict: mutation(restrictProcessing),
  lift: portalMutation(liftRestrictionProcedure, liftRestriction),
  object: mutation(objectToMarketing),
  erase: portalMutation(eraseProcedure, eraseConfirmed),
})
