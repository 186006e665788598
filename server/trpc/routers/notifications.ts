import { readNotifications, saveNotifications } from '../../notifications'
import { t } from '../init'
import { mutation, query } from '../procedures'

export const notificationsRouter = t.router({
  read: query(readNotifications),
  save: mutation(saveNotifications),
})
