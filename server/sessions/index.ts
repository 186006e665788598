export { answerAuthRequest } from './auth-route'
export { requestSignIn } from './request-sign-in'
export { requireOwnOrigin } from './same-origin'
export { getPrincipal, isSessionAlive, type PortalSession, revokeAllSessions } from './session'
