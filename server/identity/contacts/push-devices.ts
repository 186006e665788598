import type { ProcedureInput } from '../../base/contract/portal-procedure'
import { announceChange } from '../../base/core/announce-change'
import type { WalletCall } from '../../base/core/call'
import { ServiceError } from '../../base/core/errors'
import type { Transaction } from '../../base/core/platform'
import { takeQuota } from '../../base/core/take-quota'
import { meansOf, recordPersonAct } from '../../shared/audit'
import {
  type Device,
  deleteDevice,
  findMessageSettings,
  hidesDetails,
  listDevices,
  pushDataOf,
  pushText,
  readPushKey,
  saveHidesDetails,
  sendPush,
} from '../../shared/notifications'
import { PUSH_FAILING_SECONDS } from '../../shared/notifications/contract'
import { lockActivePrincipal } from '../../shared/principals'
import { nudgeJobs } from '../../shared/queue'
import { parseDeviceLabel } from '../sessions'
import {
  DEVICE_TESTS_PER_10_MINUTES,
  type DeviceTest,
  type deviceProcedure,
  type hideDetailsProcedure,
  type PushDevicesView,
  type PushDeviceView,
} from './contract'
import { notifyDeviceChange } from './notify-contact-change'

const TEST_WINDOW_SECONDS = 600

/** Returns the devices that get the person's push messages, the oldest first. */
export async function listPushDevices({ platform, actor, now }: WalletCall): Promise<PushDevicesView> {
  const { principalId } = actor
  const { publicKey } = await readPushKey(platform)
  const devices = await listDevices(platform.db, principalId)
  return {
    server_key: publicKey,
    hides_details: await hidesDetails(platform.db, principalId),
    devices: devices.map((device) => present(device, now)),
  }
}

function present({ id, device, created_at, last_ok_at, failing_since }: Device, now: Date): PushDeviceView {
  const failsFor = failing_since === null ? 0 : (now.getTime() - failing_since.getTime()) / 1000
  return {
    id,
    device: parseDeviceLabel(device),
    added_at: created_at.toISOString(),
    last_ok_at: last_ok_at?.toISOString() ?? null,
    failing_since: failsFor >= PUSH_FAILING_SECONDS ? (failing_since?.toISOString() ?? null) : null,
  }
}

/** Turns push messages off on one device. 404 for an unknown device and for another person's. */
export async function removePushDevice(
  call: WalletCall,
  { id }: ProcedureInput<typeof deviceProcedure>,
): Promise<{ readonly id: string }> {
  const { platform, actor } = call
  await platform.db.transaction((tx) => remove(tx, call, id))
  await announceChange(platform, actor.principalId)
  nudgeJobs(platform)
  return { id }
}

async function remove(tx: Transaction, call: WalletCall, id: string): Promise<void> {
  const { actor } = call
  await lockActivePrincipal(tx, actor.principalId)
  const removed = await deleteDevice(tx, id, actor.principalId)
  if (removed === null) throw new ServiceError('not_found', 'There is no such device.')
  await notifyDeviceChange(tx, call, { change: 'removed', device: removed.device })
  const payload = { what: 'device', from: 'on', to: 'off', means: meansOf(actor), passkey_id: null } as const
  await recordPersonAct(tx, call, { event: 'oid4ac.security.changed', payload })
}

/**
 * Sends a test message to one device, and returns the outcome. 404 for an unknown device and for another person's; 429
 * beyond ten in ten minutes.
 */
export async function testPushDevice(
  { platform, actor, now }: WalletCall,
  { id }: ProcedureInput<typeof deviceProcedure>,
): Promise<DeviceTest> {
  const { principalId } = actor
  const known = (await listDevices(platform.db, principalId)).find((one) => one.id === id)
  if (known === undefined) throw new ServiceError('not_found', 'There is no such device.')
  await takeQuota(platform.rateLimits, {
    key: `test-device:${principalId}`,
    limit: DEVICE_TESTS_PER_10_MINUTES,
    windowSeconds: TEST_WINDOW_SECONDS,
    message: 'Too many test messages were sent. Try again later.',
  })
  const { language } = await findMessageSettings(platform.db, principalId)
  const device = { ...known, language: language ?? known.language }
  const content = { ...pushText({ kind: 'test' }, device.language), link: linkOf(platform.config.baseUrl) }
  const data = pushDataOf(device, { eventKey: `device-test:${id}`, expiresAt: null }, now)
  const { kind } = await sendPush(platform, { content, data, principalId })
  return { outcome: kind === 'accepted' || kind === 'gone' ? kind : 'failed', at: platform.clock.now().toISOString() }
}

const linkOf = (baseUrl: string): string => `${baseUrl}/settings/notifications`

/** Sets whether lock screens hide amounts and merchants, for every message that is written after the answer. */
export async function hidePushDetails(
  { platform, actor, now }: WalletCall,
  { hides }: ProcedureInput<typeof hideDetailsProcedure>,
): Promise<{ readonly hides_details: boolean }> {
  await saveHidesDetails(platform.db, actor.principalId, { hides, now })
  await announceChange(platform, actor.principalId)
  return { hides_details: hides }
}
