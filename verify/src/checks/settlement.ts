import { type Context, canonicalMerchant, noteMoment, readPart } from '../context.ts'
import { isJsonObject } from '../encoding.ts'
import { secondsOf } from './payment.ts'

const NOTHING_SHOWN = 'how the payment was carried out is not shown.'

/** Checks the record of the settlement, with which the other parts must agree. */
export function checkSettlement(context: Context): void {
  const settlement = readPart(context, 'settlement', NOTHING_SHOWN)
  if (settlement === null) return
  const { findings } = context
  findings.require('settlement', settlement['state'] === 'succeeded', 'The settlement did not succeed.')
  findings.fact('settlement', 'amount', settlement['amount_minor'])
  findings.fact('settlement', 'currency', settlement['currency'])
  findings.fact('settlement', 'merchant', canonicalMerchant(settlement['merchant_audience']))
  findings.fact('settlement', 'settlement id', settlement['settlement_id'])
  findings.fact('settlement', 'fee', settlement['application_fee_minor'])
  findings.fact('settlement', 'account of the merchant', settlement['connected_account_id'])
  findings.fact('settlement', 'time of payment', secondsOf(settlement['settled_at']))
  noteMoment(context, 'settlement', 'the money was held', settlement['reserved_at'])
}

/** Checks the charges that were to be refunded; only the seal signs them. */
export function checkRefunds({ pack, findings }: Context): void {
  const refunds = pack['refunds']
  if (refunds === undefined)
    return findings.missing('refunds', 'The pack has no refunds: whether money was given back is not shown.')
  if (!Array.isArray(refunds)) return findings.wrong('refunds', 'The refunds are not as packs have them.')
  for (const refund of refunds as unknown[]) {
    if (!isJsonObject(refund)) findings.wrong('refunds', 'A refund is not as packs have it.')
  }
  if (!findings.has('seal', 'proven')) return
  const count = refunds.length
  findings.stated(
    'refunds',
    count === 0
      ? "By the server's records nothing was given back."
      : `By the server's records ${count} charge(s) were to be given back.`,
  )
}
