import { noInput } from '../../../base/contract/portal-procedure'
import { chooseEvents, readEvents, readNotifications, saveNotifications } from '../../../shared/notifications'
import { chooseEventsProcedure } from '../../../shared/notifications/contract'
import { sendTestMessage } from '../../../surfaces/portal'
import { t } from '../init'
import { mutation, portalMutation, portalQuery, query } from '../procedures'

export const notificationsRouter = t.router({
  read: query(readNotifications),
  save: mutation(saveNotifications),
  events: portalQuery(noInput, readEvents),
  saveEvents: portalMutation(chooseEventsProcedure, chooseEvents),
  sendTest: portalMutation(noInput, sendTestMessage),
})
