import * as z from 'zod'
import { definePortalProcedure } from '../../../base/contract/portal-procedure'
import { pathId, plainLine } from '../../../base/contract/wire'
import { confirmable } from '../../../identity/passkeys/contract'
import { saveAgentLimitsBody } from '../../../wallet/limits/contract'
import { AGENT_NAME_MAX, AGENT_PURPOSE_MAX } from '../input'

export const readAgentProcedure = definePortalProcedure({ input: z.strictObject({ client_id: pathId }) })

export const connectAgentProcedure = definePortalProcedure({
  input: z.strictObject({
    name: plainLine(AGENT_NAME_MAX).min(1, { error: 'Give the agent a name' }),
    purpose: plainLine(AGENT_PURPOSE_MAX),
    scope: z.string().max(1_024),
    /** The agent's own limits from the start. */
    limits: saveAgentLimitsBody.optional(),
    ...confirmable,
  }),
  stepUp: 'agent.connect',
})

/** One setup token of the person, to be read or cancelled. */
export const setupTokenProcedure = definePortalProcedure({ input: z.strictObject({ id: pathId }) })

export const forgetMerchantProcedure = definePortalProcedure({
  input: z.strictObject({ client_id: pathId, merchant_audience: z.string().min(1).max(2_048) }),
})
