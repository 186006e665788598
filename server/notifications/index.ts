import { operation } from '../contract/endpoint'
import { readNotificationsEndpoint, saveNotificationsEndpoint } from './contract'
import { readNotifications as readNotificationsVerb } from './read-notifications'
import { saveNotifications as saveNotificationsVerb } from './save-notifications'

export { deliverMessages } from './deliver-messages'
export { notify } from './notify'
export { queueMessage } from './queue-message'
export { readMessages } from './read-messages'

/** GET /wallet/notifications. */
export const readNotifications = operation(readNotificationsEndpoint, readNotificationsVerb)
/** POST /wallet/notifications. 422 for a number that is not E.164, and for RCS without a number. */
export const saveNotifications = operation(saveNotificationsEndpoint, saveNotificationsVerb)
