import { operation } from '../../base/contract/endpoint'
import {
  accessEndpoint,
  erasureEndpoint,
  objectionEndpoint,
  portabilityEndpoint,
  portabilitySchemaEndpoint,
  rectificationEndpoint,
  restrictionEndpoint,
} from './contract'
import { exportDataWithProof, requestAccessWithProof } from './data-with-proof'
import { erasePerson, eraseWithProof } from './erase-person'
import { answerPortability } from './export-data'
import { objectToMarketing as objectVerb } from './object-to-marketing'
import { readPortabilitySchema as readSchemaVerb } from './read-portability-schema'
import { readPrivacy } from './read-privacy'
import { answerRectification, correctData } from './rectify'
import { answerAccess } from './request-access'
import { liftRestriction, restrictProcessing as restrictVerb } from './restrict-processing'

/** POST /privacy/dsar/access. 400 without an address; 409 for an Idempotency-Key with another body; 429 beyond ten a day. */
export const requestAccess = operation(accessEndpoint, answerAccess)
/** POST /privacy/dsar/rectification. 400 for unknown members and for none, 422 for invalid values. */
export const rectify = operation(rectificationEndpoint, answerRectification)
/** POST /privacy/dsar/erasure. */
export const erase = operation(erasureEndpoint, erasePerson)
/** POST /privacy/dsar/portability. */
export const exportData = operation(portabilityEndpoint, answerPortability)
/** POST /privacy/dsar/restriction. */
export const restrictProcessing = operation(restrictionEndpoint, restrictVerb)
/** POST /privacy/dsar/objection. */
export const objectToMarketing = operation(objectionEndpoint, objectVerb)
/** GET /privacy/dsar/portability-schema.json. */
export const readPortabilitySchema = operation(portabilitySchemaEndpoint, readSchemaVerb)

export { sealedPrivacyReplies } from './answer-once'
export { ERASE_AGAIN_JOB, eraseAgain } from './erase-again'
export { redactedColumns } from './erasure-rules'
export { listPrivacyRequests } from './list-requests'
export { mailData } from './mail-data'
export { MAIL_DATA_JOB } from './mail-data-job'
export { sweepPrivacyReplies } from './reply-store'
/** For the portal, in a session of the person. */
export { correctData, eraseWithProof, exportDataWithProof, liftRestriction, readPrivacy, requestAccessWithProof }
