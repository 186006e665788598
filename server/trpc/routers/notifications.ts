import { chooseEvents, readEvents, readNotifications, saveNotifications } from '../../notifications'
import { eventChoice } from '../../notifications/contract'
import { sendTestMessage } from '../../portal'
import { nothing } from '../../portal/contract'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const notificationsRouter = t.router({
  read: query(readNotifications),
  save: mutation(saveNotifications),
  events: portalQuery(nothing, readEvents),
  saveEvents: portalMutation(eventChoice, chooseEvents),
  sendTest: portalMutation(nothing, sendTestMessage),
})
