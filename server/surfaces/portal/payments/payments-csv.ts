import type * as z from 'zod'
import type { WalletCall } from '../../../base/core/call'
import { decimalAmount } from '../../../base/core/money'
import { exportPayments, type NamedPayment } from '../../../money/payments'
import type { paymentSelection } from './contract'
import { toPaymentFilter } from './search-payments'

const COLUMNS = [
  'payment_id',
  'paid_at_utc',
  'status',
  'amount',
  'amount_minor',
  'currency',
  'merchant_name',
  'merchant_address',
  'agent_name',
  'agent_id',
] as const

/** The characters with which spreadsheets begin a formula. */
const FORMULA_START = /^[=+\-@\t\r]/

/** Quotes a field that contains a separator, a quote or a line break (RFC 4180 section 2). */
function quoted(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

/** Prefixes text that strangers may have written with an apostrophe when a spreadsheet would run it as a formula. */
function safeText(text: string): string {
  return FORMULA_START.test(text) ? `'${text}` : text
}

function line(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\r\n`
}

function rowOf(payment: NamedPayment): string {
  return line([
    safeText(payment.paymentIntentId),
    payment.processedAt.toISOString(),
    payment.status,
    decimalAmount(payment.amountMinor, payment.currency),
    String(payment.amountMinor),
    payment.currency,
    safeText(payment.merchantName ?? ''),
    safeText(payment.merchantAudience),
    safeText(payment.agentName),
    safeText(payment.clientId),
  ])
}

/**
 * Yields the caller's payments that the filter selects as comma-separated values with a header row, newest first, in
 * chunks; at most 100,000 rows. Amounts are in major units with the currency's own digits, and also in minor units.
 * @see {@link https://www.rfc-editor.org/rfc/rfc4180}
 */
export async function* writePaymentsCsv(
  call: WalletCall,
  input: z.output<typeof paymentSelection>,
): AsyncGenerator<string, void> {
  yield line(COLUMNS)
  const pages = exportPayments(call, await toPaymentFilter(call, input))
  for await (const page of pages) yield page.map(rowOf).join('')
}
