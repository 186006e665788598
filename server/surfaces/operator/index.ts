import { operation } from '../../base/contract/endpoint'
import {
  blockSigningKeyEndpoint,
  createMerchantEndpoint,
  createPrincipalEndpoint,
  createWalletClientEndpoint,
  listMerchantsEndpoint,
  listSwitchesEndpoint,
  resetPasskeysEndpoint,
  rotateSigningKeysEndpoint,
  setSwitchEndpoint,
  updateMerchantEndpoint,
} from './contract'
import { createPrincipal as createPrincipalVerb } from './create-principal'
import { createWalletClient as createWalletClientVerb } from './create-wallet-client'
import * as jobs from './jobs'
import { listJobsEndpoint, retryJobEndpoint } from './jobs-contract'
import * as merchants from './merchants'
import { readRetention as readRetentionVerb } from './read-retention'
import { resetPasskeysOf } from './reset-passkeys'
import { readRetentionEndpoint } from './retention-contract'
import { blockKey, rotateKeys } from './rotate-keys'
import {
  confirmSandboxSetupIntentEndpoint,
  createSandboxPrincipalEndpoint,
  createSandboxSetupTokenEndpoint,
  moveSandboxDisputeEndpoint,
  openSandboxWalletSessionEndpoint,
} from './sandbox-contract'
import * as people from './sandbox-people'
import * as processor from './sandbox-processor'
import * as subordinates from './subordinates'
import { createSubordinateEndpoint, listSubordinatesEndpoint, updateSubordinateEndpoint } from './subordinates-contract'
import * as switches from './switches'

export { enrolTestCard } from './enrol-test-card'

/** GET /operator/switches. */
export const listSwitches = operation(listSwitchesEndpoint, switches.listSwitches)
/** PUT /operator/switches/{name}. 404 for an unknown switch. */
export const setSwitch = operation(setSwitchEndpoint, switches.setSwitch)
/** POST /operator/wallet-clients. 422 unless every key is a public Ed25519 key. */
export const createWalletClient = operation(createWalletClientEndpoint, createWalletClientVerb)
/** POST /operator/principals. 404 for an unknown wallet client, 409 when the e-mail address is taken. */
export const createPrincipal = operation(createPrincipalEndpoint, createPrincipalVerb)
/** POST /operator/principals/{principal_id}/passkeys/reset. 404 for an unknown person. */
export const resetPasskeys = operation(resetPasskeysEndpoint, resetPasskeysOf)
/** POST /operator/merchants. 409 when the audience is taken. */
export const createMerchant = operation(createMerchantEndpoint, merchants.createMerchant)
/** GET /operator/merchants. */
export const listMerchants = operation(listMerchantsEndpoint, merchants.listMerchants)
/** PATCH /operator/merchants/{id}. 404 for an unknown merchant, 409 when the audience is taken. */
export const updateMerchant = operation(updateMerchantEndpoint, merchants.updateMerchant)

/** POST /operator/federation/subordinates. 409 when the entity id is taken. */
export const createSubordinate = operation(createSubordinateEndpoint, subordinates.createSubordinate)
/** GET /operator/federation/subordinates. */
export const listSubordinates = operation(listSubordinatesEndpoint, subordinates.listSubordinates)
/** PATCH /operator/federation/subordinates/{entity_id}. 404 for an unknown entity, 409 for one that was revoked. */
export const updateSubordinate = operation(updateSubordinateEndpoint, subordinates.updateSubordinate)

/** GET /operator/jobs. */
export const listJobs = operation(listJobsEndpoint, jobs.listJobs)
/** POST /operator/jobs/{id}/retry. 404 for a job that is unknown or was not given up. */
export const retryJob = operation(retryJobEndpoint, jobs.retryJob)

/** GET /operator/retention. */
export const readRetention = operation(readRetentionEndpoint, readRetentionVerb)

/** POST /operator/signing-keys/{kid}/block. 404 for an unknown kid; blocking again changes nothing. */
export const blockSigningKey = operation(blockSigningKeyEndpoint, blockKey)
/** POST /operator/signing-keys/rotate. */
export const rotateSigningKeys = operation(rotateSigningKeysEndpoint, rotateKeys)

/** POST /operator/sandbox/principals. 404 for an unknown wallet client, 409 when the e-mail address is taken. */
export const createSandboxPrincipal = operation(createSandboxPrincipalEndpoint, people.createSandboxPrincipal)
/** POST /operator/sandbox/setup-tokens. 404 for an unknown principal. */
export const createSandboxSetupToken = operation(createSandboxSetupTokenEndpoint, people.createSandboxSetupToken)
/** POST /operator/sandbox/wallet-sessions. 404 for an unknown principal, 400 for scopes other than wallet scopes. */
export const openSandboxWalletSession = operation(openSandboxWalletSessionEndpoint, people.openSandboxWalletSession)
/** POST /operator/sandbox/setup-intents. 404 for an unknown setup intent. */
export const confirmSandboxSetupIntent = operation(
  confirmSandboxSetupIntentEndpoint,
  processor.confirmSandboxSetupIntent,
)
/** POST /operator/sandbox/disputes. 404 when nothing was paid under the payment intent. */
export const moveSandboxDispute = operation(moveSandboxDisputeEndpoint, processor.moveSandboxDispute)
