import type { ProcedureInput } from '../../base/contract/portal-procedure'
import type { WalletCall } from '../../base/core/call'
import { buildFieldError, ServiceError } from '../../base/core/errors'
import { invariant } from '../../base/core/invariant'
import type { Platform, Transaction } from '../../base/core/platform'
import { ProtocolError } from '../../base/protocol/errors'
import { sessionHandle } from '../../base/protocol/session-handle'
import { parsePushKeys } from '../../base/protocol/web-push'
import { type Means, recordPersonAct } from '../../shared/audit'
import {
  endpointHash,
  hasDevice,
  isPushService,
  listDevices,
  releaseDevice,
  renewDevice,
  saveDevice,
  sealSubscription,
} from '../../shared/notifications'
import { PUSH_DEVICES_MAX } from '../../shared/notifications/contract'
import { lockActivePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { requireStepUpToRelax } from '../passkeys'
import { findSessionDevice } from '../sessions'
import type { addDeviceProcedure, HandedSubscription, KeptDevice, keepDeviceProcedure } from './contract'
import { relaxedByDevice } from './input'
import { notifyDeviceChange } from './notify-contact-change'

/**
 * Turns push messages on in the browser that the call comes from. A device that the person already has is renewed
 * without confirmation; one of another person moves to the caller. 400 for an address that is no push service and for
 * malformed keys; 403 step_up_required for a new device that is not confirmed; 409 conflict beyond ten devices.
 */
export async function addPushDevice(
  call: WalletCall,
  { proof, ...subscription }: ProcedureInput<typeof addDeviceProcedure>,
): Promise<KeptDevice> {
  requirePossible(call.platform, subscription)
  const { principalId } = call.actor
  const hash = endpointHash(subscription.endpoint)
  const change = {
    relaxes: async (tx: Transaction) =>
      (await hasDevice(tx, principalId, hash)) ? null : relaxedByDevice(subscription.endpoint),
    save: (tx: Transaction, means: Means) => save(tx, call, { subscription, means }),
  }
  const kept = await requireStepUpToRelax(call, change, proof)
  nudgeJobs(call.platform)
  return kept
}

function requirePossible(platform: Platform, { endpoint, p256dh, auth }: HandedSubscription): void {
  if (!isPushService(platform, endpoint)) {
    throw buildFieldError(['body', 'endpoint'], 'must be the address of a push service that is known here', null)
  }
  try {
    parsePushKeys({ p256dh, auth })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw buildFieldError(['body', 'p256dh'], 'must be the keys that the browser made', null)
  }
}

interface Saved {
  readonly subscription: HandedSubscription
  readonly means: Means
}

async function save(tx: Transaction, call: WalletCall, { subscription, means }: Saved): Promise<KeptDevice> {
  const handed = handedIn(call, subscription)
  const { principalId, endpointHash: hash } = handed
  const renewed = await renewDevice(tx, hash, handed)
  if (renewed !== null) return { id: renewed.id }
  await releaseDevice(tx, principalId, hash)
  const { platform, now } = call
  const others = await listDevices(tx, principalId)
  if (others.length >= PUSH_DEVICES_MAX) {
    throw new ServiceError('conflict', `You have ${PUSH_DEVICES_MAX} devices. Turn one off first.`)
  }
  const id = platform.random.uuid()
  const device = await findSessionDevice(tx, handed.sessionId)
  await notifyDeviceChange(tx, call, { change: 'added', device })
  await saveDevice(tx, { ...handed, id, device, now })
  const payload = { what: 'device', from: 'off', to: 'on', means, passkey_id: null } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
  return { id }
}

function handedIn({ platform, actor }: WalletCall, subscription: HandedSubscription) {
  const { principalId, session } = actor
  invariant(session !== null, 'only a session of the portal has a browser')
  return {
    principalId,
    sessionId: session.id,
    sessionHandle: sessionHandle(session.id),
    endpointHash: endpointHash(subscription.endpoint),
    sealed: sealSubscription(platform.sealer, subscription),
    language: subscription.language,
  }
}

/**
 * Renews the device of the browser that the call comes from. Every load of a page calls it, since push services change
 * addresses and browsers lose them. It never adds a device for the person; another person's device in this browser gets
 * no more messages. 400 in the cases in which `addPushDevice` answers 400.
 */
export async function keepPushDevice(
  call: WalletCall,
  { replaces, ...subscription }: ProcedureInput<typeof keepDeviceProcedure>,
): Promise<KeptDevice> {
  requirePossible(call.platform, subscription)
  const handed = handedIn(call, subscription)
  return call.platform.db.transaction(async (tx) => {
    await lockActivePrincipal(tx, handed.principalId)
    await releaseDevice(tx, handed.principalId, handed.endpointHash)
    const known = await renewDevice(tx, handed.endpointHash, handed)
    if (known !== null || replaces === undefined) return { id: known?.id ?? null }
    const moved = await renewDevice(tx, endpointHash(replaces), handed)
    return { id: moved?.id ?? null }
  })
}
