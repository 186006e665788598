import { decimalAmount } from '../../base/core/money'
import type { Platform, Transaction } from '../../base/core/platform'
import { notify } from '../../shared/notifications'
import {
  type DailyUse,
  dueNotice,
  findDailyUse,
  type NearLimitPercent,
  nearLimitKey,
  utcDay,
} from '../../wallet/limits'
import type { FinalOutcome } from './answers'
import type { SettlementDetails } from './store'

interface NearLimitEvent {
  readonly settlement: SettlementDetails
  readonly outcome: FinalOutcome
  readonly settledAt: Date
}

/**
 * Tells the person when a payment has brought their daily cap to 80 % or 100 %, each once a day. Runs in the transaction
 * that wrote the outcome, after the counter has moved; a payment that failed brings nothing nearer.
 */
export async function notifyNearLimit(
  tx: Transaction,
  platform: Platform,
  { settlement, outcome, settledAt }: NearLimitEvent,
): Promise<void> {
  if (outcome.status !== 'succeeded') return
  const { principal_id: principalId, currency, email } = settlement
  const day = utcDay(settlement.reserved_at)
  // It counted for a day that is over, of which nothing is left to plan with.
  if (day !== utcDay(settledAt)) return
  const subject = { principalId, currency, day }
  const use = await findDailyUse(tx, subject)
  const percent = use === null ? null : dueNotice(use)
  if (use === null || percent === null) return
  const link = `${platform.config.baseUrl}/limits`
  const call = { platform, now: settledAt }
  await notify(tx, call, {
    eventKey: nearLimitKey(subject, percent),
    event: 'near_limit',
    principalId,
    email,
    subject: `You have used ${percent}% of your daily limit`,
    text: `${describe(use, percent, currency)}\n\n${link}`,
    links: [link],
  })
}

function describe({ capMinor, usedMinor }: DailyUse, percent: NearLimitPercent, currency: string): string {
  const money = (amountMinor: number) => `${decimalAmount(amountMinor, currency)} ${currency}`
  const used = `Your agents have used ${money(usedMinor)} of your daily limit of ${money(capMinor)}.`
  return percent === 100
    ? `${used} Your limit is used up until midnight UTC. Until then every payment needs your approval.`
    : `${used} ${money(capMinor - usedMinor)} is left until midnight UTC.`
}
