import * as z from 'zod'
import type { ProcedureInput } from '../../../base/contract/portal-procedure'
import { instant } from '../../../base/contract/wire'
import { isDay, parseDay } from '../../../base/core/calendar-day'
import type { WalletCall } from '../../../base/core/call'
import { ServiceError } from '../../../base/core/errors'
import { findCanonicalAudience } from '../../../base/protocol/audience'
import { listPayments, type PaymentFilter, startIn } from '../../../money/payments'
import { PAYMENT_HISTORY_DEFAULT_LIMIT } from '../../../money/payments/contract'
import { findTurningClock } from '../../../wallet/limits'
import { renderPayment } from '../shared/render-payment'
import type { paymentSelection, searchPaymentsProcedure } from './contract'
import type { PaymentPageView } from './view'

const position = z.tuple([instant, z.string().min(1).max(512)])

/** Returns one page of payments, newest first, with totals of all that the filter matches. */
export async function searchPayments(
  call: WalletCall,
  input: ProcedureInput<typeof searchPaymentsProcedure>,
): Promise<PaymentPageView> {
  const page = await listPayments(call, {
    filter: await toPaymentFilter(call, input),
    before: input.cursor === undefined ? null : readCursor(input.cursor),
    limit: PAYMENT_HISTORY_DEFAULT_LIMIT,
  })
  const last = page.payments.at(-1)
  return {
    payments: page.payments.map(renderPayment),
    totals: page.totals.map(({ currency, amountMinor, count }) => ({ currency, amount_minor: amountMinor, count })),
    next_cursor:
      page.hasMore && last !== undefined ? writeCursor([last.processedAt.toISOString(), last.paymentIntentId]) : null,
  }
}

/** Converts a selection to a filter: the merchant's normalised address, and days in the person's time zone. */
export async function toPaymentFilter(
  call: WalletCall,
  selection: z.output<typeof paymentSelection>,
): Promise<PaymentFilter> {
  const { status, agent, merchant, q, from, to } = selection
  const days = [from, to].filter((end) => end !== undefined && isDay(end))
  const zone = days.length === 0 ? 'UTC' : (await findTurningClock(call.platform.db, call.actor.principalId)).timeZone
  return {
    status,
    clientId: agent,
    merchantAudience: merchant === undefined ? undefined : (findCanonicalAudience(merchant) ?? merchant),
    words: q,
    from: from === undefined ? undefined : isDay(from) ? startIn(zone, parseDay(from)) : new Date(from),
    to: to === undefined ? undefined : isDay(to) ? lastMomentOf(zone, parseDay(to)) : new Date(to),
  }
}

function lastMomentOf(timeZone: string, day: number): Date {
  return new Date(startIn(timeZone, day + 1).getTime() - 1)
}

function writeCursor(at: z.output<typeof position>): string {
  return Buffer.from(JSON.stringify(at)).toString('base64url')
}

function readCursor(cursor: string) {
  try {
    const [processedAt, paymentIntentId] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
    return { processedAt: new Date(processedAt), paymentIntentId }
  } catch (cause) {
    throw new ServiceError('invalid_request', 'The page does not exist.', { cause })
  }
}
