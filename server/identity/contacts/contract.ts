import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { BASE64URL_32_BYTES, mailAddress, timestamp } from '../../base/contract/wire'
import { URI_MAX_CHARS } from '../../base/protocol/lifetimes'
import type { LinkPurpose, UndoPurpose } from '../../shared/mailed-links/contract'
import {
  type Channel,
  type MessageLanguage,
  type MutedEntry,
  messageLanguages,
  mutedEntries,
} from '../../shared/notifications/contract'
import { confirmable, type UndoWay } from '../passkeys/contract'
import { CLOCK_TIME, CODE_DIGITS, PHONE_NUMBER, type QuietHoursView } from './input'

export const CODE_TTL_SECONDS = 10 * 60
export const CODE_TRIES_MAX = 5
/** Phone codes of one person in an hour. */
export const CODES_PER_HOUR = 5
/** Confirmed changes of the mail address in an hour, of one person; corrections count for each new address. */
export const EMAIL_CHANGES_PER_HOUR = 5
/**
 * Codes to one number, or confirmed changes to one address, in a minute by all people together. A minute's wait, and
 * more than any two people use up for a third: a ceiling for floods that shuts nobody out.
 */
export const CONTACT_MESSAGES_PER_MINUTE = 10

export const phoneNumber = z
  .e164({ pattern: PHONE_NUMBER })
  .meta({ description: 'E.164: a plus sign and 7 to 15 digits.', example: '+353861234567' })

const savePreferencesBody = z
  .strictObject({
    rcs_enabled: z.boolean().default(false),
    rcs_phone_e164: phoneNumber.nullable().default(null),
    email_enabled: z.boolean().default(true),
  })
  .meta({ id: 'WalletNotificationsRequest' })

const preferences = z
  .object({
    rcs_enabled: z.boolean(),
    rcs_phone_e164: z.string().nullable(),
    rcs_phone_confirmed_at: timestamp.nullable().meta({
      description: 'When the phone was confirmed from there; until then null, and the phone before it stays in use.',
    }),
    email_enabled: z.boolean(),
    updated_at: timestamp,
  })
  .meta({ id: 'WalletNotifications' })

export const readNotificationsEndpoint = defineEndpoint({
  operationId: 'readNotifications',
  method: 'GET',
  path: '/wallet/notifications',
  summary: 'Read how the person wants to be notified, or null when they never said',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: preferences.nullable(),
  refusal: 'validation',
})

export const saveNotificationsEndpoint = defineEndpoint({
  operationId: 'saveNotifications',
  method: 'POST',
  path: '/wallet/notifications',
  summary: 'Replace how the person wants to be notified; sign-in and confirmation links are mailed in any case',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  body: { kind: 'json', schema: savePreferencesBody },
  output: preferences,
  refusal: 'validation',
  refusals: ['insufficient_user_authentication'],
})

/** Saves the channels from the portal. A new phone and turning mail off require the person's confirmation. */
export const saveNotificationsProcedure = definePortalProcedure({
  input: savePreferencesBody.extend(confirmable),
  stepUp: 'security.relax',
})

/** Replaces the events that the person has muted. Muting payments or disputes requires the person's confirmation. */
export const chooseEventsProcedure = definePortalProcedure({
  input: z.strictObject({ muted: z.array(z.enum(mutedEntries)).max(mutedEntries.length), ...confirmable }),
  stepUp: 'security.relax',
})
export interface EventChoice {
  readonly muted: readonly MutedEntry[]
}

/** Confirms the new phone with the code that was sent to it. */
export const confirmPhoneProcedure = definePortalProcedure({
  input: z.strictObject({ code: z.string().regex(CODE_DIGITS, { error: 'must be six digits' }) }),
})

/** Changes the mail address: the person confirms the change, then a link in the new mailbox. */
export const changeEmailProcedure = definePortalProcedure({
  input: z.strictObject({
    email: z.string().trim().pipe(mailAddress),
    ...confirmable,
  }),
  stepUp: 'security.relax',
})

/** The token of a mailed link. It is posted, even to read what the link does, so that it appears in no address. */
export const mailedLinkProcedure = definePortalProcedure({
  input: z.strictObject({ token: z.string().regex(BASE64URL_32_BYTES) }),
})

/** The person's addresses for messages, and those that are not confirmed yet. */
export interface ContactsView {
  readonly email: string | null
  /** The new address whose mailed link has not been confirmed yet; null without one. */
  readonly pending_email: { readonly email: string; readonly expires_at: string } | null
  readonly phone: {
    /** The phone to which messages are sent; null without one. */
    readonly in_use: string | null
    /** The time from which the phone may approve limit requests; null when it may now, or is not in use. */
    readonly approves_from: string | null
    /** The saved phone that is not confirmed yet; null without one. */
    readonly waiting: string | null
    /** The end of the validity of the last code; null when a new one is needed. */
    readonly code_expires_at: string | null
  }
  /** The channels through which the person is notified of requests that wait for them. */
  readonly told_by: readonly Channel[]
}

/** The effect of a mailed link, as its page shows it before the person confirms. */
export interface MailedLinkView {
  readonly purpose: LinkPurpose
  readonly used: boolean
  /** The wallet that the link changes: its person's name, and the first letter and the domain of the address in use. */
  readonly wallet: { readonly name: string | null; readonly email: string | null }
  /** The address that would be used, or the passkey that would be removed. */
  readonly about: string
}

/** Undoes a change that a mailed link also undoes. Requires a means of confirmation from before the change. */
export const undoChangeProcedure = definePortalProcedure({
  input: z.strictObject({ change_id: z.string().regex(BASE64URL_32_BYTES), ...confirmable }),
  stepUp: 'security.undo',
  rotating: true,
})

/** A change that can still be undone. */
export interface UndoableChange {
  readonly id: string
  readonly purpose: UndoPurpose
  /** The passkey that would be removed; of the address that would be used again, the first letter and the domain. */
  readonly about: string
  /** The address to which the undoing link was mailed: its first letter and domain; empty when it was not kept. */
  readonly mailed_to: string
  readonly changed_at: string
  readonly until: string
  /** How the undoing is confirmed in the portal; `link` when only the mailed link undoes the change. */
  readonly way: UndoWay
}

/** Test messages to devices in ten minutes, for one person. */
export const DEVICE_TESTS_PER_10_MINUTES = 10

/** Characters of a key in base64url; a little more than its 65 bytes take. */
const KEY_MAX_CHARS = 100
const ID_MAX_CHARS = 64

const endpoint = z.string().min(1).max(URI_MAX_CHARS)
const key = z.string().min(1).max(KEY_MAX_CHARS)

/** A browser's push subscription (Push API, `PushSubscription`), and the language of its pages. */
const subscription = { endpoint, p256dh: key, auth: key, language: z.enum(messageLanguages) }
export type HandedSubscription = Readonly<z.output<z.ZodObject<typeof subscription>>>

/** Adds a device, which requires the person's confirmation: it shows what they buy, and asks them for approvals. */
export const addDeviceProcedure = definePortalProcedure({
  input: z.strictObject({ ...subscription, ...confirmable }),
  stepUp: 'security.relax',
})

/** Renews the device of a browser. `replaces` is the endpoint that the browser sent before, when it has changed. */
export const keepDeviceProcedure = definePortalProcedure({
  input: z.strictObject({ ...subscription, replaces: endpoint.optional() }),
})

export const deviceProcedure = definePortalProcedure({
  input: z.strictObject({ id: z.string().min(1).max(ID_MAX_CHARS) }),
})

/** Sets whether lock screens hide amounts and merchants. */
export const hideDetailsProcedure = definePortalProcedure({ input: z.strictObject({ hides: z.boolean() }) })

/** A device that gets push messages. */
export interface PushDeviceView {
  readonly id: string
  /** The kind of device, such as Chrome on Linux; null when it is unknown. */
  readonly device: { readonly browser: string; readonly system: string } | null
  readonly added_at: string
  /** The last time that its push service accepted a message. */
  readonly last_ok_at: string | null
  /** The time since which the push service has accepted no message, once that is a day ago; null otherwise. */
  readonly failing_since: string | null
}

/** The person's devices, and the key with which a browser subscribes. */
export interface PushDevicesView {
  /** The key of this server for push services, as `applicationServerKey` of the Push API. */
  readonly server_key: string
  readonly hides_details: boolean
  readonly devices: readonly PushDeviceView[]
}

/** The id of the caller's browser among the person's devices; null when it is not one of them. */
export interface KeptDevice {
  readonly id: string | null
}

/** The outcome of a test message: accepted by the push service, failed, or `gone` when the device no longer exists. */
export interface DeviceTest {
  readonly outcome: 'accepted' | 'failed' | 'gone'
  readonly at: string
}

const clockTime = z.string().regex(CLOCK_TIME, { error: 'must be a time such as 22:00' })

/**
 * Changes how and when messages are sent; omitted members stay as they are. Longer quiet hours that hold requests back
 * or cover more than 12 hours require the person's confirmation.
 */
export const saveMessageSettingsProcedure = definePortalProcedure({
  input: z.strictObject({
    language: z.enum(messageLanguages).optional(),
    quiet_hours: z
      .strictObject({ from: clockTime, until: clockTime, requests: z.boolean() })
      .refine(({ from, until }) => from !== until, { error: 'must end at another time than they begin' })
      .nullable()
      .optional(),
    summary_hour: z.int().min(0).max(23).nullable().optional(),
    ...confirmable,
  }),
  stepUp: 'security.relax',
})

/** How and when messages to the person are sent. */
export interface MessageSettingsView {
  readonly language: MessageLanguage
  readonly quiet_hours: QuietHoursView | null
  /** The hour of the daily summary, in the time zone; null without one. */
  readonly summary_hour: number | null
  /** The time zone that the person chose with their limits. */
  readonly time_zone: string
}
