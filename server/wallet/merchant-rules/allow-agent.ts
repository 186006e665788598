import type { InputOf } from '../../base/contract/endpoint'
import type { ClientCall } from '../../base/core/call'
import { buildUnknownAgentError } from '../../base/core/common-errors'
import { ServiceError } from '../../base/core/errors'
import type { allowAgentEndpoint } from './contract'
import { merchantOf } from './merchant'
import { renderPolicy } from './read-policy'
import { recordTenantRules } from './record-tenant-rules'
import { saveGate, saveTenantRule } from './store'

/**
 * POST /wallet/policy/{merchant_audience}/allow: sets an agent's rule to allow, or whether only allowed agents may ask
 * there, or both. When one of the two is refused, neither is saved.
 */
export async function allowAgent(call: ClientCall, input: InputOf<typeof allowAgentEndpoint>) {
  const { platform, actor, now } = call
  const { agent_client_id: clientId, allow_list_required: allowListRequired } = input
  const ruled = { tenantId: actor.client.id, audience: merchantOf(platform, input.merchant_audience) }
  if (clientId === undefined && allowListRequired === undefined) {
    throw new ServiceError('invalid_request', 'agent_client_id or allow_list_required is required.')
  }
  return platform.db.transaction(async (tx) => {
    const before = await renderPolicy(tx, ruled)
    if (clientId !== undefined && !(await saveTenantRule(tx, { ...ruled, clientId, verdict: 'allow', now }))) {
      throw buildUnknownAgentError()
    }
    if (allowListRequired !== undefined) await saveGate(tx, { ...ruled, allowListRequired, now })
    const after = await renderPolicy(tx, ruled)
    await recordTenantRules(tx, call, { clientId: clientId ?? null, before, after })
    return after
  })
}
