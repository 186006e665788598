import { type Context, canonicalMerchant, noteMoment, readPart } from '../context.ts'
import { isJsonObject } from '../encoding.ts'

/** Checks the payment's own member. Only its agreement with the other parts proves it. */
export function checkPayment(context: Context): void {
  const payment = readPart(context, 'payment', 'there is nothing to compare the documents with.')
  if (payment === null) return
  const { findings } = context
  const { payer, merchant } = payment
  findings.fact('payment', 'amount', payment['amount_minor'])
  findings.fact('payment', 'currency', payment['currency'])
  findings.fact('payment', 'items', payment['items'])
  findings.fact('payment', 'agent', payment['agent_client_id'])
  findings.fact('payment', 'mandate id', payment['mandate_id'])
  findings.fact('payment', 'payment id', payment['payment_intent_id'])
  findings.fact('payment', 'settlement id', payment['settlement_id'])
  findings.fact('payment', 'time of payment', secondsOf(payment['processed_at']))
  if (isJsonObject(merchant)) findings.fact('payment', 'merchant', canonicalMerchant(merchant['audience']))
  if (isJsonObject(payer)) findings.fact('payment', 'person', payer['principal_id'])
}

/** Notes the facts about the parties that only the server states. */
export function stateParties({ pack, findings }: Context): void {
  const payment = pack['payment']
  if (!isJsonObject(payment) || !findings.has('seal', 'proven')) return
  const { payer, merchant, card } = payment
  const name = isJsonObject(payer) && typeof payer['name'] === 'string' ? payer['name'] : 'not named'
  findings.stated('payment', `By the server's records the payer is ${name}.`)
  if (isJsonObject(merchant) && typeof merchant['name'] === 'string') {
    findings.stated('payment', `By the server's directory the merchant is ${merchant['name']}.`)
  }
  if (isJsonObject(card)) {
    findings.stated(
      'payment',
      `By the server's records the card is ${String(card['brand'])} ending in ${String(card['last4'])}.`,
    )
  }
}

/** Converts an instant to whole seconds since 1970, as in signatures. */
export const secondsOf = (instant: unknown): number => Math.floor(Date.parse(String(instant)) / 1000)

/** Notes when the pack was made, which must be after everything in it. */
export function noteCreation(context: Context): void {
  const created = context.pack['created_at']
  if (created !== undefined) noteMoment(context, 'pack', 'the pack was put together', created)
}
