import { decimalAmount } from '../../base/core/money'
import type { Platform, Transaction } from '../../base/core/platform'
import { notify } from '../../shared/notifications'
import { dueNotice, listNearCaps, type NearCap, type NearLimitPercent, nearLimitKey, utcDay } from '../../wallet/limits'
import type { FinalOutcome } from './answers'
import type { SettlementDetails } from './store'

interface NearLimitEvent {
  readonly settlement: SettlementDetails
  readonly outcome: FinalOutcome
  readonly settledAt: Date
}

/** How the person reads of a cap. */
const names = { daily_cap: 'daily limit', weekly_cap: 'weekly limit', monthly_cap: 'monthly limit' } as const

/**
 * Tells the person when a payment has brought a cap per day, week or month to 80 % or 100 %, each once in that time. Runs
 * in the transaction that wrote the outcome, after the counter has moved; a payment that failed brings nothing nearer.
 */
export async function notifyNearLimit(
  tx: Transaction,
  platform: Platform,
  { settlement, outcome, settledAt }: NearLimitEvent,
): Promise<void> {
  if (outcome.status !== 'succeeded') return
  // It counted for a day that is over, of which nothing is left to plan with.
  if (utcDay(settlement.reserved_at) !== utcDay(settledAt)) return
  const { principal_id: principalId, currency, email } = settlement
  const link = `${platform.config.baseUrl}/limits`
  for (const cap of await listNearCaps(tx, { principalId, currency, now: settledAt })) {
    const percent = dueNotice(cap.use)
    if (percent === null) continue
    await notify(
      tx,
      { platform, now: settledAt },
      {
        eventKey: nearLimitKey(cap.subject, percent),
        event: 'near_limit',
        principalId,
        email,
        subject: `You have used ${percent}% of your ${names[cap.kind]}`,
        text: `${describe(cap, percent)}\n\n${link}`,
        links: [link],
      },
    )
  }
}

function describe(cap: NearCap, percent: NearLimitPercent): string {
  const { capMinor, usedMinor } = cap.use
  const { currency } = cap.subject
  const money = (amountMinor: number) => `${decimalAmount(amountMinor, currency)} ${currency}`
  const name = names[cap.kind]
  const used = `Your agents have used ${money(usedMinor)} of your ${name} of ${money(capMinor)}.`
  return percent === 100
    ? `${used} Your limit is used up until ${describeEnd(cap)}. Until then every payment needs your approval.`
    : `${used} ${money(capMinor - usedMinor)} is left until ${describeEnd(cap)}.`
}

/** When the limit turns, by the clocks that it turns by. */
function describeEnd({ kind, until, timeZone }: NearCap): string {
  if (kind === 'daily_cap') return 'midnight UTC'
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone })
  return `${format.format(until)} (${timeZone})`
}
