import * as z from 'zod'
import { registerAgent, requirePinnedServer } from '../registration.js'
import { defineTool, toRegistrationFailure } from './define-tool.js'
import { asUrl, redirectUris } from './fields.js'

/** Registers this agent with a setup token. */
export const agentRegister = defineTool({
  name: 'agent_register',
  title: 'Register this agent',
  description:
    'Registers this agent at an authorization server with a single-use setup token that the user made in their ' +
    'wallet. Needed once, before the first payment. Keys are minted and kept on this machine.',
  input: z.strictObject({
    setup_token: z.string().min(1).describe('The single-use setup token, which the user makes in their wallet'),
    as_url: asUrl,
    redirect_uris: redirectUris,
    client_name: z.string().optional().describe('How the wallet shows this agent'),
  }),
  output: z.strictObject({ ok: z.literal(true), client_id: z.string(), as_url: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(input, { settings, signal }) {
    await requirePinnedServer(settings, input.as_url)
    const request = {
      setupToken: input.setup_token,
      redirectUris: input.redirect_uris,
      clientName: input.client_name,
    }
    try {
      const { registration } = await registerAgent(settings.home, input.as_url, { request, signal })
      return { output: { ok: true as const, client_id: registration.client_id, as_url: registration.issuer } }
    } catch (error) {
      throw toRegistrationFailure(error)
    }
  },
})
