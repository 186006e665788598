export { deliverMessage } from './deliver-message'
export { findMuted, saveMuted } from './event-store'
export { quotedName, shopName } from './foreign-words'
export { sealedMessages } from './message-content'
export { notify } from './notify'
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
export { queueMessage } from './queue-message'
export { readMessages } from './read-messages'
export { DELIVER_MESSAGE, knownEventKeysSql, sweepMessages } from './store'
