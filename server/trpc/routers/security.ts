import {
  listPasskeys,
  registerPasskey,
  removePasskey,
  renamePasskey,
  requirePasskeys,
  startRegistration,
  stepUpOptions,
} from '../../passkeys'
import { registration, registrationStart, removal, renaming, requirement, stepUpAction } from '../../passkeys/contract'
import { nothing } from '../../portal/contract'
import { endOtherSessions, endSession, listSessions } from '../../sessions'
import { sessionChoice } from '../../sessions/contract'
import { t } from '../init'
import { portalMutation, portalQuery, rotatingMutation } from '../procedures'

export const securityRouter = t.router({
  stepUpOptions: portalMutation(stepUpAction, stepUpOptions),
  passkeys: portalQuery(nothing, listPasskeys),
  startRegistration: portalMutation(registrationStart, startRegistration),
  register: rotatingMutation(registration, registerPasskey),
  rename: portalMutation(renaming, renamePasskey),
  remove: rotatingMutation(removal, removePasskey),
  require: rotatingMutation(requirement, requirePasskeys),
  sessions: portalQuery(nothing, listSessions),
  endSession: portalMutation(sessionChoice, endSession),
  endOtherSessions: portalMutation(nothing, endOtherSessions),
})
