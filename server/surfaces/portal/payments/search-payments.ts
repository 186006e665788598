import * as z from 'zod'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import { instant } from '../../../base/contract/wire'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { findCanonicalAudience } from '../../../base/protocol/audience'
import { listPayments } from '../../../money/payments'
import { PAYMENT_HISTORY_DEFAULT_LIMIT } from '../../../money/payments/contract'
import { presentPayment } from '../shared/present-payment'
import type { paymentSelection, searchPaymentsProcedure } from './contract'
import type { PaymentPageView } from './view'

const position = z.tuple([instant, z.string().min(1).max(512)])

/** One page of payments, newest first, with totals of everything that the filter matches. */
export async function searchPayments(
  call: WalletCall,
  input: ProcedureInput<typeof searchPaymentsProcedure>,
): Promise<PaymentPageView> {
  const page = await listPayments(call, {
    ...toHistoryFilter(input),
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

/** The same selection as the payments know it, the merchant in its one spelling. */
export function toHistoryFilter({ status, agent, merchant, q, from, to }: z.output<typeof paymentSelection>) {
  return {
    status,
    agent_client_id: agent,
    merchant_audience: merchant === undefined ? undefined : (findCanonicalAudience(merchant) ?? merchant),
    words: q,
    from_iso: from,
    to_iso: to,
  }
}

function writeCursor(at: z.output<typeof position>): string {
  return Buffer.from(JSON.stringify(at)).toString('base64url')
}

function readCursor(cursor: string) {
  try {
    const [processedAt, paymentIntentId] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return { processed_at_iso: processedAt, payment_intent_id: paymentIntentId }
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The page does not exist.', { cause })
  }
}
