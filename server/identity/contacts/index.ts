import { operation } from '../../base/contract/endpoint'
import { readNotificationsEndpoint, saveNotificationsEndpoint } from './contract'
import { readNotifications as readNotificationsVerb } from './read-notifications'
import { saveNotifications as saveNotificationsVerb } from './save-notifications'

export { addPushDevice, keepPushDevice } from './add-push-device'
export { cancelEmailChange, changeEmail, openEmailChange, relaxedByEmail, takeEmailQuota } from './change-email'
export { chooseEvents, readEvents } from './choose-events'
export { confirmPhone } from './confirm-phone'
export { chooseMessageSettings, readMessageSettings } from './message-settings'
export { deletePhoneCode, sweepPhoneCodes } from './phone-code-store'
export { hidePushDetails, listPushDevices, removePushDevice, testPushDevice } from './push-devices'
export { readContacts } from './read-contacts'
export { sendPhoneCode } from './send-phone-code'
export { readStoredPhoneCodes } from './stored-data'
export type { ChangeEnds, MadeSince } from './undo'
export { listUndoable, undoChange } from './undo-change'
export { readMailedLink, useMailedLink } from './use-mailed-link'

/** GET /wallet/notifications. */
export const readNotifications = operation(readNotificationsEndpoint, readNotificationsVerb)
/** POST /wallet/notifications. 422 for a number that is not E.164, for RCS without a number, and where no RCS is offered. */
export const saveNotifications = operation(saveNotificationsEndpoint, saveNotificationsVerb)
