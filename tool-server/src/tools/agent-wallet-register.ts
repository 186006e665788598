import * as z from 'zod'
import { registerAgent, requirePinnedServer } from '../registration.js'
import { defineTool, toRegistrationFailure } from './define-tool.js'
import { asUrl, redirectUris } from './fields.js'

/** Registers this home a second time, for managing the wallet. */
export const agentWalletRegister = defineTool({
  name: 'agent_wallet_register',
  title: 'Register for the wallet',
  description:
    "Registers this agent to look after the user's wallet, with a single-use setup token that the user made there " +
    'for that. Separate from agent_register, with keys of its own. Needed once, before agent_wallet_list_agents, ' +
    'agent_wallet_revoke_agent, agent_payment_history, agent_audit_chain_query and agent_dsar_initiate. What they ' +
    'need must be in scope now: it cannot be widened later.',
  input: z.strictObject({
    setup_token: z.string().min(1).describe('The single-use setup token, which the user makes in their wallet'),
    as_url: asUrl,
    redirect_uris: redirectUris,
    client_name: z.string().min(1).describe('How the wallet shows this agent'),
    purpose: z.string().min(1).describe('What this agent is for, as the wallet shows it'),
    scope: z
      .string()
      .default('wallet:read wallet:write')
      .describe(
        'Names separated by spaces: wallet:read lists agents, wallet:write revokes them, audit:read shows payments ' +
          'and audit entries, privacy:dsar asks for data. Each is also approved by the user at its first use',
      ),
  }),
  output: z.strictObject({
    ok: z.literal(true),
    client_id: z.string(),
    principal_id: z.string(),
    client_name: z.string(),
    purpose: z.string(),
    scope: z.string(),
    as_url: z.string(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(input, { settings, signal }) {
    const { as_url: server, client_name: clientName, purpose, scope } = input
    await requirePinnedServer(settings, server)
    const request = { setupToken: input.setup_token, redirectUris: input.redirect_uris, clientName, purpose, scope }
    try {
      const { registration, reply } = await registerAgent(settings.home, server, { kind: 'wallet', request, signal })
      const { client_id: clientId, principal_id: principalId } = reply
      return {
        output: {
          ok: true as const,
          client_id: clientId,
          principal_id: principalId ?? '',
          client_name: reply.client_name ?? clientName,
          purpose: reply.purpose ?? purpose,
          scope: reply.scope ?? scope,
          as_url: registration.issuer,
        },
      }
    } catch (error) {
      throw toRegistrationFailure(error)
    }
  },
})
