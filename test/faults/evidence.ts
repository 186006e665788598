import type { History } from './history'
import type { Delivery } from './webhook-line'
import type { World } from './world'

/** What the servers' database says at the end. Amounts in minor units. */
export interface SettlementRow {
  readonly id: string
  readonly client_id: string
  readonly principal_id: string
  readonly mandate_id: string
  readonly idempotency_key: string
  readonly state: string
  readonly amount_minor: number
  readonly currency: string
  readonly merchant_audience: string
  readonly connected_account_id: string | null
  readonly application_fee_minor: number
  readonly payment_intent_id: string | null
  readonly response: string | null
  readonly day: string
  readonly reserved_at: Date
}

export interface MandateRow {
  readonly id: string
  readonly amount_minor: number
  readonly currency: string
  readonly merchant_audience: string
}

export interface PaymentRow {
  readonly payment_intent_id: string
  readonly settlement_id: string
  readonly amount_minor: number
  readonly currency: string
  readonly status: string
}

export interface CounterRow {
  readonly principal_id: string
  readonly day: string
  readonly currency: string
  readonly spent_minor: number
  readonly reserved_minor: number
}

export interface LimitsRow {
  readonly principal_id: string
  readonly daily_cap_minor: number | null
  readonly single_txn_cap_minor: number | null
  readonly velocity_count: number | null
  readonly velocity_window_seconds: number | null
}

export interface BumpRow {
  readonly id: string
  readonly principal_id: string
  readonly kind: string
  readonly status: string
  readonly used_by: string | null
  readonly current_minor: number
  readonly requested_minor: number
}

export interface AuditRow {
  readonly event: string
  readonly payload: Readonly<Record<string, unknown>>
}

export interface MessageRow {
  readonly event_key: string
  readonly is_sent: boolean
}

/** What the processor's own books say. */
export interface ChargeRow {
  readonly paymentIntentId: string
  readonly settlementId: string | null
  readonly amountMinor: number
  readonly currency: string
  readonly destination: string | null
  readonly feeMinor: number
  readonly isRefunded: boolean
}

/** Everything that the checks look at. */
export interface Evidence {
  readonly history: History
  readonly settlements: readonly SettlementRow[]
  readonly mandates: ReadonlyMap<string, MandateRow>
  readonly payments: readonly PaymentRow[]
  readonly counters: readonly CounterRow[]
  /** Of people whose limits never changed. */
  readonly limits: readonly LimitsRow[]
  readonly bumps: readonly BumpRow[]
  readonly accounts: ReadonlyMap<string, string | null>
  readonly audit: readonly AuditRow[]
  readonly charges: readonly ChargeRow[]
  readonly takenEvents: ReadonlySet<string>
  readonly deliveries: readonly Delivery[]
  readonly messages: readonly MessageRow[]
  /** How the processor's disputes stand, by payment intent. */
  readonly disputes: ReadonlyMap<string, string>
}

const texts = {
  settlements: `SELECT id, client_id, principal_id, mandate_id, idempotency_key, state, amount_minor::float8, currency,
      merchant_audience, connected_account_id, application_fee_minor::float8, payment_intent_id, response, day::text,
      reserved_at FROM settlements`,
  mandates: 'SELECT id, amount_minor::float8, currency, merchant_audience FROM mandates',
  payments: 'SELECT payment_intent_id, settlement_id, amount_minor::float8, currency, status FROM payments',
  counters: `SELECT principal_id, day::text, currency, spent_minor::float8, reserved_minor::float8 FROM spend_counters`,
  limits: `SELECT principal_id, daily_cap_minor::float8, single_txn_cap_minor::float8, velocity_count,
      velocity_window_seconds FROM wallet_limits`,
  bumps: `SELECT b.id, b.principal_id, b.status, b.used_by, e.kind, e.current_minor, e.requested_minor
    FROM limit_bumps b, jsonb_to_recordset(b.exceeds) AS e (kind text, current_minor float8, requested_minor float8)`,
  merchants: 'SELECT merchant_audience, connected_account_id FROM merchants',
  audit: 'SELECT event, payload FROM audit_entries ORDER BY tenant_id, seq',
  events: 'SELECT event_id FROM webhook_events',
  messages: `SELECT event_key, sent_at IS NOT NULL AS is_sent FROM messages WHERE event_key IS NOT NULL`,
}

/** Collects the books of both sides; call it when nothing moves any more. */
export async function gather(world: World, history: History): Promise<Evidence> {
  const changed = new Set(history.limitChanges.map(({ principalId }) => principalId))
  const [settlements, mandates, payments, counters] = await Promise.all([
    world.rows<SettlementRow>(texts.settlements),
    world.rows<MandateRow>(texts.mandates),
    world.rows<PaymentRow>(texts.payments),
    world.rows<CounterRow>(texts.counters),
  ])
  const [limits, bumps, messages, merchants, audit, events, charges, disputes] = await Promise.all([
    world.rows<LimitsRow>(texts.limits),
    world.rows<BumpRow>(texts.bumps),
    world.rows<MessageRow>(texts.messages),
    world.rows<{ merchant_audience: string; connected_account_id: string | null }>(texts.merchants),
    world.rows<{ event: string; payload: string }>(texts.audit),
    world.rows<{ event_id: string }>(texts.events),
    world.books.charges(),
    world.books.disputes(),
  ])
  return {
    history,
    settlements,
    mandates: new Map(mandates.map((mandate) => [mandate.id, mandate])),
    payments,
    counters,
    limits: limits.filter((row) => !changed.has(row.principal_id)),
    bumps,
    messages,
    accounts: new Map(merchants.map((merchant) => [merchant.merchant_audience, merchant.connected_account_id])),
    audit: audit.map(({ event, payload }) => ({ event, payload: JSON.parse(payload) as AuditRow['payload'] })),
    charges,
    takenEvents: new Set(events.map((event) => event.event_id)),
    deliveries: world.webhooks.deliveries,
    disputes,
  }
}

/** What the daily caps are judged by, while people settle: what is held for a moment counts too. */
export async function gatherCaps(world: World): Promise<Pick<Evidence, 'settlements' | 'limits' | 'bumps'>> {
  // In this order: a grant that is used meanwhile only makes more room.
  const settlements = await world.rows<SettlementRow>(
    `${texts.settlements} WHERE principal_id IN (SELECT principal_id FROM wallet_limits WHERE daily_cap_minor > 0)`,
  )
  const bumps = await world.rows<BumpRow>(texts.bumps)
  return { settlements, limits: await world.rows<LimitsRow>(`${texts.limits} WHERE daily_cap_minor > 0`), bumps }
}
