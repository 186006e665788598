import { type Context, canonicalMerchant, noteMoment, readPart } from '../context.ts'
import { isJsonObject } from '../encoding.ts'
import { secondsOf } from './payment.ts'

const NOTHING_SHOWN = 'how the payment was carried out is not shown.'

/** The record of the settlement, which the other parts have to agree with. */
export function checkSettlement(context: Context): void {
  const settlement = readPart(context, 'settlement', NOTHING_SHOWN)
  if (settlement === null) return
  const { found } = context
  found.require('settlement', settlement['state'] === 'succeeded', 'The settlement did not succeed.')
  found.fact('settlement', 'amount', settlement['amount_minor'])
  found.fact('settlement', 'currency', settlement['currency'])
  found.fact('settlement', 'merchant', canonicalMerchant(settlement['merchant_audience']))
  found.fact('settlement', 'settlement id', settlement['settlement_id'])
  found.fact('settlement', 'fee', settlement['application_fee_minor'])
  found.fact('settlement', 'account of the merchant', settlement['connected_account_id'])
  found.fact('settlement', 'time of payment', secondsOf(settlement['settled_at']))
  noteMoment(context, 'settlement', 'the money was held', settlement['reserved_at'])
}

/** Charges that were to be given back, which no signature but the seal is for. */
export function checkRefunds({ pack, found }: Context): void {
  const refunds = pack['refunds']
  if (refunds === undefined)
    return found.missing('refunds', 'The pack has no refunds: whether money was given back is not shown.')
  if (!Array.isArray(refunds)) return found.wrong('refunds', 'The refunds are not as packs have them.')
  for (const refund of refunds as unknown[]) {
    if (!isJsonObject(refund)) found.wrong('refunds', 'A refund is not as packs have it.')
  }
  if (!found.has('seal', 'proven')) return
  const count = refunds.length
  found.stated(
    'refunds',
    count === 0
      ? "By the server's records nothing was given back."
      : `By the server's records ${count} charge(s) were to be given back.`,
  )
}
