import * as z from 'zod'
import { sendWithToken } from '../client/wallet-access.js'
import { expectPrincipalAnswer } from '../wallet/failures.js'
import { useAsPrincipal } from '../wallet/principal-token.js'
import { paymentHistory } from '../wallet/wire.js'
import { defineTool } from './define-tool.js'
import { principalToken, queryOf, range } from './fields.js'

/** Lists the payments of the person. */
export const agentPaymentHistory = defineTool({
  name: 'agent_payment_history',
  title: 'Show the payment history',
  description:
    'Lists what all agents of the user have paid, newest first, in minor units: add up per currency. With ' +
    '`has_more`, call again with processed_at_iso of the last row as to_iso, which repeats that row. On ' +
    '`consent_required` show the user link and code, then call again with the same arguments.',
  input: z.strictObject({
    principal_token: principalToken,
    ...range,
    include_disputed: z.boolean().default(true).describe('False leaves payments out that were ever disputed'),
    limit: z.int().min(1).max(100).default(50).describe('How many payments at most'),
  }),
  output: paymentHistory,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ principal_token: token, ...query }, { settings, ...host }) {
    const scope = 'audit:read'
    const path = `/wallet/payment-history${queryOf(query)}`
    const reply = await useAsPrincipal({ settings, host, scope }, token, (access) =>
      sendWithToken(access.session, access, { method: 'GET', path, signal: host.signal }),
    )
    return { output: expectPrincipalAnswer(reply, { schema: paymentHistory, scope }) }
  },
})
