export { answerAuthRequest } from './auth-route'
export { readJsonBody } from './read-json-body'
export { requireOwnOrigin } from './same-origin'
export { getPrincipal, isSessionAlive, type PortalSession, revokeAllSessions } from './session'
