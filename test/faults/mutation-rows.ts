import type { SettlementRow } from './evidence'

/** What every settlement of the mutants costs. */
export const AMOUNT_MINOR = 10

/** A settlement of a mutant, as the checks want to see it. */
export function settlementRow(facts: Partial<SettlementRow> & { readonly id: string }): SettlementRow {
  return {
    client_id: 'one',
    principal_id: 'somebody',
    mandate_id: facts.id,
    idempotency_key: facts.id,
    state: 'succeeded',
    amount_minor: AMOUNT_MINOR,
    currency: 'EUR',
    merchant_audience: 'https://tallow.example',
    connected_account_id: null,
    application_fee_minor: 0,
    payment_intent_id: null,
    response: null,
    day: '2026-11-21',
    reserved_at: new Date(0),
    ...facts,
  }
}
