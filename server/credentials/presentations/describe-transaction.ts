import { decimalAmount } from '../../base/core/money'
import type { DcqlQuery } from '../../base/protocol/dcql'
import type { JsonObject } from '../../base/protocol/encoding'
import { encodeTransactionData } from '../../base/protocol/request-object'
import { EUDI_PAYMENT, OWN_PAYMENT, type TransactionData } from './transaction-contract'

/** The transaction data that callers over HTTP may choose, or a payment with members that only the portal sets. */
export type WantedTransaction = TransactionData | (JsonObject & { readonly type: typeof OWN_PAYMENT })

/**
 * Returns transaction data in the form in which the wallet app shows and signs it, for all credentials of the query.
 *
 * @see {@link https://openid.net/specs/openid-4-verifiable-presentations-1_0.html#section-5.1-2.8}
 */
export function describeTransaction({ credentials }: DcqlQuery, data: WantedTransaction): string {
  const common = { credential_ids: credentials.map(({ id }) => id), transaction_data_hashes_alg: ['sha-256'] }
  if (data.type === EUDI_PAYMENT) {
    return encodeTransactionData({ type: EUDI_PAYMENT, ...common, payload: wordEudiPayment(data) })
  }
  return encodeTransactionData({ type: OWN_PAYMENT, ...common, ...data })
}

/** Returns the payload of EUDI TS12. Its amount is a number, exact since no accepted amount has more than 13 digits. */
function wordEudiPayment(payment: Extract<TransactionData, { type: typeof EUDI_PAYMENT }>) {
  const { transaction_id: transactionId, payee, currency, amount_minor: amountMinor } = payment
  return { transaction_id: transactionId, payee, currency, amount: Number(decimalAmount(amountMinor, currency)) }
}

/** Returns whether the key binding must say how the wallet app authenticated its holder (EUDI TS12 section 3.6). */
export function needsStrongAuthentication(data: WantedTransaction | undefined): boolean {
  return data?.type === EUDI_PAYMENT
}
