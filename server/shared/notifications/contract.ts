import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { timestamp } from '../../base/contract/wire'
import { PHONE_NUMBER } from './input'

const phoneNumber = z
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
    email_enabled: z.boolean(),
    updated_at: timestamp,
  })
  .meta({ id: 'WalletNotifications' })

export const channels = ['email', 'rcs'] as const
export type Channel = (typeof channels)[number]

/** What a person may choose not to be told; what asks them something, and changes of security, are told in any case. */
export const mutableEvents = ['payments', 'near_limit', 'disputes'] as const
export type MutableEvent = (typeof mutableEvents)[number]

export type MutedEntry = `${MutableEvent}:${Channel}`
/** Every event and channel that can be switched off, as it is kept. */
export const mutedEntries: readonly MutedEntry[] = mutableEvents.flatMap((event) =>
  channels.map((channel) => `${event}:${channel}` as const),
)

/** Replaces what the person does not want to be told. */
export const chooseEventsProcedure = definePortalProcedure({
  input: z.strictObject({ muted: z.array(z.enum(mutedEntries)).max(mutedEntries.length) }),
})
export interface EventChoice {
  readonly muted: readonly MutedEntry[]
}

export const readNotificationsEndpoint = defineEndpoint({
  operationId: 'readNotifications',
  method: 'GET',
  path: '/wallet/notifications',
  summary: 'How the person wants to be told, or null when they never said',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: preferences.nullable(),
  refusal: 'validation',
})

export const saveNotificationsEndpoint = defineEndpoint({
  operationId: 'saveNotifications',
  method: 'POST',
  path: '/wallet/notifications',
  summary: 'Replaces how the person wants to be told; sign-in and confirmation links are mailed in any case',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  body: { kind: 'json', schema: savePreferencesBody },
  output: preferences,
  refusal: 'validation',
})
