import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { currencyCode, identifier, minorUnits, pathId, text, timestamp } from '../../base/contract/wire'
import { confirmable } from '../../identity/passkeys/contract'
import { limitKinds, limitScopes } from './rules'
import type { SharedLimitMember, WireCaps } from './wire-limits'

export type { LimitKind, LimitScope } from './rules'
export { limitsToWire, type WireCaps, type WireLimits } from './wire-limits'

/** How long a limit request waits for a decision, and how long its grant is valid, in hours. */
export const LIMIT_BUMP_TTL_HOURS = 24
const RCS_CALLBACK_MAX_BYTES = 65_536
/** The longest window of a count of payments: 31 days. */
export const VELOCITY_WINDOW_MAX_SECONDS = 2_678_400
/** How long a lowering can be undone without step-up, by the session that made it. */
export const UNDO_SECONDS = 30

/** The longest accepted name of a time zone, about twice the longest that exists. */
const TIME_ZONE_MAX_LENGTH = 64

const sharedLimitFields = {
  daily_cap_minor: minorUnits.nullable(),
  weekly_cap_minor: minorUnits.nullable().meta({
    description: "Per week, from Monday 00:00 on in the person's time zone. Left out of a POST, it stays as it is.",
  }),
  monthly_cap_minor: minorUnits.nullable().meta({
    description: "Per month, from the 1st 00:00 on in the person's time zone. Left out of a POST, it stays as it is.",
  }),
  currency: currencyCode.nullable().meta({
    description:
      'Of the caps. Without it they are in the currency of those before, else in the default of this server.',
  }),
  single_txn_cap_minor: minorUnits.nullable(),
  velocity_count: z.int().nullable(),
  velocity_window_seconds: z.int().nullable().meta({
    description: 'Without it the window stays as it was; at first it is an hour.',
  }),
} satisfies Record<SharedLimitMember, z.ZodType>

const timeZone = text(TIME_ZONE_MAX_LENGTH).min(1)

export const saveLimitsBody = z
  .strictObject({
    ...sharedLimitFields,
    time_zone: timeZone.nullable().meta({
      description:
        'IANA name; null for UTC. Left out of a POST, it stays as it is. Another one counts as letting agents pay more once there is a limit per week or month.',
    }),
  })
  .partial()
  .meta({ id: 'WalletLimitsRequest' })

/** The body that saves an agent's limits. The agent's weeks and months follow its person's time zone. */
export const saveAgentLimitsBody = z.strictObject(sharedLimitFields).partial().meta({ id: 'AgentLimitsRequest' })

/**
 * The limits to save. An absent member means no limit, except for the limits per week and month and the time zone,
 * which stay.
 */
export type WantedLimits = z.output<typeof saveLimitsBody>

/** The portal's request to save limits; a raise needs the person's confirmation. */
export const saveLimitsProcedure = definePortalProcedure({
  input: saveLimitsBody.extend(confirmable),
  stepUp: 'limits.raise',
})
export const saveAgentLimitsProcedure = definePortalProcedure({
  input: saveAgentLimitsBody.extend({ client_id: pathId, ...confirmable }),
  stepUp: 'limits.raise',
})
const { daily_cap_minor, weekly_cap_minor, monthly_cap_minor, single_txn_cap_minor } = sharedLimitFields
/** The caps of one currency, of which at least one is set. */
export const currencyCaps = z.strictObject({
  daily_cap_minor,
  weekly_cap_minor,
  monthly_cap_minor,
  single_txn_cap_minor,
}) satisfies z.ZodType<WireCaps>
export const saveCurrencyProcedure = definePortalProcedure({
  input: currencyCaps.extend({ currency: currencyCode, ...confirmable }),
  stepUp: 'limits.raise',
})
export const removeCurrencyProcedure = definePortalProcedure({ input: z.strictObject({ currency: currencyCode }) })
export const undoLoweringProcedure = definePortalProcedure({ input: z.strictObject({ change_id: pathId }) })
export const approveBumpProcedure = definePortalProcedure({
  input: z.strictObject({ bump_id: pathId, ...confirmable }),
  stepUp: 'bump.approve',
})

const walletLimits = z
  .object({
    ...sharedLimitFields,
    time_zone: timeZone.meta({ description: 'Where weeks and months turn, those of the agents too: an IANA name.' }),
    updated_at: timestamp,
  })
  .meta({ id: 'WalletLimits' })

const agentLimits = z.object({ ...sharedLimitFields, updated_at: timestamp }).meta({ id: 'AgentLimits' })

/**
 * The response of `GET`: the limits and the freeze. It exists while spending is frozen even if the person never saved
 * limits.
 */
const limitsAndFreeze = walletLimits
  .extend({
    updated_at: timestamp.meta({ description: 'When the limits were saved; without any, when spending was frozen.' }),
    frozen_at: timestamp.nullable().meta({ description: 'Since when spending is frozen; null while it is not.' }),
  })
  .meta({ id: 'WalletLimitsState' })

export const readLimitsEndpoint = defineEndpoint({
  operationId: 'readLimits',
  method: 'GET',
  path: '/wallet/limits',
  summary: "Read the person's spending limits and freeze, or null when none were ever saved and spending is not frozen",
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: limitsAndFreeze.nullable(),
  refusal: 'validation',
})

export const saveLimitsEndpoint = defineEndpoint({
  operationId: 'saveLimits',
  method: 'POST',
  path: '/wallet/limits',
  summary:
    "Replace the person's spending limits: null and absent members are no limit, except week, month and time zone, which stay when absent",
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  body: { kind: 'json', schema: saveLimitsBody },
  output: walletLimits,
  refusal: 'validation',
  refusals: ['insufficient_user_authentication'],
})

const agentParams = z.object({ client_id: pathId })

export const readAgentLimitsEndpoint = defineEndpoint({
  operationId: 'readAgentLimits',
  method: 'GET',
  path: '/wallet/agents/{client_id}/limits',
  summary: "Read one agent's own spending limits, or null when none were ever saved",
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:read' },
  params: agentParams,
  output: agentLimits.nullable(),
  refusal: 'validation',
  refusals: ['not_found'],
})

export const saveAgentLimitsEndpoint = defineEndpoint({
  operationId: 'saveAgentLimits',
  method: 'POST',
  path: '/wallet/agents/{client_id}/limits',
  summary: "Replace one agent's own spending limits, which hold beside the person's; the stricter wins",
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: agentParams,
  body: { kind: 'json', schema: saveAgentLimitsBody },
  output: agentLimits,
  refusal: 'validation',
  refusals: ['not_found', 'insufficient_user_authentication'],
})

export const exceededLimit = z
  .strictObject({
    kind: z.enum(limitKinds),
    scope: z.enum(limitScopes).meta({ description: "Whose limit: the wallet's as a whole, or the agent's own." }),
    current_minor: z.int().meta({ description: 'The limit that is exceeded; a count for velocity.' }),
    requested_minor: z.int().meta({ description: 'The limit that would let the payment pass.' }),
  })
  .meta({ id: 'ExceededLimit' })

export const limitBump = z
  .object({
    id: z.string(),
    ...exceededLimit.shape,
    exceeds: z
      .array(exceededLimit)
      .min(1)
      .meta({ description: 'Every limit that approving lifts for this payment; the first is that of kind and scope.' }),
    agent_client_id: z.string(),
    merchant_audience: z.string(),
    amount_minor: minorUnits.meta({ description: 'The payment that it is about.' }),
    currency: currencyCode,
    mandate_id: z.string().optional(),
    status: z.enum(['pending', 'approved', 'declined', 'expired', 'withdrawn']),
    created_at: timestamp,
    expires_at: timestamp,
  })
  .meta({ id: 'LimitBump' })

const bumpParams = z.object({ bump_id: pathId })

export const listLimitBumpsEndpoint = defineEndpoint({
  operationId: 'listLimitBumps',
  method: 'GET',
  path: '/wallet/limit-bumps',
  summary:
    'List requests to exceed limits that wait for the person, newest first; those of a pending approval wait with it',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: z.object({ limit_bumps: z.array(limitBump) }).meta({ id: 'LimitBumpList' }),
  refusal: 'validation',
})

export const approveLimitBumpEndpoint = defineEndpoint({
  operationId: 'approveLimitBump',
  method: 'POST',
  path: '/wallet/limit-bumps/{bump_id}/approve',
  summary: 'Lift the named limits once, for this payment; the stored limits stay as they are',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: bumpParams,
  output: limitBump,
  refusal: 'validation',
  refusals: ['not_found', 'conflict', 'forbidden', 'insufficient_user_authentication'],
})

export const declineLimitBumpEndpoint = defineEndpoint({
  operationId: 'declineLimitBump',
  method: 'POST',
  path: '/wallet/limit-bumps/{bump_id}/decline',
  summary: 'Decline the limit request',
  tag: 'Wallet',
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: bumpParams,
  output: limitBump,
  refusal: 'validation',
  refusals: ['not_found', 'conflict', 'forbidden'],
})

/** The answer that the person pressed, as the carrier reports it. */
export const rcsAnswer = z.object({
  bump_id: identifier(512),
  action: z.enum(['approve', 'decline']),
  token: text(512).min(1),
})

export const receiveRcsCallbackEndpoint = defineEndpoint({
  operationId: 'receiveRcsCallback',
  method: 'POST',
  path: '/oauth/rcs/limit-bump/callback',
  summary: 'Receive the signed decision about a limit request that the person made in its RCS message',
  tag: 'Webhooks',
  access: { actor: 'anonymous' },
  headers: ['rcs-signature'],
  body: { kind: 'raw', maxBytes: RCS_CALLBACK_MAX_BYTES },
  output: z.object({ status: z.enum(['approved', 'declined']) }).meta({ id: 'RcsReceipt' }),
  refusal: 'oauth',
  refusals: ['invalid_signature', 'invalid_request', 'not_found', 'conflict', 'step_up_required', 'forbidden'],
})
