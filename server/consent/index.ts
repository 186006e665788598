import { operation } from '../contract/endpoint'
import { decideConsentEndpoint, listPendingConsentsEndpoint, readPendingConsentEndpoint } from './contract'
import { decide } from './decide-consent'
import { listPendingConsents, readPendingConsent } from './read-consents'

export const listPending = operation(listPendingConsentsEndpoint, listPendingConsents)
export const readPending = operation(readPendingConsentEndpoint, readPendingConsent)
export const decideConsent = operation(decideConsentEndpoint, decide)

export { type ConsentOrder, createConsent, rememberedSubject, tooManyWaiting } from './create-consent'
export { decideShown } from './decide-shown'
export { type Approval, approvalSql } from './evidence-store'
export { muteAgent, readMutedUntil, unmuteAgent } from './mute-agent'
export { listPastConsents, type PortalConsent, readConsentForPortal } from './read-consents'
export { requireApproval } from './require-approval'
export { PENDING_CONSENTS_PER_AGENT } from './store'
