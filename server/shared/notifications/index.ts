export { deliverMessage, dropData } from './deliver-message'
export {
  type Device,
  deleteDevice,
  forgetDevices,
  handOnDevices,
  hasDevice,
  listDevices,
  releaseDevice,
  renewDevice,
  saveDevice,
  sweepDevices,
} from './device-store'
export { eraseChannels } from './erase-channels'
export { findMuted, hidesDetails, saveHidesDetails, saveMuted } from './event-store'
export { shopName } from './foreign-words'
export { moveHeld } from './held-store'
export { sealedMessages } from './message-content'
export { type MessageText, notify, prepareMessages } from './notify'
export { notifyOperatorAct } from './notify-operator-act'
export {
  APPROVING_PHONE_AGE_HOURS,
  dropPhoneSince,
  findChannels,
  findPreferences,
  isOldEnough,
  markPhoneConfirmed,
  mayApproveByPhone,
  type Preferences,
  type StoredPreferences,
  savePreferences,
} from './preference-store'
export { readPushKey, sealedPushKey } from './push-key'
export { pushDataOf } from './push-message'
export {
  endpointHash,
  isPushService,
  sealedSubscriptions,
  sealSubscription,
} from './push-subscription'
export { type PushDetails, pushText } from './push-text'
export { queueMessage } from './queue-message'
export { readMessages } from './read-messages'
export { sendNow } from './send-now'
export { sendPush } from './send-push'
export { findMessageSettings, type MessageSettings, saveMessageSettings } from './settings-store'
export { DELIVER_MESSAGE, deliveryKeyOf, eraseMessages, knownEventKeysSql, sweepMessages } from './store'
export { readStoredNotifications } from './stored-data'
export { claimSummary, type DueSummary, listDueSummaries } from './summary-store'
export { findWords, type Words, wordsIn } from './words'
