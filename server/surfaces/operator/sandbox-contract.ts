import * as z from 'zod'
import { defineEndpoint } from '../../base/contract/endpoint'
import { mailAddress } from '../../base/contract/wire'
import { testCardNames } from '../../base/platform/processor/sandbox-cards'
import { phoneNumber } from '../../identity/contacts/contract'
import { setupTokenReply } from '../../oauth/clients/contract'
import { saveLimitsBody } from '../../wallet/limits/contract'
import { bodyId, common, jsonObject, scopeList } from './contract'

/** The most webhooks about one event that can be requested. */
const DELIVERIES_MAX = 10

const sandboxOnly = { ...common, tag: 'Sandbox operation', sandboxOnly: true } as const

const testCard = z.enum(testCardNames).meta({ description: "One of the sandbox processor's test cards." })

export const createSandboxPrincipalEndpoint = defineEndpoint({
  ...sandboxOnly,
  operationId: 'createSandboxPrincipal',
  method: 'POST',
  path: '/operator/sandbox/principals',
  summary: 'Create a person who is ready to pay',
  body: {
    kind: 'json',
    optional: true,
    schema: z
      .strictObject({
        approval_rule: z.enum(['every_purchase', 'new_merchants', 'above_limits']).default('new_merchants'),
        magic_link_gate: z.boolean().default(false),
        limits: saveLimitsBody.optional(),
        card: testCard.default('success'),
        wallet_client_id: bodyId.optional().meta({ description: "The built-in portal's tenant when absent." }),
        email: mailAddress.optional(),
        rcs_phone_e164: phoneNumber.optional().meta({
          description:
            'Gets phone messages, and counts as confirmed two days ago, so that it may answer limit requests.',
        }),
      })
      .meta({ id: 'SandboxPrincipalRequest' }),
  },
  output: z
    .strictObject({ principal_id: z.string(), email: z.string(), card_id: z.string() })
    .meta({ id: 'SandboxPrincipal' }),
  status: 201,
  refusals: ['not_found', 'conflict'],
})

export const createSandboxSetupTokenEndpoint = defineEndpoint({
  ...sandboxOnly,
  operationId: 'createSandboxSetupToken',
  method: 'POST',
  path: '/operator/sandbox/setup-tokens',
  summary: 'Mint a setup token for a person, as their wallet would',
  body: {
    kind: 'json',
    schema: z
      .strictObject({ principal_id: bodyId, scope: scopeList.optional() })
      .meta({ id: 'SandboxSetupTokenRequest' }),
  },
  output: setupTokenReply,
  status: 201,
  refusals: ['not_found', 'invalid_scope', 'access_denied', 'rate_limited'],
})

export const openSandboxWalletSessionEndpoint = defineEndpoint({
  ...sandboxOnly,
  operationId: 'openSandboxWalletSession',
  method: 'POST',
  path: '/operator/sandbox/wallet-sessions',
  summary: 'Open a wallet session of a person, bound to a DPoP key',
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        principal_id: bodyId,
        scope: scopeList.min(1).meta({ description: 'Wallet scopes, separated by spaces.' }),
        dpop_jwk: jsonObject.meta({ description: 'Public Ed25519 or P-256 key (RFC 7517).' }),
      })
      .meta({ id: 'SandboxWalletSessionRequest' }),
  },
  output: z
    .strictObject({ access_token: z.string(), expires_in: z.int().positive() })
    .meta({ id: 'SandboxWalletSession' }),
  status: 201,
  refusals: ['not_found', 'invalid_scope', 'access_denied'],
})

export const confirmSandboxSetupIntentEndpoint = defineEndpoint({
  ...sandboxOnly,
  operationId: 'confirmSandboxSetupIntent',
  method: 'POST',
  path: '/operator/sandbox/setup-intents',
  summary: 'Confirm a setup intent at the sandbox processor, in the place of the cardholder',
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        setup_intent_id: bodyId,
        card: testCard.default('success'),
        deliveries: z
          .int()
          .min(0)
          .max(DELIVERIES_MAX)
          .default(1)
          .meta({ description: 'How many copies of the webhook the processor sends at once.' }),
      })
      .meta({ id: 'SandboxSetupIntentRequest' }),
  },
  output: z.strictObject({ setup_intent_id: z.string(), status: z.string() }).meta({ id: 'SandboxSetupIntent' }),
  refusals: ['not_found'],
})

export const moveSandboxDisputeEndpoint = defineEndpoint({
  ...sandboxOnly,
  operationId: 'moveSandboxDispute',
  method: 'POST',
  path: '/operator/sandbox/disputes',
  summary: 'Open or close a dispute about a payment at the sandbox processor',
  body: {
    kind: 'json',
    schema: z
      .strictObject({ payment_intent_id: bodyId, dispute_status: z.enum(['pending', 'won', 'lost']) })
      .meta({ id: 'SandboxDisputeRequest' }),
  },
  output: z
    .strictObject({ payment_intent_id: z.string(), dispute_status: z.enum(['pending', 'won', 'lost']) })
    .meta({ id: 'SandboxDispute' }),
  refusals: ['not_found', 'conflict'],
})
