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
import { CLOCK_TIME, CODE_DIGITS, PHONE_NUMBER } from './input'

export const CODE_TTL_SECONDS = 10 * 60
export const CODE_TRIES_MAX = 5
/** Codes for one person, and for one number from all people together. */
export const CODES_PER_HOUR = 5
/** Confirmed changes of the mail address, for one person, and to one address from all people together. */
export const EMAIL_CHANGES_PER_HOUR = 5

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

/** The portal's saves: another phone, and no mail any more, need the person's confirmation. */
export const saveNotificationsProcedure = definePortalProcedure({
  input: savePreferencesBody.extend(confirmable),
  stepUp: 'security.relax',
})

/** Replaces what the person does not want to be told. */
export const chooseEventsProcedure = definePortalProcedure({
  input: z.strictObject({ muted: z.array(z.enum(mutedEntries)).max(mutedEntries.length) }),
})
export interface EventChoice {
  readonly muted: readonly MutedEntry[]
}

/** The code that the new phone shows. */
export const confirmPhoneProcedure = definePortalProcedure({
  input: z.strictObject({ code: z.string().regex(CODE_DIGITS, { error: 'must be six digits' }) }),
})

/** Another mail address needs the person's confirmation, and then that of its own mailbox. */
export const changeEmailProcedure = definePortalProcedure({
  input: z.strictObject({
    email: z.string().trim().pipe(mailAddress),
    ...confirmable,
  }),
  stepUp: 'security.relax',
})

/** The token of a mailed link. It is posted, also to read what the link does, so that it stands in no address. */
export const mailedLinkProcedure = definePortalProcedure({
  input: z.strictObject({ token: z.string().regex(BASE64URL_32_BYTES) }),
})

/** Where messages to the person go, and what waits to be confirmed. */
export interface ContactsView {
  readonly email: string | null
  /** The address that waits for the press of the link that was mailed to it. */
  readonly pending_email: { readonly email: string; readonly expires_at: string } | null
  readonly phone: {
    /** The phone that messages go to. */
    readonly in_use: string | null
    /** From when it may answer limit requests; null when it may now, or is not in use. */
    readonly approves_from: string | null
    /** The saved phone, while it waits for its code. */
    readonly waiting: string | null
    /** Until when the code that was sent last can be entered; null when a new one is needed. */
    readonly code_expires_at: string | null
  }
  /** Through which channels the person hears of what waits for them. */
  readonly told_by: readonly Channel[]
}

/** What a mailed link does, as its page says before it asks. */
export interface MailedLinkView {
  readonly purpose: LinkPurpose
  readonly used: boolean
  /** Whose wallet it is about: the name, and the first letter and domain of the address in use. */
  readonly wallet: { readonly name: string | null; readonly email: string | null }
  /** The address that would be used, or the passkey that would be removed. */
  readonly about: string
}

/** Undoes a change that a mailed link undoes, too; it takes what stood for the person before the change. */
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
  /** Where the undoing link was mailed to, as much of it; empty when that was not kept. */
  readonly mailed_to: string
  readonly changed_at: string
  readonly until: string
  /** How it is confirmed here; `link` when only the mailed link undoes it. */
  readonly way: UndoWay
}

/** Test messages to devices, for one person. */
export const DEVICE_TESTS_PER_10_MINUTES = 10

/** Base64url of a little more than the 65 bytes of a key. */
const KEY_MAX_CHARS = 100
const ID_MAX_CHARS = 64

const endpoint = z.string().min(1).max(URI_MAX_CHARS)
const key = z.string().min(1).max(KEY_MAX_CHARS)

/** What a browser knows of its subscription (Push API, `PushSubscription`), and the language of its pages. */
const subscription = { endpoint, p256dh: key, auth: key, language: z.enum(messageLanguages) }
export type HandedSubscription = Readonly<z.output<z.ZodObject<typeof subscription>>>

/** A new device needs the person's confirmation: it shows what they buy, and is where they are asked. */
export const addDeviceProcedure = definePortalProcedure({
  input: z.strictObject({ ...subscription, ...confirmable }),
  stepUp: 'security.relax',
})

/** A browser hands in what it has, and what it had when it handed in last, where that differs. */
export const keepDeviceProcedure = definePortalProcedure({
  input: z.strictObject({ ...subscription, replaces: endpoint.optional() }),
})

export const deviceProcedure = definePortalProcedure({
  input: z.strictObject({ id: z.string().min(1).max(ID_MAX_CHARS) }),
})

/** Whether lock screens show amounts and shops. */
export const hideDetailsProcedure = definePortalProcedure({ input: z.strictObject({ hides: z.boolean() }) })

/** A device that gets push messages. */
export interface PushDeviceView {
  readonly id: string
  /** Such as Chrome on Linux; null when it is unknown. */
  readonly device: { readonly browser: string; readonly system: string } | null
  readonly added_at: string
  /** When its push service took a message last. */
  readonly last_ok_at: string | null
  /** Since when it has taken none, once that is a day ago. */
  readonly failing_since: string | null
}

/** The person's devices, and what browsers need to become one. */
export interface PushDevicesView {
  /** The key of this server for push services, as `applicationServerKey` of the Push API. */
  readonly server_key: string
  readonly hides_details: boolean
  readonly devices: readonly PushDeviceView[]
}

/** The device that a browser is; null when it is none of the person's. */
export interface KeptDevice {
  readonly id: string | null
}

/** What became of a test message: taken by the push service, not taken, or the device is gone. */
export interface DeviceTest {
  readonly outcome: 'accepted' | 'failed' | 'gone'
  readonly at: string
}

const clockTime = z.string().regex(CLOCK_TIME, { error: 'must be a time such as 22:00' })

/** How and when messages come; what is left out stays as it is. */
export const saveMessageSettingsProcedure = definePortalProcedure({
  input: z.strictObject({
    language: z.enum(messageLanguages).optional(),
    quiet_hours: z
      .strictObject({ from: clockTime, until: clockTime, requests: z.boolean() })
      .refine(({ from, until }) => from !== until, { error: 'must end at another time than they begin' })
      .nullable()
      .optional(),
    summary_hour: z.int().min(0).max(23).nullable().optional(),
  }),
})

/** How and when messages to the person come. */
export interface MessageSettingsView {
  readonly language: MessageLanguage
  readonly quiet_hours: QuietHoursView | null
  /** By the clocks of the time zone; null without a daily summary. */
  readonly summary_hour: number | null
  /** Chosen with the limits. */
  readonly time_zone: string
}

/** Hours in which messages are held back. */
export interface QuietHoursView {
  readonly from: string
  readonly until: string
  /** Whether requests still come through. */
  readonly requests: boolean
}
