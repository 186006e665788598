import { readNotifications, saveNotifications } from '@/server/identity/contacts'
import { route } from '@/server/transport/http'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(readNotifications, saveNotifications)
