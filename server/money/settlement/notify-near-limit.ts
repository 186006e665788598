import type { Platform, Transaction } from '../../base/core/platform'
import { notify, type Words } from '../../shared/notifications'
import { dueNotice, listNearCaps, type NearCap, type NearLimitPercent, nearLimitKey } from '../../wallet/limits'
import type { FinalOutcome } from './answers'
import type { SettlementDetails } from './store'

interface NearLimitEvent {
  readonly settlement: SettlementDetails
  readonly outcome: FinalOutcome
  readonly settledAt: Date
}

/**
 * Prepares the messages to the person when a payment brings a cap per day, week or month to 80 % or 100 %; each is sent
 * once per day, week or month. Reads in the transaction that writes the outcome, after the counter has changed; a
 * failed payment sends nothing.
 */
export async function prepareNearLimitNotices(
  tx: Transaction,
  platform: Platform,
  event: NearLimitEvent,
): Promise<() => Promise<void>> {
  const { settlement, outcome, settledAt } = event
  if (outcome.status !== 'succeeded') return async () => undefined
  const { principal_id: principalId, currency } = settlement
  const caps = await listNearCaps(tx, { principalId, currency, now: settledAt })
  return () => notifyNearLimit(tx, platform, { ...event, caps })
}

async function notifyNearLimit(
  tx: Transaction,
  platform: Platform,
  { settlement, settledAt, caps }: NearLimitEvent & { readonly caps: readonly NearCap[] },
): Promise<void> {
  const { principal_id: principalId, email } = settlement
  const link = `${platform.config.baseUrl}/limits`
  for (const cap of caps) {
    // The payment counted in a day, week or month that has ended, so that the message would come too late.
    if (settlement.reserved_at < cap.since) continue
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
        compose: (words) => {
          const { subject, kinds } = words.payments.nearLimit
          return { subject: subject(percent, kinds[cap.kind]), text: `${describe(cap, percent, words)}\n\n${link}` }
        },
        links: [link],
      },
    )
  }
}

function describe(cap: NearCap, percent: NearLimitPercent, words: Words): string {
  const { capMinor, usedMinor } = cap.use
  const { used, usedUp, left, kinds } = words.payments.nearLimit
  const money = (amountMinor: number) => words.money(amountMinor, cap.subject.currency)
  const end = describeEnd(cap, words)
  const rest = percent === 100 ? usedUp(end) : left(money(capMinor - usedMinor), end)
  return `${used(money(usedMinor), kinds[cap.kind], money(capMinor))} ${rest}`
}

/** Describes when the limit starts again, in the time zone of that limit. */
function describeEnd({ kind, until, timeZone }: NearCap, { moment, payments }: Words): string {
  return kind === 'daily_cap' ? payments.nearLimit.midnight : moment(until, timeZone)
}
