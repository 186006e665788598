import { noInput } from '../../../base/contract/portal-procedure'
import {
  listPasskeys,
  registerPasskey,
  removePasskey,
  renamePasskey,
  setPasskeyRequirement,
  startRegistration,
  stepUpOptions,
} from '../../../identity/passkeys'
import {
  registerPasskeyProcedure,
  removePasskeyProcedure,
  renamePasskeyProcedure,
  requirePasskeysProcedure,
  startRegistrationProcedure,
  stepUpOptionsProcedure,
} from '../../../identity/passkeys/contract'
import { endOtherSessions, endSession, listSessions } from '../../../identity/sessions'
import { endSessionProcedure } from '../../../identity/sessions/contract'
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
  sessions: portalQuery(noInput, listSessions),
  endSession: portalMutation(endSessionProcedure, endSession),
  endOtherSessions: portalMutation(noInput, endOtherSessions),
})
