import * as z from 'zod'
import { sendWithToken } from '../client/wallet-access.js'
import { requirePinnedServer } from '../registration.js'
import { expectWalletAnswer } from '../wallet/failures.js'
import { openOnce } from '../wallet/session.js'
import { agentList } from '../wallet/wire.js'
import { defineTool } from './define-tool.js'
import { wayOfAsking } from './fields.js'

/** Lists the agents of the person. */
export const agentWalletListAgents = defineTool({
  name: 'agent_wallet_list_agents',
  title: 'List the agents of the user',
  description:
    'Lists the agents that the user has connected to their wallet, newest first, revoked ones included. To find the ' +
    'one that the user means, compare label, purpose, created_at and last_used_at; ask when several fit. The user ' +
    'approves it the first time: on `consent_required` show them link and code, then call again with the same ' +
    'arguments.',
  input: z.strictObject(wayOfAsking),
  output: agentList,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(input, { settings, ...host }) {
    await requirePinnedServer(settings, input.as_url)
    const scope = 'wallet:read'
    const way = { resource: input.resource, redirectUri: input.redirect_uri }
    const access = await openOnce({ settings, host, scope }, way)
    const reply = await sendWithToken(access.session, access, {
      method: 'GET',
      path: '/wallet/agents',
      signal: host.signal,
    })
    return { output: expectWalletAnswer(reply, { schema: agentList, scope }) }
  },
})
