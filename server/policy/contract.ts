import * as z from 'zod'
import { defineEndpoint } from '../contract/endpoint'
import { text, timestamp } from '../contract/wire'

const tag = 'Wallet'
const walletClient = { actor: 'client', kind: 'wallet', dpop: 'none', consumes: 'kit' } as const

const params = z.object({
  merchant_audience: z
    .string()
    .min(1)
    .meta({ description: "The merchant's URL, percent-encoded once or twice.", example: 'https://shop.example' }),
})

const caller = {
  client_id: text(256).min(1),
  client_assertion_type: text(256).optional(),
  client_assertion: text(16_384),
}
const agentClientId = text(256).min(1)

export const merchantPolicy = z
  .strictObject({
    merchant_audience: z.string().meta({ description: 'In its one canonical spelling.' }),
    allow_list_required: z.boolean().meta({ description: 'Whether only agents on the allow list may buy here.' }),
    allow: z.array(z.string()).meta({ description: 'client_ids; never one that is on the deny list.' }),
    deny: z.array(z.string()).meta({ description: 'client_ids.' }),
    updated_at: timestamp.nullable().meta({ description: 'Null when nothing was ever said about the merchant.' }),
  })
  .meta({ id: 'MerchantPolicy' })
export type MerchantPolicy = z.output<typeof merchantPolicy>

export const denyAgentEndpoint = defineEndpoint({
  operationId: 'denyAgentAtMerchant',
  method: 'POST',
  path: '/wallet/policy/{merchant_audience}/deny',
  summary: "Puts one of the tenant's agents on the merchant's deny list",
  tag,
  access: { ...walletClient, credentials: 'body', assertionType: 'optional' },
  params,
  body: {
    kind: 'json',
    schema: z.looseObject({ ...caller, agent_client_id: agentClientId }).meta({ id: 'DenyAgentRequest' }),
  },
  output: merchantPolicy,
  refusal: 'validation',
  refusals: ['invalid_request', 'not_found'],
})

export const allowAgentEndpoint = defineEndpoint({
  operationId: 'allowAgentAtMerchant',
  method: 'POST',
  path: '/wallet/policy/{merchant_audience}/allow',
  summary:
    "Puts one of the tenant's agents on the merchant's allow list, or says whether that list is required, or both",
  tag,
  access: { ...walletClient, credentials: 'body', assertionType: 'optional' },
  params,
  body: {
    kind: 'json',
    schema: z
      .looseObject({
        ...caller,
        agent_client_id: agentClientId.optional(),
        allow_list_required: z.boolean().optional(),
      })
      .meta({ id: 'AllowAgentRequest' }),
  },
  output: merchantPolicy,
  refusal: 'validation',
  refusals: ['invalid_request', 'not_found'],
})

export const readPolicyEndpoint = defineEndpoint({
  operationId: 'readMerchantPolicy',
  method: 'GET',
  path: '/wallet/policy/{merchant_audience}/list',
  summary: 'Which agents of the tenant are allowed and denied at the merchant',
  tag,
  access: { ...walletClient, credentials: 'headers' },
  params,
  output: merchantPolicy,
  refusal: 'validation',
  refusals: ['invalid_request'],
})
