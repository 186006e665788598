import * as z from 'zod'
import { sendWithToken } from '../client/wallet-access.js'
import { expectPrincipalAnswer } from '../wallet/failures.js'
import { useAsPrincipal } from '../wallet/principal-token.js'
import { auditChain, auditEvents } from '../wallet/wire.js'
import { defineTool } from './define-tool.js'
import { principalToken, queryOf, range } from './fields.js'

/** Lists the audit entries about the person. */
export const agentAuditChainQuery = defineTool({
  name: 'agent_audit_chain_query',
  title: 'Query the audit chain',
  description:
    'Lists audit entries about the user, newest first: mandates, payments, disputes, revoked tokens, privacy ' +
    'requests; what else changed the wallet, such as approvals and limits, when event_types names it. For what was ' +
    'spent, agent_payment_history is enough. On `consent_required` show the user link and code, then call again with ' +
    'the same arguments.',
  input: z.strictObject({
    principal_token: principalToken,
    ...range,
    event_types: z.array(z.enum(auditEvents)).optional().describe('The first seven when left out'),
    limit: z.int().min(1).max(200).default(50).describe('How many entries at most'),
  }),
  output: auditChain,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ principal_token: token, event_types: types, ...bounds }, { settings, ...host }) {
    const scope = 'audit:read'
    const path = `/wallet/audit-chain${queryOf({ ...bounds, event_types: types?.join(',') || undefined })}`
    const reply = await useAsPrincipal({ settings, host, scope }, token, (access) =>
      sendWithToken(access.session, access, { method: 'GET', path, signal: host.signal }),
    )
    return { output: expectPrincipalAnswer(reply, { schema: auditChain, scope }) }
  },
})
