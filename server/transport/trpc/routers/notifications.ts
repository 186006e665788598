import { noInput } from '../../../base/contract/portal-procedure'
import {
  addPushDevice,
  cancelEmailChange,
  changeEmail,
  chooseEvents,
  chooseMessageSettings,
  confirmPhone,
  hidePushDetails,
  keepPushDevice,
  listPushDevices,
  readContacts,
  readEvents,
  readMessageSettings,
  readNotifications,
  removePushDevice,
  saveNotifications,
  sendPhoneCode,
  testPushDevice,
} from '../../../identity/contacts'
import {
  addDeviceProcedure,
  changeEmailProcedure,
  chooseEventsProcedure,
  confirmPhoneProcedure,
  deviceProcedure,
  hideDetailsProcedure,
  keepDeviceProcedure,
  saveMessageSettingsProcedure,
  saveNotificationsProcedure,
} from '../../../identity/contacts/contract'
import { sendTestMessage, sendTestProcedure } from '../../../surfaces/portal'
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
  sendTest: portalMutation(sendTestProcedure, sendTestMessage),
  settings: portalQuery(noInput, readMessageSettings),
  saveSettings: portalMutation(saveMessageSettingsProcedure, chooseMessageSettings),
  devices: portalQuery(noInput, listPushDevices),
  addDevice: portalMutation(addDeviceProcedure, addPushDevice),
  keepDevice: portalMutation(keepDeviceProcedure, keepPushDevice),
  removeDevice: portalMutation(deviceProcedure, removePushDevice),
  testDevice: portalMutation(deviceProcedure, testPushDevice),
  hideDetails: portalMutation(hideDetailsProcedure, hidePushDetails),
})
