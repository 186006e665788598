import { decimalAmount } from '../core/money'
import type { Platform, Transaction } from '../core/platform'
import { type DailyUse, dueNotice, type NearLimitPercent, nearLimitKey, readDailyUse, utcDay } from '../limits'
import { notify } from '../notifications'
import type { SettlementDetails } from './store'

/**
 * Tells the person when a payment has brought their daily cap to 80 % or 100 %, each once a day. Call it in the
 * transaction that wrote the success, after the counter has moved.
 */
export async function tellNearLimit(
  tx: Transaction,
  platform: Platform,
  { settlement, settledAt }: { settlement: SettlementDetails; settledAt: Date },
): Promise<void> {
  const { principal_id: principalId, currency, email } = settlement
  const day = utcDay(settlement.reserved_at)
  // It counted for a day that is over, of which nothing is left to plan with.
  if (day !== utcDay(settledAt)) return
  const subject = { principalId, currency, day }
  const use = await readDailyUse(tx, subject)
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
    ? `${used} Nothing is left until midnight UTC: what they want to pay before needs your approval.`
    : `${used} ${money(capMinor - usedMinor)} is left until midnight UTC.`
}
