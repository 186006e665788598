import { type Context, canonicalMerchant, noteMoment, openDocument, readPart } from '../context.ts'
import { RECEIPT_TYPE } from '../document-types.ts'

/** The receipt that the server signed for the merchant. */
export async function checkReceipt(context: Context): Promise<void> {
  const part = readPart(context, 'receipt', 'that the card was charged is not shown.')
  const receipt =
    part && (await openDocument(context, 'receipt', { jws: part['jws'], typ: RECEIPT_TYPE, name: 'receipt' }))
  if (receipt === null) return
  const { found, issuer } = context
  const { payload: claims } = receipt
  found.require('receipt', claims['iss'] === issuer, 'The receipt is of another server.')
  found.require('receipt', claims['status'] === 'succeeded', 'The receipt is not of a payment that succeeded.')
  found.fact('receipt', 'amount', claims['amount_minor'])
  found.fact('receipt', 'currency', claims['currency'])
  found.fact('receipt', 'merchant', canonicalMerchant(claims['aud']))
  found.fact('receipt', 'agent', claims['sub'])
  found.fact('receipt', 'settlement id', claims['jti'])
  found.fact('receipt', 'mandate id', claims['mandate_id'])
  found.fact('receipt', 'payment id', claims['payment_intent_id'])
  found.fact('receipt', 'fee', claims['application_fee_minor'])
  found.fact('receipt', 'account of the merchant', claims['connected_account_id'])
  found.fact('receipt', 'time of payment', claims['iat'])
  noteMoment(context, 'receipt', 'the receipt was signed', claims['iat'])
  if (!found.has('receipt', 'wrong')) found.proven('receipt', 'The server signed a receipt for exactly this payment.')
}
