import * as z from 'zod'
import { CountersignError } from '../errors.js'
import { parseUrl } from '../http/parse-url.js'
import type { MerchantRoute, Order } from '../payment/order.js'
import { payOrder } from '../payment/pay-order.js'
import { payResult, payResultListing } from '../payment/pay-result.js'
import { openClient } from '../registration.js'
import { defineTool } from './define-tool.js'
import { redirectUri } from './fields.js'
import { lineItem } from './line-item.js'

const input = z.strictObject({
  merchant_url: z.url().describe("The merchant's audience URL (merchant_audience in the directory)"),
  merchant_base_api: z
    .url()
    .optional()
    .describe("Base URL of the merchant's payment API; the same as merchant_url unless the merchant names another"),
  merchant_domain: z.string().min(1).optional().describe('Only a check: the host of merchant_url'),
  merchant_verify_url: z
    .url()
    .optional()
    .describe('Instead of merchant_base_api, for a merchant that has only a verifier'),
  amount: z.strictObject({
    currency: z.string().length(3).describe('ISO 4217'),
    amount_minor: z.int().min(1).describe('Total in minor units of the currency: EUR 12.00 is 1200, JPY 1200 is 1200'),
  }),
  line_items: z.array(lineItem).min(1).describe('Everything that is bought; adds up to amount'),
  offer_id: z.string().optional().describe("The item's `offer_id` in the catalog"),
  offer_digest: z
    .string()
    .optional()
    .describe("The item's `offer_digest` in the catalog; merchants reject payments without"),
  scope: z.string().default('openid oid4ac:payment').describe('Leave it out'),
  redirect_uri: redirectUri,
  consent_mode_hint: z
    .enum(['auto', 'dashboard', 'scan'])
    .optional()
    .describe('Leave it out: the server decides how the user is asked'),
  consent_poll_timeout_seconds: z
    .int()
    .min(1)
    .max(900)
    .optional()
    .describe('How long to wait for the user, 45 if left out; more than 45 counts only for hosts that take progress'),
})

/** Pays a merchant for the person, who approves in their wallet. */
export const agentPaymentInitiate = defineTool({
  name: 'agent_payment_initiate',
  title: 'Pay a merchant',
  description:
    'Pays a merchant for the user, who approves in their wallet when a person is needed. Take sku, price, offer_id ' +
    'and offer_digest from agent_browse_merchant; for an invoice, find its item there, and pay nothing when item or ' +
    'price differ. `paid` is the only status that means paid. `step_up_required`: show the user payee, amount, link ' +
    'and code, then call again with the same arguments. `setup_required`: the user adds a card or proves their age, ' +
    'as the note says, then call again. `declined` is final.',
  input,
  output: payResultListing,
  exactOutput: payResult,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  async run(args, context) {
    const order = toOrder(args)
    const client = await openClient(context.settings)
    const approvalOptions = { hint: args.consent_mode_hint, timeoutSeconds: args.consent_poll_timeout_seconds }
    const { result, note } = await payOrder({ client, order, approvalOptions }, context)
    return { output: result, note }
  },
})

function toOrder(args: z.infer<typeof input>): Order {
  if (args.merchant_domain !== undefined && !isHostOf(args.merchant_domain, new URL(args.merchant_url))) {
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

/** Returns whether a name is the host of the URL, in any spelling, with its port or without. */
function isHostOf(name: string, { protocol, host, hostname }: URL): boolean {
  const named = /[/\\?#@\s]/.test(name) ? null : parseUrl(`${protocol}//${name}`)
  return named !== null && (named.host === host || (!/:\d*$/.test(name) && named.hostname === hostname))
}

function toRoute(args: z.infer<typeof input>): MerchantRoute {
  if (args.merchant_base_api !== undefined) return { kind: 'base_api', url: args.merchant_base_api }
  if (args.merchant_verify_url !== undefined) return { kind: 'verify_url', url: args.merchant_verify_url }
  throw new CountersignError('merchant_base_api or merchant_verify_url is required')
}
