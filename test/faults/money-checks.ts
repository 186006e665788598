import { MAX_AMOUNT_MINOR } from '@/server/base/core/money'
import type { BumpRow, ChargeRow, Evidence, SettlementRow } from './evidence'
import { isFinal } from './history'

/** Looks for what must never be; each finding is one sentence. */
export type Check<Part extends keyof Evidence = keyof Evidence> = (evidence: Pick<Evidence, Part>) => string[]

const isHeld = ({ state }: SettlementRow): boolean => state !== 'failed'
const isOpen = ({ state }: SettlementRow): boolean => state !== 'failed' && state !== 'succeeded'

export function groupBy<T>(rows: readonly T[], nameOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const name = nameOf(row)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [row])
    else group.push(row)
  }
  return groups
}

const sumOf = (rows: readonly { readonly amount_minor: number }[]) =>
  rows.reduce((sum, { amount_minor: amount }) => sum + amount, 0)

function excessOf(bumps: readonly BumpRow[], kind: string, settlements: readonly SettlementRow[]): number {
  const ids = new Set(settlements.map(({ id }) => id))
  return bumps
    .filter((bump) => bump.kind === kind && bump.used_by !== null && ids.has(bump.used_by))
    .reduce((sum, bump) => sum + Math.max(0, bump.requested_minor - bump.current_minor), 0)
}

/** M1: what is held or spent on one UTC day never exceeds the daily cap and what was granted above it. */
export const dailyCap: Check<'settlements' | 'limits' | 'bumps'> = ({ settlements, limits, bumps }) => {
  const held = groupBy(settlements.filter(isHeld), (row) => `${row.principal_id} ${row.day} ${row.currency}`)
  const caps = new Map(limits.map((row) => [row.principal_id, row.daily_cap_minor]))
  return [...held.entries()].flatMap(([name, rows]) => {
    const cap = caps.get(rows[0]?.principal_id ?? '') ?? null
    const allowed = (cap ?? Number.POSITIVE_INFINITY) + excessOf(bumps, 'daily_cap', rows)
    return sumOf(rows) <= allowed ? [] : [`${name}: ${sumOf(rows)} is above the daily cap of ${allowed}`]
  })
}

/** M2: no settlement is above the cap for one payment. */
export const singleCap: Check<'settlements' | 'limits' | 'bumps'> = ({ settlements, limits, bumps }) => {
  const caps = new Map(limits.map((row) => [row.principal_id, row.single_txn_cap_minor]))
  return settlements.filter(isHeld).flatMap((row) => {
    const cap = caps.get(row.principal_id) ?? null
    if (cap === null || row.amount_minor <= cap + excessOf(bumps, 'single_txn_cap', [row])) return []
    return [`settlement ${row.id}: ${row.amount_minor} is above the cap of ${cap} for one payment`]
  })
}

/** M3: no sliding window holds more settlements than the velocity limit. */
export const velocity: Check<'settlements' | 'limits' | 'bumps'> = ({ settlements, limits, bumps }) => {
  const byPrincipal = groupBy(settlements.filter(isHeld), (row) => row.principal_id)
  return limits.flatMap(({ principal_id: principal, velocity_count: count, velocity_window_seconds: seconds }) => {
    if (count === null || seconds === null) return []
    const rows = byPrincipal.get(principal) ?? []
    return rows.flatMap((last) => {
      const end = last.reserved_at.getTime()
      const inWindow = rows.filter(({ reserved_at: at }) => at.getTime() > end - seconds * 1000 && at.getTime() <= end)
      const allowed = count + excessOf(bumps, 'velocity', inWindow)
      if (inWindow.length <= allowed) return []
      return [`${principal}: ${inWindow.length} settlements within ${seconds} s, ${allowed} are allowed`]
    })
  })
}

/** M4: a settlement that started after the limits were set to nothing, and ended before they were lifted, never is. */
export const frozenLimits: Check<'settlements' | 'history'> = ({ settlements, history }) => {
  const rows = new Map(settlements.map((row) => [`${row.client_id} ${row.idempotency_key}`, row]))
  const tried = groupBy(history.answers, ({ clientId, key }) => `${clientId} ${key}`)
  const changes = groupBy(history.limitChanges, ({ principalId }) => principalId)
  return [...tried.entries()].flatMap(([name, answers]) => {
    const row = rows.get(name)
    if (row === undefined) return []
    const startedAt = Math.min(...answers.map((answer) => answer.startedAt))
    const endedAt = Math.max(...answers.map((answer) => answer.endedAt))
    const own = (changes.get(row.principal_id) ?? []).toSorted((a, b) => a.startedAt - b.startedAt)
    const frozenThroughout = own.some(
      (change, index) =>
        change.isFrozen &&
        change.isKnown &&
        change.endedAt < startedAt &&
        own.slice(index + 1).every((later) => later.isFrozen || later.startedAt > endedAt) &&
        own
          .slice(0, index)
          .every((earlier) => earlier.isFrozen || (earlier.isKnown && earlier.endedAt < change.startedAt)),
    )
    return frozenThroughout ? [`settlement ${row.id} was reserved under limits of nothing`] : []
  })
}

/** M5: every final answer under a key is the same, byte for byte, and the one that the books hold. */
export const sameAnswers: Check<'settlements' | 'history'> = ({ settlements, history }) => {
  const rows = new Map(settlements.map((row) => [`${row.client_id} ${row.idempotency_key}`, row]))
  const final = groupBy(history.answers.filter(isFinal), ({ clientId, key }) => `${clientId} ${key}`)
  const twice = [...groupBy(settlements, (row) => `${row.client_id} ${row.idempotency_key}`).entries()]
    .filter(([, group]) => group.length > 1)
    .map(([name]) => `${name}: several settlements under one key`)
  const differing = [...final.entries()].flatMap(([name, answers]) => {
    const bodies = new Set(answers.map(({ status, body }) => `${status} ${body}`))
    if (bodies.size > 1) return [`${name}: ${bodies.size} different final answers`]
    const row = rows.get(name)
    if (row === undefined) return [`${name}: answered, but there is no settlement`]
    const expected = `${row.state === 'succeeded' ? 200 : 402} ${row.response}`
    return bodies.has(expected) ? [] : [`${name}: the answer is not what settlement ${row.id} holds`]
  })
  return [...twice, ...differing]
}

const standing = (charges: readonly ChargeRow[]) => charges.filter(({ isRefunded }) => !isRefunded)

/** M6: at most one charge that was not given back per settlement. */
export const chargedOnce: Check<'charges'> = ({ charges }) =>
  [...groupBy(standing(charges), ({ settlementId }) => settlementId ?? 'none of ours').entries()]
    .filter(([, group]) => group.length > 1)
    .map(([id, group]) => `settlement ${id}: charged ${group.length} times`)

/** M7: at most one settlement of a mandate that has not failed. */
export const mandateOnce: Check<'settlements'> = ({ settlements }) =>
  [...groupBy(settlements.filter(isHeld), (row) => row.mandate_id).entries()]
    .filter(([, group]) => group.length > 1)
    .map(([id, group]) => `mandate ${id}: settled ${group.length} times`)

/** M8: what was charged is what the mandate says. */
export const chargedAsMandated: Check<'settlements' | 'charges' | 'mandates'> = (evidence) => {
  const settlements = new Map(evidence.settlements.map((row) => [row.id, row]))
  return evidence.charges.flatMap((charge) => {
    const row = settlements.get(charge.settlementId ?? '')
    const mandate = evidence.mandates.get(row?.mandate_id ?? '')
    if (row === undefined || mandate === undefined) return [`charge of ${charge.paymentIntentId}: for no mandate`]
    const isEqual =
      charge.amountMinor === mandate.amount_minor &&
      charge.currency === mandate.currency &&
      row.merchant_audience === mandate.merchant_audience
    return isEqual ? [] : [`settlement ${row.id}: charged ${charge.amountMinor} ${charge.currency}, not as mandated`]
  })
}

/** M9: nothing stays undecided, and nothing that was charged was reported failed. */
export const decided: Check<'settlements' | 'charges'> = ({ settlements, charges }) => {
  const charged = new Set(standing(charges).map(({ settlementId }) => settlementId))
  return [
    ...settlements.filter(isOpen).map((row) => `settlement ${row.id}: still ${row.state}`),
    ...settlements
      .filter((row) => row.state === 'failed' && charged.has(row.id))
      .map((row) => `settlement ${row.id}: failed, but the card stays charged`),
  ]
}

/** M10: the succeeded settlements and the processor's standing charges are the same, in amount too. */
export const booksAgree: Check<'settlements' | 'charges'> = ({ settlements, charges }) => {
  const byIntent = new Map(standing(charges).map((charge) => [charge.paymentIntentId, charge]))
  const succeeded = settlements.filter(({ state }) => state === 'succeeded')
  const known = new Set(succeeded.map((row) => row.payment_intent_id))
  const missing = succeeded.flatMap((row) => {
    const charge = byIntent.get(row.payment_intent_id ?? '')
    if (charge === undefined) return [`settlement ${row.id}: succeeded, but nothing was charged`]
    const isSame = charge.settlementId === row.id && charge.amountMinor === row.amount_minor
    return isSame ? [] : [`settlement ${row.id}: the charge is for something else`]
  })
  const foreign = [...byIntent.keys()].filter((id) => !known.has(id))
  return [...missing, ...foreign.map((id) => `charge of ${id}: of no succeeded settlement`)]
}

/** M11: fees within the amount, and money only to the account of the mandate's merchant. */
export const rightAccount: Check<'settlements' | 'charges' | 'accounts'> = ({ settlements, charges, accounts }) => {
  const byId = new Map(settlements.map((row) => [row.id, row]))
  const wrong = settlements.flatMap((row) => {
    const isFee = row.application_fee_minor >= 0 && row.application_fee_minor <= row.amount_minor
    const isAccount =
      row.connected_account_id === null || row.connected_account_id === accounts.get(row.merchant_audience)
    return isFee && isAccount ? [] : [`settlement ${row.id}: fee or account is not allowed`]
  })
  const strayed = charges.flatMap((charge) => {
    const row = byId.get(charge.settlementId ?? '')
    if (row === undefined || charge.destination === row.connected_account_id) return []
    return [`settlement ${row.id}: the money went to ${charge.destination}`]
  })
  return [...wrong, ...strayed]
}

/** M12: money is whole and within bounds. */
export const wholeMoney: Check<'settlements' | 'payments' | 'counters' | 'charges'> = (evidence) =>
  [
    ...evidence.settlements.flatMap((row) => [row.amount_minor, row.application_fee_minor]),
    ...evidence.payments.map((row) => row.amount_minor),
    ...evidence.counters.flatMap((row) => [row.spent_minor, row.reserved_minor]),
    ...evidence.charges.map((row) => row.amountMinor),
  ]
    .filter((amount) => !Number.isSafeInteger(amount) || amount < 0 || amount > MAX_AMOUNT_MINOR)
    .map((amount) => `${amount} is no amount of money`)

/** M14: a grant lends itself once, and only when it was approved; approving and declining do not both succeed. */
export const grantsOnce: Check<'bumps' | 'history'> = ({ bumps, history }) => {
  const approved = new Set(history.bumpDecisions.flatMap((one) => (one.decision === 'approve' ? [one.bumpId] : [])))
  const states = new Map(bumps.map((bump) => [bump.id, bump.status]))
  return [
    ...bumps
      .filter((bump) => bump.used_by !== null && bump.status !== 'approved')
      .map((bump) => `limit request ${bump.id}: used, but ${bump.status}`),
    ...history.bumpDecisions
      .filter(({ bumpId, decision }) => decision === 'decline' && approved.has(bumpId))
      .map(({ bumpId }) => `limit request ${bumpId}: approved and declined`),
    ...history.bumpDecisions
      .filter(({ bumpId, decision }) => states.get(bumpId) !== (decision === 'approve' ? 'approved' : 'declined'))
      .map(
        ({ bumpId, decision }) => `limit request ${bumpId}: ${decision} was acknowledged, it is ${states.get(bumpId)}`,
      ),
  ]
}

/** M15: nothing is settled that was asked for, and answered, while settlement was off. */
export const switchedOff: Check<'settlements' | 'history'> = ({ settlements, history }) => {
  const rows = new Map(settlements.map((row) => [`${row.client_id} ${row.idempotency_key}`, row]))
  const changes = history.switchChanges.toSorted((a, b) => a.startedAt - b.startedAt)
  // What is not known to have happened may happen later, and switch on what was switched off meanwhile.
  const doubtful = changes.findIndex((change) => change.isOn && !change.isKnown)
  const certain = doubtful === -1 ? changes : changes.slice(0, doubtful)
  const offTimes = certain.flatMap((change, index) =>
    change.isOn || !change.isKnown
      ? []
      : [{ from: change.endedAt, to: changes[index + 1]?.startedAt ?? Number.POSITIVE_INFINITY }],
  )
  return [...groupBy(history.answers, ({ clientId, key }) => `${clientId} ${key}`).entries()].flatMap(
    ([name, answers]) => {
      const startedAt = Math.min(...answers.map((answer) => answer.startedAt))
      const endedAt = Math.max(...answers.map((answer) => answer.endedAt))
      const wasOff = offTimes.some(({ from, to }) => from < startedAt && endedAt < to)
      return wasOff && rows.has(name) ? [`settlement ${rows.get(name)?.id} began while settlement was off`] : []
    },
  )
}

/** The counters that caps are judged by are the sums of the settlements. */
export const countersAgree: Check<'settlements' | 'counters'> = ({ settlements, counters }) => {
  const groups = groupBy(settlements, (row) => `${row.principal_id} ${row.day} ${row.currency}`)
  const wrong = counters.flatMap((counter) => {
    const rows = groups.get(`${counter.principal_id} ${counter.day} ${counter.currency}`) ?? []
    const spent = sumOf(rows.filter(({ state }) => state === 'succeeded'))
    const held = sumOf(rows.filter(isOpen))
    if (counter.spent_minor === spent && counter.reserved_minor === held) return []
    const kept = `${counter.spent_minor} spent and ${counter.reserved_minor} held`
    return [`${counter.principal_id} ${counter.day}: the counter says ${kept}, the settlements ${spent} and ${held}`]
  })
  const counted = new Set(counters.map((row) => `${row.principal_id} ${row.day} ${row.currency}`))
  const uncounted = [...groups.keys()].filter((name) => !counted.has(name))
  return [...wrong, ...uncounted.map((name) => `${name}: settlements without a counter`)]
}
