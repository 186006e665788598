import * as z from 'zod'
import type { Call } from '../../base/core/call'
import type { Transaction } from '../../base/core/platform'
import { sha256Base64url } from '../../base/protocol/encoding'
import { type MessageLanguage, messageLanguages, PUSH_TTL_SECONDS } from './contract'
import type { Device } from './device-store'
import type { Hold } from './held-store'
import { type PushDetails, pushText } from './push-text'
import { queueMessage } from './queue-message'

/** RFC 8030 section 5.4: at most 32 characters of base64url. */
const TOPIC_CHARS = 32

/** The data of a push message beside its text. */
export const pushData = z.object({
  device_id: z.string(),
  language: z.enum(messageLanguages),
  /** The topic; a later message of the same topic replaces this one. */
  topic: z.string(),
  urgency: z.enum(['high', 'normal']),
  /** The time after which the message is useless. */
  expires_at: z.iso.datetime(),
})
export type PushData = Readonly<z.output<typeof pushData>>

/** The facts that devices show, and when the message expires. */
export interface PushToQueue {
  readonly eventKey: string
  readonly principalId: string
  readonly details: PushDetails
  /** The end of the request; null for a message that only informs. */
  readonly expiresAt: Date | null
  readonly link: string
  readonly about: string | undefined
  /** The language that the person chose; null to use that of each device's pages. */
  readonly language: MessageLanguage | null
  /** The hold by quiet hours; null to send at once. */
  readonly hold: Hold | null
}

/** Returns the data of a message to one device. */
export function pushDataOf(
  { id, language }: Pick<Device, 'id' | 'language'>,
  { eventKey, expiresAt }: Pick<PushToQueue, 'eventKey' | 'expiresAt'>,
  now: Date,
): PushData {
  const ends = expiresAt ?? new Date(now.getTime() + PUSH_TTL_SECONDS * 1000)
  return {
    device_id: id,
    language,
    topic: sha256Base64url(`push:${eventKey}`).slice(0, TOPIC_CHARS),
    urgency: expiresAt === null ? 'normal' : 'high',
    expires_at: ends.toISOString(),
  }
}

/** Writes one message for each device, in the transaction of the event. */
export function queuePushes(
  tx: Transaction,
  call: Pick<Call, 'now' | 'platform'>,
  { push, devices }: { readonly push: PushToQueue; readonly devices: readonly PushedDevice[] },
): void {
  const at = push.hold?.until ?? call.now
  for (const known of devices) {
    const device = { ...known, language: push.language ?? known.language }
    const { title, body } = pushText(push.details, device.language)
    queueMessage(tx, call, {
      eventKey: `${push.eventKey}:push:${device.id}`,
      principalId: push.principalId,
      channel: 'push',
      recipient: device.device ?? device.id,
      subject: title,
      text: body,
      links: [push.link],
      data: pushDataOf(device, push, at),
      about: push.about === undefined ? undefined : `${device.id}:${push.about}`,
      hold: push.hold,
    })
  }
}

/** A device that a message is written for. */
export type PushedDevice = Pick<Device, 'id' | 'device' | 'language'>
