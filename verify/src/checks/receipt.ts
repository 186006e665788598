import { type Context, canonicalMerchant, noteMoment, openDocument, readPart } from '../context.ts'
import { RECEIPT_TYPE } from '../document-types.ts'

/** Checks the receipt that the server signed for the merchant. */
export async function checkReceipt(context: Context): Promise<void> {
  const part = readPart(context, 'receipt', 'that the card was charged is not shown.')
  const receipt =
    part && (await openDocument(context, 'receipt', { jws: part['jws'], typ: RECEIPT_TYPE, name: 'receipt' }))
  if (receipt === null) return
  const { findings, issuer } = context
  const { payload: claims } = receipt
  findings.require('receipt', claims['iss'] === issuer, 'The receipt is of another server.')
  findings.require('receipt', claims['status'] === 'succeeded', 'The receipt is not of a payment that succeeded.')
  findings.fact('receipt', 'amount', claims['amount_minor'])
  findings.fact('receipt', 'currency', claims['currency'])
  findings.fact('receipt', 'merchant', canonicalMerchant(claims['aud']))
  findings.fact('receipt', 'agent', claims['sub'])
  findings.fact('receipt', 'settlement id', claims['jti'])
  findings.fact('receipt', 'mandate id', claims['mandate_id'])
  findings.fact('receipt', 'payment id', claims['payment_intent_id'])
  findings.fact('receipt', 'fee', claims['application_fee_minor'])
  findings.fact('receipt', 'account of the merchant', claims['connected_account_id'])
  findings.fact('receipt', 'time of payment', claims['iat'])
  noteMoment(context, 'receipt', 'the receipt was signed', claims['iat'])
  if (!findings.has('receipt', 'wrong'))
    findings.proven('receipt', 'The server signed a receipt for exactly this payment.')
}
