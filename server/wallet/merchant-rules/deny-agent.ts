import type { InputOf } from '../../base/contract/endpoint'
import type { ClientCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import type { denyAgentEndpoint } from './contract'
import { merchantOf } from './merchant'
import { renderPolicy } from './read-policy'
import { recordTenantRules } from './record-tenant-rules'
import { saveTenantRule } from './store'

/**
 * POST /wallet/policy/{merchant_audience}/deny: sets an agent's rule to deny; after the response no request of the
 * agent for that merchant is granted.
 */
export async function denyAgent(call: ClientCall, input: InputOf<typeof denyAgentEndpoint>) {
  const { platform, actor, now } = call
  const { agent_client_id: clientId } = input
  const ruled = { tenantId: actor.client.id, audience: merchantOf(platform, input.merchant_audience) }
  return platform.db.transaction(async (tx) => {
    const before = await renderPolicy(tx, ruled)
    if (!(await saveTenantRule(tx, { ...ruled, clientId, verdict: 'deny', now }))) throw buildUnknownAgentError()
    const after = await renderPolicy(tx, ruled)
    await recordTenantRules(tx, call, { clientId, before, after })
    return after
  })
}
