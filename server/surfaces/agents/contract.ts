import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { pathId, plainLine, timestamp } from '../../base/contract/wire'
import { confirmable } from '../../identity/passkeys/contract'
import { GIVEN_NAME_MAX } from './input'

const tag = 'Wallet'

export const agentRecord = z
  .strictObject({
    id: z.string(),
    client_id: z.string(),
    label: z
      .string()
      .meta({ description: 'What the person calls it; the name that it registered, unless they gave one.' }),
    purpose: z.string().meta({ description: 'Empty when the agent has none.' }),
    created_at: timestamp,
    last_used_at: timestamp
      .nullable()
      .meta({ description: 'When the agent last got a token; null when it never did.' }),
    revoked: z.boolean(),
    paused: z.boolean().meta({ description: 'The person paused it: it neither pays nor asks to.' }),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'AgentRecord' })
export type AgentRecord = z.output<typeof agentRecord>

export const listAgentsEndpoint = defineEndpoint({
  operationId: 'listAgents',
  method: 'GET',
  path: '/wallet/agents',
  summary: "List the person's agents, newest first",
  tag,
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: z.strictObject({ agents: z.array(agentRecord) }).meta({ id: 'AgentList' }),
  refusal: 'validation',
})

export const readAgentEndpoint = defineEndpoint({
  operationId: 'readAgent',
  method: 'GET',
  path: '/wallet/agents/{client_id}',
  summary: 'Read one agent',
  tag,
  access: { actor: 'wallet', scope: 'wallet:read' },
  params: z.object({ client_id: pathId }),
  output: agentRecord,
  refusal: 'validation',
  refusals: ['not_found'],
})

export const revokeAgentEndpoint = defineEndpoint({
  operationId: 'revokeAgent',
  method: 'POST',
  path: '/wallet/agents/{client_id}/revoke',
  summary: 'Revoke an agent: its tokens, mandates, pending approvals and remembered approvals',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: z.object({ client_id: pathId }),
  output: z
    .strictObject({
      ok: z.literal(true),
      client_id: z.string(),
      revoked_at: timestamp,
      families_revoked: z.int().min(0).meta({ description: 'Token families that this call ended; 0 when repeated.' }),
    })
    .meta({ id: 'AgentRevoked' }),
  refusal: 'validation',
  refusals: ['not_found'],
})

/** Ends an agent's wallet access to scopes that the person approved together. */
export const endAccessProcedure = definePortalProcedure({
  input: z.strictObject({ client_id: pathId, scope: z.string().min(1).max(1_024) }),
})

const agentPause = z.strictObject({ client_id: z.string(), paused: z.boolean() }).meta({ id: 'AgentPause' })

export const pauseAgentEndpoint = defineEndpoint({
  operationId: 'pauseAgent',
  method: 'POST',
  path: '/wallet/agents/{client_id}/pause',
  summary: 'Pause an agent: until it is resumed it neither pays nor asks to, and what it waits for is withdrawn',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: z.object({ client_id: pathId }),
  output: agentPause,
  refusal: 'validation',
  refusals: ['not_found'],
})

export const resumeAgentEndpoint = defineEndpoint({
  operationId: 'resumeAgent',
  method: 'POST',
  path: '/wallet/agents/{client_id}/resume',
  summary: 'Resume a paused agent: it can pay and ask again',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  params: z.object({ client_id: pathId }),
  output: agentPause,
  refusal: 'validation',
  refusals: ['not_found', 'insufficient_user_authentication'],
})

/** Resumes an agent from the portal, with the person's confirmation. */
export const resumeAgentProcedure = definePortalProcedure({
  input: z.strictObject({ client_id: pathId, ...confirmable }),
  stepUp: 'security.relax',
})

/** Renames an agent; an empty name restores the one that it registered. */
export const renameAgentProcedure = definePortalProcedure({
  input: z.strictObject({ client_id: pathId, name: plainLine(GIVEN_NAME_MAX) }),
})

const freeze = z
  .strictObject({ frozen_at: timestamp.nullable().meta({ description: 'Null while spending is not frozen.' }) })
  .meta({ id: 'Freeze' })

export const freezeSpendingEndpoint = defineEndpoint({
  operationId: 'freezeSpending',
  method: 'POST',
  path: '/wallet/freeze',
  summary: 'Freeze spending: until it is lifted no agent pays or asks to, and what waits is withdrawn',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  output: freeze,
  refusal: 'validation',
})

export const unfreezeSpendingEndpoint = defineEndpoint({
  operationId: 'unfreezeSpending',
  method: 'POST',
  path: '/wallet/unfreeze',
  summary: 'Unfreeze spending: agents can pay again, within the limits as they are',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  output: freeze,
  refusal: 'validation',
  refusals: ['insufficient_user_authentication'],
})

/** Unfreezes spending from the portal, with the person's confirmation. */
export const unfreezeSpendingProcedure = definePortalProcedure({
  input: z.strictObject(confirmable),
  stepUp: 'security.relax',
})
