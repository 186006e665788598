import { describe, expect, test } from 'vitest'
import type { Evidence, SettlementRow } from './evidence'
import { newHistory, type SettleAnswer } from './history'
import { checks } from './verdict'

/** Two settlements, one that succeeded and one that failed, as both sides should have written them down. */
function soundEvidence(): Mutable {
  const settlement: SettlementRow = {
    id: 'stl-1',
    client_id: 'agent',
    principal_id: 'person',
    mandate_id: 'mandate-1',
    idempotency_key: 'key-1',
    state: 'succeeded',
    amount_minor: 1_000,
    currency: 'EUR',
    merchant_audience: 'https://tallow.example',
    connected_account_id: 'acct_tallow',
    application_fee_minor: 10,
    payment_intent_id: 'pi-1',
    response: '{"settlement_id":"stl-1"}',
    day: '2026-11-21',
    reserved_at: new Date('2026-11-21T12:00:00Z'),
  }
  const failed: SettlementRow = {
    ...settlement,
    id: 'stl-2',
    mandate_id: 'mandate-2',
    idempotency_key: 'key-2',
    state: 'failed',
    payment_intent_id: 'pi-2',
    response: '{"error":"payment_declined"}',
  }
  const mandate = { amount_minor: 1_000, currency: 'EUR', merchant_audience: 'https://tallow.example' }
  return {
    history: {
      ...newHistory(),
      answers: [
        answer({ key: 'key-1', body: settlement.response ?? '' }),
        answer({ key: 'key-2', status: 402, body: failed.response ?? '', error: 'payment_declined' }),
        answer({ key: 'key-3', status: 403, error: 'limit_exceeded' }),
      ],
    },
    settlements: [settlement, failed],
    mandates: new Map([
      ['mandate-1', { id: 'mandate-1', ...mandate }],
      ['mandate-2', { id: 'mandate-2', ...mandate }],
    ]),
    payments: [
      { payment_intent_id: 'pi-1', settlement_id: 'stl-1', amount_minor: 1_000, currency: 'EUR', status: 'succeeded' },
    ],
    counters: [{ principal_id: 'person', day: '2026-11-21', currency: 'EUR', spent_minor: 1_000, reserved_minor: 0 }],
    limits: [
      {
        principal_id: 'person',
        daily_cap_minor: 1_000,
        single_txn_cap_minor: 1_000,
        velocity_count: 1,
        velocity_window_seconds: 60,
      },
    ],
    bumps: [],
    accounts: new Map([['https://tallow.example', 'acct_tallow']]),
    audit: [
      {
        event: 'oid4ac.payment.succeeded',
        payload: { payment_intent_id: 'pi-1', amount_minor: 1_000, currency: 'EUR' },
      },
      { event: 'oid4ac.payment.failed', payload: { settlement_id: 'stl-2' } },
    ],
    charges: [
      {
        paymentIntentId: 'pi-1',
        settlementId: 'stl-1',
        amountMinor: 1_000,
        currency: 'EUR',
        destination: 'acct_tallow',
        feeMinor: 10,
        isRefunded: false,
      },
    ],
    takenEvents: new Set(['evt-1']),
    deliveries: [{ eventId: 'evt-1', status: 200 }],
    messages: [
      { event_key: 'payment:stl-1', is_sent: true },
      { event_key: 'payment:stl-2', is_sent: true },
    ],
    disputes: new Map(),
  }
}

type Mutable = { -readonly [Member in keyof Evidence]: Evidence[Member] }

function answer(facts: Partial<SettleAnswer>): SettleAnswer {
  return {
    clientId: 'agent',
    key: 'key-1',
    request: 'request',
    startedAt: 10,
    endedAt: 20,
    status: 200,
    body: '',
    error: null,
    isReplay: false,
    ...facts,
  }
}

/** Changes the first row of a list. */
function first<Row>(rows: readonly Row[], change: Partial<Row>): Row[] {
  return rows.map((row, index) => (index === 0 ? { ...row, ...change } : row))
}

/** One lie per check, in the books or in the history, that it has to find. */
const lies: Readonly<Record<keyof typeof checks, (evidence: Mutable) => void>> = {
  'M1 daily cap': (evidence) => {
    evidence.limits = first(evidence.limits, { daily_cap_minor: 999 })
  },
  'M2 cap for one payment': (evidence) => {
    evidence.limits = first(evidence.limits, { single_txn_cap_minor: 999 })
  },
  'M3 velocity': (evidence) => {
    evidence.settlements = evidence.settlements.map((row) => ({ ...row, state: 'succeeded' }))
  },
  'M4 limits hold once saved': ({ history }) => {
    history.limitChanges.push({ principalId: 'person', isFrozen: true, isKnown: true, startedAt: 1, endedAt: 2 })
  },
  'M5 same answer for ever': ({ history }) => {
    history.answers.push(answer({ key: 'key-1', body: 'something else' }))
  },
  'M6 charged once': (evidence) => {
    evidence.charges = [...evidence.charges, ...first(evidence.charges, { paymentIntentId: 'pi-3' })]
  },
  'M7 mandate settled once': (evidence) => {
    evidence.settlements = evidence.settlements.map((row) => ({ ...row, state: 'succeeded', mandate_id: 'mandate-1' }))
  },
  'M8 charged as mandated': (evidence) => {
    evidence.charges = first(evidence.charges, { amountMinor: 999 })
  },
  'M9 decided, and truly': (evidence) => {
    evidence.settlements = first(evidence.settlements, { state: 'unknown' })
  },
  'M10 both books agree': (evidence) => {
    evidence.charges = []
  },
  'M11 fee and account': (evidence) => {
    evidence.charges = first(evidence.charges, { destination: 'acct_of_somebody_else' })
  },
  'M12 whole money': (evidence) => {
    evidence.payments = first(evidence.payments, { amount_minor: 10.5 })
  },
  'M13 disputes': (evidence) => {
    evidence.payments = first(evidence.payments, { status: 'disputed_won' })
  },
  'M14 grants once': ({ history }) => {
    history.bumpDecisions.push({ bumpId: 'bump', decision: 'approve' }, { bumpId: 'bump', decision: 'decline' })
  },
  'M15 switch': ({ history }) => {
    history.switchChanges.push({ isOn: false, isKnown: true, startedAt: 1, endedAt: 2 })
  },
  'counters agree': (evidence) => {
    evidence.counters = first(evidence.counters, { reserved_minor: 1 })
  },
  'I1 effects once': (evidence) => {
    evidence.audit = [...evidence.audit, ...evidence.audit]
  },
  'I3 one request per key': ({ history }) => {
    history.answers.push(answer({ request: 'another', body: '{"settlement_id":"stl-1"}' }))
  },
  'I4 one set of tokens': ({ history }) => {
    history.tokenAnswers.push({ key: 'one', body: 'some' }, { key: 'one', body: 'others' })
  },
  'I5 nothing acknowledged is lost': (evidence) => {
    evidence.takenEvents = new Set()
  },
  'I6 refusals leave nothing': (evidence) => {
    evidence.settlements = [...evidence.settlements, ...first(evidence.settlements, { idempotency_key: 'key-3' })]
  },
  'I7 told once': (evidence) => {
    evidence.messages = evidence.messages.slice(1)
  },
  'R1 revoked at once': ({ history }) => {
    history.revocations.push({ clientId: 'agent', startedAt: 1, endedAt: 2, unsubmitted: [] })
  },
  'R2 nothing submitted after': ({ history }) => {
    history.revocations.push({ clientId: 'other', startedAt: 1, endedAt: 2, unsubmitted: ['stl-1'] })
  },
  'A3 entries agree': (evidence) => {
    evidence.payments = first(evidence.payments, { currency: 'USD' })
  },
}

describe('every check of the fault harness', () => {
  test.each(Object.entries(checks))('the check "%s" passes sound books and finds the planted error', (name, check) => {
    const sound = soundEvidence()
    expect(check(sound)).toEqual([])
    const lie = lies[name] ?? expect.fail('no lie for it')
    lie(sound)
    expect(check(sound)).not.toEqual([])
  })
})
