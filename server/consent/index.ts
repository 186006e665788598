import { operation } from '../contract/endpoint'
import { decideConsentEndpoint, listPendingConsentsEndpoint, readPendingConsentEndpoint } from './contract'
import { decide } from './decide-consent'
import { listPendingConsents, readPendingConsent } from './read-consents'

export const listPending = operation(listPendingConsentsEndpoint, listPendingConsents)
export const readPending = operation(readPendingConsentEndpoint, readPendingConsent)
export const decideConsent = operation(decideConsentEndpoint, decide)

export { type ConsentOrder, createConsent, rememberedSubject } from './create-consent'
export { listPastConsents, type PortalConsent, readConsentForPortal } from './read-consents'
