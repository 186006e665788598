import { noInput } from '../../../base/contract/portal-procedure'
import {
  cancelEmailChange,
  changeEmail,
  chooseEvents,
  confirmPhone,
  readContacts,
  readEvents,
  readNotifications,
  saveNotifications,
  sendPhoneCode,
} from '../../../identity/contacts'
import {
  changeEmailProcedure,
  chooseEventsProcedure,
  confirmPhoneProcedure,
  saveNotificationsProcedure,
} from '../../../identity/contacts/contract'
import { sendTestMessage } from '../../../surfaces/portal'
import { t } from '../init'
import { portalMutation, portalQuery, query } from '../procedures'

export const notificationsRouter = t.router({
  read: query(readNotifications),
  save: portalMutation(saveNotificationsProcedure, saveNotifications.verb),
  contacts: portalQuery(noInput, readContacts),
  sendCode: portalMutation(noInput, sendPhoneCode),
  confirmPhone: portalMutation(confirmPhoneProcedure, confirmPhone),
  changeEmail: portalMutation(changeEmailProcedure, changeEmail),
  cancelEmailChange: portalMutation(noInput, cancelEmailChange),
  events: portalQuery(noInput, readEvents),
  saveEvents: portalMutation(chooseEventsProcedure, chooseEvents),
  sendTest: portalMutation(noInput, sendTestMessage),
})
