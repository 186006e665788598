import * as z from 'zod'
import { CountersignError } from '../errors.js'
import { checkUrl, isLoopbackUrl } from '../http/address-guard.js'
import { createOutbound } from '../http/outbound.js'
import type { MerchantRoute, Order } from '../payment/order.js'
import { payResult, payResultListing } from '../payment/pay-result.js'
import { makePurchase } from '../payment/purchase.js'
import { openClient } from '../registration.js'
import { PendingStore } from '../state/pending-store.js'
import { defineTool } from './define-tool.js'
import { lineItem } from './line-item.js'

const input = z.strictObject({
  merchant_url: z.url().describe("The merchant's audience URL (merchant_audience in the directory)"),
  merchant_base_api: z.url().optional().describe("Base URL of the merchant's payment API"),
  merchant_domain: z.string().min(1).optional().describe('Host of merchant_url, as a check'),
  merchant_verify_url: z.url().optional().describe("The merchant's verifier; used only without merchant_base_api"),
  amount: z.strictObject({
    currency: z.string().length(3).describe('ISO 4217'),
    amount_minor: z.int().min(1).describe('Total in minor units'),
  }),
  line_items: z.array(lineItem).min(1),
  offer_id: z.string().optional(),
  offer_digest: z
    .string()
    .optional()
    .describe("The offer's digest from the catalog; merchants reject payments without"),
  scope: z.string().default('openid oid4ac:payment'),
  redirect_uri: z.url().describe('One of the registered redirect URIs'),
  consent_mode_hint: z.enum(['auto', 'dashboard', 'scan']).optional(),
  consent_poll_timeout_seconds: z.int().min(1).max(900).optional().describe('How long to wait for the user'),
})

/** Pays a merchant for the user, who approves in their wallet. */
export const agentPaymentInitiate = defineTool({
  name: 'agent_payment_initiate',
  title: 'Pay a merchant',
  description:
    'Pays a merchant for the user, who approves in their wallet when a person is needed. Give exact line items and the ' +
    'total in minor units. `paid` is the only status that means paid. `step_up_required`: show the user payee, amount, ' +
    'link and code, then call again with the same arguments. `declined` is final.',
  input,
  output: payResultListing,
  exactOutput: payResult,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(args, context) {
    const order = toOrder(args)
    const client = await openClient(context.settings)
    // Merchants on this machine exist only beside a sandbox on this machine.
    const allowLoopback = isLoopbackUrl(client.issuer)
    // Before anybody is asked for approval.
    for (const url of [order.merchant, order.route.url]) checkUrl(url, allowLoopback)
    const { result, note } = await makePurchase({
      client,
      order,
      host: context,
      pending: new PendingStore(context.settings.home),
      send: createOutbound({ allowLoopback }),
      wish: { hint: args.consent_mode_hint, timeoutSeconds: args.consent_poll_timeout_seconds },
    })
    return { output: result, note }
  },
})

function toOrder(args: z.infer<typeof input>): Order {
  const { host, hostname } = new URL(args.merchant_url)
  if (args.merchant_domain !== undefined && ![host, hostname].includes(args.merchant_domain.toLowerCase())) {
    throw new CountersignError('merchant_domain is not the host of merchant_url')
  }
  return {
    merchant: args.merchant_url,
    route: toRoute(args),
    amountMinor: args.amount.amount_minor,
    currency: args.amount.currency,
    lineItems: args.line_items,
    offerId: args.offer_id,
    offerDigest: args.offer_digest,
    scope: args.scope,
    redirectUri: args.redirect_uri,
  }
}

function toRoute(args: z.infer<typeof input>): MerchantRoute {
  if (args.merchant_base_api !== undefined) return { kind: 'base_api', url: args.merchant_base_api }
  if (args.merchant_verify_url !== undefined) return { kind: 'verify_url', url: args.merchant_verify_url }
  throw new CountersignError('merchant_base_api or merchant_verify_url is required')
}
