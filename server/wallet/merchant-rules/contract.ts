import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { definePortalProcedure } from '../../base/contract/portal-procedure'
import { identifier, text, timestamp } from '../../base/contract/wire'
import { confirmable } from '../../identity/passkeys/contract'

const tag = 'Wallet'
const walletClient = { actor: 'client', kind: 'wallet', dpop: 'none', consumes: 'kit' } as const

const params = z.object({
  merchant_audience: z
    .string()
    .min(1)
    .meta({ description: "The merchant's URL, percent-encoded once or twice.", example: 'https://shop.example' }),
})

const caller = {
  client_id: identifier(256),
  client_assertion_type: text(256).optional(),
  client_assertion: text(16_384),
}
const agentClientId = identifier(256)

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
  summary: "Put one of the tenant's agents on the merchant's deny list",
  tag,
  access: { ...walletClient, credentials: 'body', assertionType: 'optional' },
  params,
  body: {
    kind: 'json',
    schema: z.looseObject({ ...caller, agent_client_id: agentClientId }).meta({ id: 'DenyAgentRequest' }),
  },
  output: merchantPolicy,
  refusal: 'validation',
  refusals: ['not_found'],
})

export const allowAgentEndpoint = defineEndpoint({
  operationId: 'allowAgentAtMerchant',
  method: 'POST',
  path: '/wallet/policy/{merchant_audience}/allow',
  summary: "Put one of the tenant's agents on the merchant's allow list, set whether that list is required, or both",
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
    missing: 'invalid_request',
  },
  output: merchantPolicy,
  refusal: 'validation',
  refusals: ['invalid_request', 'not_found'],
})

export const readPolicyEndpoint = defineEndpoint({
  operationId: 'readMerchantPolicy',
  method: 'GET',
  path: '/wallet/policy/{merchant_audience}/list',
  summary: "List the tenant's agents that are allowed and denied at the merchant",
  tag,
  access: { ...walletClient, credentials: 'headers' },
  params,
  validatesPath: true,
  output: merchantPolicy,
  refusal: 'validation',
})

/** The most rules about merchants that one person may have. */
export const MERCHANT_RULES_MAX = 1_000
/** The number of rules up to which tokens may add some, so that no agent takes the person's means to block a merchant. */
export const MERCHANT_RULES_MAX_BY_TOKEN = 900
/** The longest path segment that names a merchant: a URL of the greatest length, percent-encoded twice. */
const AUDIENCE_MAX_CHARS = 5 * 2_048

const verdict = z.enum(['allow', 'deny'])
const ruledAgent = z.string().nullable().meta({ description: 'Null for a rule that holds for all agents.' })

export const merchantRules = z
  .strictObject({
    only_listed: z.boolean().meta({ description: 'Whether only merchants with an allow rule may ask.' }),
    rules: z.array(
      z.strictObject({
        merchant_audience: z.string().meta({ description: 'In its one canonical spelling.' }),
        merchant_name: z.string().optional().meta({ description: 'As it is registered.' }),
        agent_client_id: ruledAgent,
        verdict,
        updated_at: timestamp,
      }),
    ),
  })
  .meta({ id: 'MerchantRules' })
export type MerchantRules = z.output<typeof merchantRules>

export const readMerchantRulesEndpoint = defineEndpoint({
  operationId: 'readMerchantRules',
  method: 'GET',
  path: '/wallet/merchant-rules',
  summary: "List the person's own rules about merchants, which hold beside the tenant's",
  tag,
  access: { actor: 'wallet', scope: 'wallet:read' },
  output: merchantRules,
  refusal: 'validation',
})

const merchantRuleRequest = z
  .strictObject({
    merchant_audience: text(AUDIENCE_MAX_CHARS).min(1).meta({
      description: "The merchant's URL; percent-encoded up to twice is fine.",
      example: 'https://shop.example',
    }),
    agent_client_id: agentClientId.nullish(),
    verdict: verdict.nullable().meta({
      description: 'A deny covers everything beneath the address, an allow exactly it. Null forgets the rule.',
    }),
  })
  .meta({ id: 'MerchantRuleRequest' })

export const previewMerchantRuleProcedure = definePortalProcedure({ input: merchantRuleRequest })
/** The portal's request to save a rule; an allow or a lifted block needs the person's confirmation. */
export const saveMerchantRuleProcedure = definePortalProcedure({
  input: merchantRuleRequest.extend(confirmable),
  stepUp: 'security.relax',
})

/** An allow or a lifted block, in the form that the person confirms. */
export type RelaxedRule = {
  readonly merchant_rule: {
    readonly merchant_audience: string
    readonly agent_client_id: string | null
    readonly from: 'allow' | 'deny' | null
    readonly to: 'allow' | 'deny' | null
  }
}

export const saveMerchantRuleEndpoint = defineEndpoint({
  operationId: 'saveMerchantRule',
  method: 'POST',
  path: '/wallet/merchant-rules',
  summary: 'Allow or block a merchant for all agents of the person or for one, or remove that rule',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  body: { kind: 'json', schema: merchantRuleRequest },
  output: z
    .strictObject({
      merchant_audience: z.string().meta({ description: 'In its one canonical spelling.' }),
      agent_client_id: ruledAgent,
      verdict: verdict.nullable(),
      updated_at: timestamp.nullable().meta({ description: 'Null when there is no rule any more.' }),
    })
    .meta({ id: 'MerchantRule' }),
  refusal: 'validation',
  refusals: ['not_found', 'insufficient_user_authentication'],
})

const merchantGate = z.strictObject({ only_listed: z.boolean() }).meta({ id: 'MerchantGate' })
export const saveMerchantGateProcedure = definePortalProcedure({
  input: merchantGate.extend(confirmable),
  stepUp: 'security.relax',
})

export const saveMerchantGateEndpoint = defineEndpoint({
  operationId: 'saveMerchantGate',
  method: 'POST',
  path: '/wallet/merchant-rules/gate',
  summary: 'Set whether only merchants that the person allowed may ask',
  tag,
  access: { actor: 'wallet', scope: 'wallet:write' },
  body: { kind: 'json', schema: merchantGate },
  output: merchantGate,
  refusal: 'validation',
  refusals: ['insufficient_user_authentication'],
})
