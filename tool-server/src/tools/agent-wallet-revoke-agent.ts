import * as z from 'zod'
import { requirePinnedServer } from '../registration.js'
import { revokeAgent } from '../wallet/revoke-agent.js'
import { openOnce } from '../wallet/session.js'
import { agentRevoked } from '../wallet/wire.js'
import { defineTool } from './define-tool.js'
import { wayOfAsking } from './fields.js'

/** Revokes an agent of the person. */
export const agentWalletRevokeAgent = defineTool({
  name: 'agent_wallet_revoke_agent',
  title: 'Revoke an agent of the user',
  description:
    'Stops one agent of the user for good: its tokens, mandates and open questions end, and it can never pay again. ' +
    'Only on the wish of the user; to pause an agent for a while, they use their wallet. They approve it the first ' +
    'time: on `consent_required` show them link and code, then call again with the same arguments.',
  input: z.strictObject({
    ...wayOfAsking,
    agent_client_id: z.string().min(1).describe('`client_id` of the agent, from agent_wallet_list_agents'),
  }),
  output: agentRevoked,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(input, { settings, ...host }) {
    const startedAt = Date.now()
    await requirePinnedServer(settings, input.as_url)
    const call = { settings, host, scope: 'wallet:write' } as const
    const access = await openOnce(call, { resource: input.resource, redirectUri: input.redirect_uri })
    return { output: await revokeAgent(call, access, { agentId: input.agent_client_id, startedAt }) }
  },
})
