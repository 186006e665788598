import { noInput } from '../../../base/contract/portal-procedure'
import { undoChangeProcedure } from '../../../identity/contacts/contract'
import {
  listPasskeys,
  makeRecoveryCodes,
  readRecovery,
  registerPasskey,
  removePasskey,
  renamePasskey,
  setPasskeyRequirement,
  startRecovery,
  startRegistration,
  stepUpOptions,
} from '../../../identity/passkeys'
import {
  makeRecoveryCodesProcedure,
  registerPasskeyProcedure,
  removePasskeyProcedure,
  renamePasskeyProcedure,
  requirePasskeysProcedure,
  startRecoveryProcedure,
  startRegistrationProcedure,
  stepUpOptionsProcedure,
} from '../../../identity/passkeys/contract'
import { endOtherSessions, endSession, listSessions } from '../../../identity/sessions'
import { endSessionProcedure } from '../../../identity/sessions/contract'
import { listSecurityActivity, securityActivityProcedure, undoChange } from '../../../surfaces/portal'
import { t } from '../init'
import { portalMutation, portalQuery } from '../procedures'

export const securityRouter = t.router({
  stepUpOptions: portalMutation(stepUpOptionsProcedure, stepUpOptions),
  passkeys: portalQuery(noInput, listPasskeys),
  startRegistration: portalMutation(startRegistrationProcedure, startRegistration),
  register: portalMutation(registerPasskeyProcedure, registerPasskey),
  rename: portalMutation(renamePasskeyProcedure, renamePasskey),
  remove: portalMutation(removePasskeyProcedure, removePasskey),
  require: portalMutation(requirePasskeysProcedure, setPasskeyRequirement),
  recovery: portalQuery(noInput, readRecovery),
  makeRecoveryCodes: portalMutation(makeRecoveryCodesProcedure, makeRecoveryCodes),
  startRecovery: portalMutation(startRecoveryProcedure, startRecovery),
  sessions: portalQuery(noInput, listSessions),
  endSession: portalMutation(endSessionProcedure, endSession),
  activity: portalQuery(securityActivityProcedure, listSecurityActivity),
  undo: portalMutation(undoChangeProcedure, undoChange),
  endOtherSessions: portalMutation(noInput, endOtherSessions),
})
