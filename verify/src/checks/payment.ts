import { type Context, canonicalMerchant, noteMoment, readPart } from '../context.ts'
import { isJsonObject } from '../encoding.ts'

/** What the payment's own member says; it is shown by the other parts agreeing with it. */
export function checkPayment(context: Context): void {
  const payment = readPart(context, 'payment', 'there is nothing to compare the documents with.')
  if (payment === null) return
  const { found } = context
  const { payer, merchant } = payment
  found.fact('payment', 'amount', payment['amount_minor'])
  found.fact('payment', 'currency', payment['currency'])
  found.fact('payment', 'items', payment['items'])
  found.fact('payment', 'agent', payment['agent_client_id'])
  found.fact('payment', 'mandate id', payment['mandate_id'])
  found.fact('payment', 'payment id', payment['payment_intent_id'])
  found.fact('payment', 'settlement id', payment['settlement_id'])
  found.fact('payment', 'time of payment', secondsOf(payment['processed_at']))
  if (isJsonObject(merchant)) found.fact('payment', 'merchant', canonicalMerchant(merchant['audience']))
  if (isJsonObject(payer)) found.fact('payment', 'person', payer['principal_id'])
}

/** What only the server says about the parties. */
export function stateParties({ pack, found }: Context): void {
  const payment = pack['payment']
  if (!isJsonObject(payment) || !found.has('seal', 'proven')) return
  const { payer, merchant, card } = payment
  const name = isJsonObject(payer) && typeof payer['name'] === 'string' ? payer['name'] : 'not named'
  found.stated('payment', `By the server's records the payer is ${name}.`)
  if (isJsonObject(merchant) && typeof merchant['name'] === 'string') {
    found.stated('payment', `By the server's directory the merchant is ${merchant['name']}.`)
  }
  if (isJsonObject(card)) {
    found.stated(
      'payment',
      `By the server's records the card is ${String(card['brand'])} ending in ${String(card['last4'])}.`,
    )
  }
}

/** Whole seconds, as signatures have them. */
export const secondsOf = (instant: unknown): number => Math.floor(Date.parse(String(instant)) / 1000)

/** When the pack was made comes after everything in it. */
export function noteCreation(context: Context): void {
  const created = context.pack['created_at']
  if (created !== undefined) noteMoment(context, 'pack', 'the pack was put together', created)
}
