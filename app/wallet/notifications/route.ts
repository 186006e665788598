import { route } from '@/server/http'
import { readNotifications, saveNotifications } from '@/server/notifications'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readNotifications, saveNotifications)
