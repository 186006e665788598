import type { InputOf } from '../../base/contract/endpoint'
import type { ClientCall } from '../../base/core/call'
import type { denyAgentEndpoint } from './contract'
import { merchantOf } from './merchant'
import { presentPolicy } from './read-policy'
import { requireAgent } from './require-agent'
import { saveTenantRule } from './store'

/** POST /wallet/policy/{merchant_audience}/deny: from the answer on, nothing that the agent asks for there is granted. */
export async function denyAgent({ platform, actor, now }: ClientCall, input: InputOf<typeof denyAgentEndpoint>) {
  const ruled = { tenantId: actor.client.id, audience: merchantOf(platform, input.merchant_audience) }
  return platform.db.transaction(async (tx) => {
    requireAgent(await saveTenantRule(tx, { ...ruled, clientId: input.agent_client_id, verdict: 'deny', now }))
    return presentPolicy(tx, ruled)
  })
}
