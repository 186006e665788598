import type { Platform } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'
import { GENESIS_HASH, verifyChain } from '@/server/shared/audit'
import { listEntries } from '@/server/shared/audit/store'
import { classify, isFinal } from './history'
import { type Check, groupBy } from './money-checks'

/** I1: every outcome is written once, with its payment and one audit entry, however often its news came. */
export const effectsOnce: Check<'settlements' | 'payments' | 'audit'> = ({ settlements, payments, audit }) => {
  const succeeded = groupBy(
    audit.filter(({ event }) => event === 'oid4ac.payment.succeeded'),
    ({ payload }) => String(payload['payment_intent_id']),
  )
  const failed = groupBy(
    audit.filter(({ event }) => event === 'oid4ac.payment.failed'),
    ({ payload }) => String(payload['settlement_id']),
  )
  const paid = groupBy(payments, (row) => row.settlement_id)
  const count = (group: readonly unknown[] | undefined) => group?.length ?? 0
  return settlements.flatMap((row) => {
    const found = [
      count(succeeded.get(row.payment_intent_id ?? '')),
      count(failed.get(row.id)),
      count(paid.get(row.id)),
    ].join(' ')
    const expected = row.state === 'succeeded' ? '1 0 1' : row.state === 'failed' ? '0 1 0' : '0 0 0'
    if (found === expected) return []
    return [`settlement ${row.id} (${row.state}): entries succeeded, failed and payments are ${found}`]
  })
}

const stages: Readonly<Record<string, { readonly said: string; readonly payment: string }>> = {
  none: { said: '', payment: 'succeeded' },
  needs_response: { said: 'pending', payment: 'disputed_pending' },
  won: { said: 'pending won', payment: 'disputed_won' },
  lost: { said: 'pending lost', payment: 'disputed_lost' },
}

/** M13: disputes stand as the processor says, and have come there along the edges, each once. */
export const disputesFollow: Check<'payments' | 'audit' | 'disputes'> = ({ payments, audit, disputes }) => {
  const said = groupBy(
    audit.filter(({ event }) => event === 'oid4ac.payment.disputed'),
    ({ payload }) => String(payload['payment_intent_id']),
  )
  return payments.flatMap(({ payment_intent_id: id, status }) => {
    const path = (said.get(id) ?? []).map(({ payload }) => String(payload['dispute_status'])).join(' ')
    const stage = stages[disputes.get(id) ?? 'none']
    if (stage?.said === path && stage.payment === status) return []
    return [`payment ${id}: ${status} by way of "${path}", the processor says ${disputes.get(id) ?? 'none'}`]
  })
}

/** A3: a payment's audit entry says what the payment says. */
export const entriesAgree: Check<'payments' | 'audit'> = ({ payments, audit }) => {
  const entries = new Map(
    audit
      .filter(({ event }) => event === 'oid4ac.payment.succeeded')
      .map(({ payload }) => [payload['payment_intent_id'], payload]),
  )
  return payments.flatMap((row) => {
    const payload = entries.get(row.payment_intent_id)
    const isSame = payload?.['amount_minor'] === row.amount_minor && payload['currency'] === row.currency
    return isSame ? [] : [`payment ${row.payment_intent_id}: the audit entry says something else`]
  })
}

/** I3: under one key only one request is ever answered with an outcome. */
export const oneRequestPerKey: Check<'history'> = ({ history }) =>
  [...groupBy(history.answers.filter(isFinal), ({ clientId, key }) => `${clientId} ${key}`).entries()].flatMap(
    ([name, answers]) => {
      const requests = new Set(answers.map(({ request }) => request))
      return requests.size > 1 ? [`${name}: ${requests.size} different requests got an outcome`] : []
    },
  )

/** I5: whatever was acknowledged is there: settlements with their payments, and events. */
export const nothingLost: Check<'history' | 'settlements' | 'payments' | 'takenEvents' | 'deliveries'> = (evidence) => {
  const rows = new Map(evidence.settlements.map((row) => [`${row.client_id} ${row.idempotency_key}`, row]))
  const paid = new Set(evidence.payments.map((row) => row.settlement_id))
  const acknowledged = evidence.history.answers.filter(({ status }) => status === 200)
  const settled = [...new Set(acknowledged.map(({ clientId, key }) => `${clientId} ${key}`))].flatMap((name) => {
    const row = rows.get(name)
    if (row?.state === 'succeeded' && paid.has(row.id)) return []
    return [`${name}: answered with 200, but ${row === undefined ? 'gone' : `${row.state} or without payment`}`]
  })
  const taken = evidence.deliveries.filter(({ status }) => status === 200)
  const forgotten = taken.filter(({ eventId }) => !evidence.takenEvents.has(eventId))
  return [...settled, ...forgotten.map(({ eventId }) => `event ${eventId}: taken with 200, but not known`)]
}

/** I6: a key that got nothing but refusals has left no settlement behind. */
export const refusalsLeaveNothing: Check<'history' | 'settlements'> = ({ history, settlements }) => {
  const rows = new Map(settlements.map((row) => [`${row.client_id} ${row.idempotency_key}`, row]))
  return [...groupBy(history.answers, ({ clientId, key }) => `${clientId} ${key}`).entries()].flatMap(
    ([name, answers]) => {
      const row = rows.get(name)
      const onlyRefused = answers.every((answer) => classify(answer) === 'definitive' && !isFinal(answer))
      return onlyRefused && row !== undefined ? [`${name}: refused, yet settlement ${row.id} exists`] : []
    },
  )
}

/** I4: a token request and its repeats, byte for byte the same, get one answer. */
export const sameTokens: Check<'history'> = ({ history }) =>
  [...groupBy(history.tokenAnswers, ({ key }) => key).entries()].flatMap(([key, answers]) =>
    new Set(answers.map(({ body }) => body)).size > 1 ? [`${key}: different tokens for one request`] : [],
  )

/** I7: the person is told about each outcome once. */
export const toldOnce: Check<'settlements' | 'messages'> = ({ settlements, messages }) => {
  const told = groupBy(messages, (message) => message.event_key)
  return settlements
    .filter(({ state }) => state === 'succeeded' || state === 'failed')
    .flatMap((row) => {
      const group = told.get(`payment:${row.id}`) ?? []
      const isTold = group.length === 1 && group.every((message) => message.is_sent)
      return isTold ? [] : [`settlement ${row.id}: ${group.length} messages, or one that is not sent`]
    })
}

/** R1: after a revocation was answered, nothing that is asked with the agent's tokens is answered. */
export const revokedAtOnce: Check<'history'> = ({ history }) => {
  const revoked = new Map(history.revocations.map(({ clientId, endedAt }) => [clientId, endedAt]))
  return history.answers
    .filter(({ clientId, startedAt }) => startedAt > (revoked.get(clientId) ?? Number.POSITIVE_INFINITY))
    .filter((answer) => classify(answer) !== 'ambiguous' && answer.status !== 401 && answer.status !== 503)
    .map((answer) => `${answer.clientId} ${answer.key}: answered with ${answer.status} after the agent was revoked`)
}

/** R2: what had not been submitted when a revocation was answered is never charged. */
export const nothingSubmittedAfter: Check<'history' | 'settlements' | 'charges'> = (evidence) => {
  const states = new Map(evidence.settlements.map((row) => [row.id, row.state]))
  const charged = new Set(evidence.charges.map(({ settlementId }) => settlementId))
  return evidence.history.revocations
    .flatMap(({ unsubmitted }) => unsubmitted)
    .filter((id) => states.get(id) === 'succeeded' || charged.has(id))
    .map((id) => `settlement ${id}: submitted after its agent was revoked`)
}

const PAGE = 5_000

/** A1, A2: every chain is whole, from its first entry to its head. */
export async function brokenChains({ db }: Platform): Promise<string[]> {
  const heads = await db.query<{ tenant_id: string; seq: number; entry_hash: string }>(
    sql`SELECT tenant_id, seq, entry_hash FROM audit_heads WHERE seq > 0`,
  )
  const findings: string[] = []
  for (const head of heads) {
    let position = { seq: 0, entryHash: GENESIS_HASH }
    while (position.seq < head.seq) {
      const range = { fromSeq: position.seq + 1, toSeq: Math.min(head.seq, position.seq + PAGE) }
      const verdict = verifyChain(await listEntries(db, head.tenant_id, range), position)
      if (!verdict.intact) {
        findings.push(`chain of ${head.tenant_id}: ${verdict.reason} at ${verdict.seq}`)
        break
      }
      if (verdict.head.seq === position.seq) {
        findings.push(`chain of ${head.tenant_id}: ends at ${position.seq}, its head is ${head.seq}`)
        break
      }
      position = verdict.head
    }
    if (position.seq === head.seq && position.entryHash !== head.entry_hash) {
      findings.push(`chain of ${head.tenant_id}: the head is not its last entry`)
    }
  }
  return findings
}
