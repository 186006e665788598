import { readNotifications, saveNotifications } from '@/server/shared/notifications'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readNotifications, saveNotifications)
