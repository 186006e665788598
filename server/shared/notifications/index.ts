import { operation } from '../../base/contract/endpoint'
import { readNotificationsEndpoint, saveNotificationsEndpoint } from './contract'
import { readNotifications as readNotificationsVerb } from './read-notifications'
import { saveNotifications as saveNotificationsVerb } from './save-notifications'

export { chooseEvents, readEvents } from './choose-events'
export { deliverMessage } from './deliver-message'
export { sealedMessages } from './message-content'
export { notify } from './notify'
export { queueMessage } from './queue-message'
export { readMessages } from './read-messages'
export { DELIVER_MESSAGE, knownEventKeysSql, sweepMessages } from './store'

/** GET /wallet/notifications. */
export const readNotifications = operation(readNotificationsEndpoint, readNotificationsVerb)
/** POST /wallet/notifications. 422 for a number that is not E.164, for RCS without a number, and where no RCS is offered. */
export const saveNotifications = operation(saveNotificationsEndpoint, saveNotificationsVerb)
