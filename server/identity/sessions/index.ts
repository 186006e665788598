export { answerAuthRequest } from './auth-route'
export { parseDeviceLabel } from './device-label'
export { endMailboxSessions, endSessionsSince, endSignInRequests, findSessionStart } from './end-sessions'
export { eraseSessions } from './erase-sessions'
export { listSignIns, type SignIn, signInsRevisionSql } from './list-sign-ins'
export { MAIL_SIGN_IN_LINK, mailSignInLink, sealedSignInAddresses } from './mail-sign-in-link'
export { endOtherSessions, endSession, listSessions, type SessionRecord } from './manage-sessions'
export { readJsonBody } from './read-json-body'
export { rotateSession } from './rotate-session'
export { requireOwnOrigin } from './same-origin'
export {
  findPortalSession,
  isSessionActive,
  keepSessionAlive,
  type PortalSession,
  readRequestEnd,
  readSessionEnd,
  revokeAllSessions,
} from './session'
export { sweepSignInRequests } from './sign-in-request-store'
export { findDevicesByHandle, findSessionDevice, sweepSessions } from './store'
export { readStoredSessions } from './stored-data'
