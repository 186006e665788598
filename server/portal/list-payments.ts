import * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { listPayments } from '../payments'
import { PAYMENT_HISTORY_DEFAULT_LIMIT } from '../payments/contract'
import type { PaymentPageView, paymentSearch } from './contract'
import { presentPayment } from './present-payment'

const position = z.tuple([z.iso.datetime(), z.string().min(1).max(512)])

/** One page of payments, newest first, with totals of everything that the filter matches. */
export async function searchPayments(
  call: WalletCall,
  input: z.output<typeof paymentSearch>,
): Promise<PaymentPageView> {
  const page = await listPayments(call, {
    status: input.status,
    agent_client_id: input.agent,
    merchant_audience: input.merchant,
    from_iso: input.from,
    to_iso: input.to,
    before: input.cursor === undefined ? undefined : readCursor(input.cursor),
    limit: PAYMENT_HISTORY_DEFAULT_LIMIT,
  })
  const last = page.payments.at(-1)
  return {
    payments: page.payments.map(presentPayment),
    totals: page.totals.map(({ currency, amountMinor, count }) => ({ currency, amount_minor: amountMinor, count })),
    next_cursor:
      page.hasMore && last !== undefined ? writeCursor([last.processedAt.toISOString(), last.paymentIntentId]) : null,
  }
}

function writeCursor(at: z.output<typeof position>): string {
  return Buffer.from(JSON.stringify(at)).toString('base64url')
}

function readCursor(cursor: string) {
  const [processedAt, paymentIntentId] = position.parse(parse(cursor))
  return { processed_at_iso: processedAt, payment_intent_id: paymentIntentId }
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The page does not exist.', { cause })
  }
}
