import type { WalletCall } from '../../../base/core/call'
import { readPasskeyStatus } from '../../../identity/passkeys'
import { listOpenDisputes, listRecentPayments } from '../../../money/payments'
import { listWaitingConsents } from '../../../wallet/approvals'
import { listCards } from '../../../wallet/cards'
import { type DaySpendRow, listSpendOfDay, readSavedLimits, utcDay } from '../../../wallet/limits'
import { listAgents } from '../../agents'
import { haveChosen, listOtherLimits, readChanges, readUsage, startingLimitsOf } from '../shared/limits-usage'
import { renderPayment } from '../shared/render-payment'
import { renderSetup } from '../shared/render-setup'
import { homeAlerts } from './alerts'
import type { HomeView } from './view'

const RECENT_PAYMENTS = 5
/** The most open disputes on the home page; the list of payments has all. */
const DISPUTES_SHOWN = 3

/** Returns the home page: pending approvals, alerts, today's spending, and the missing steps of the set-up. */
export async function readHome(call: WalletCall): Promise<HomeView> {
  const { platform, actor, now } = call
  const [{ pending }, limits, payments, { agents }, { cards }, spend, disputed, [lastChange], { passkeys }] =
    await Promise.all([
      listWaitingConsents(call),
      readSavedLimits(call),
      listRecentPayments(call, { limit: RECENT_PAYMENTS }),
      listAgents.verb(call),
      listCards.verb(call),
      listSpendOfDay(platform.db, actor.principalId, utcDay(now)),
      listOpenDisputes(call, DISPUTES_SHOWN),
      readChanges(call, null, 1),
      readPasskeyStatus(platform.db, actor.principalId),
    ])
  const active = agents.filter((agent) => !agent.revoked)
  const held = { passkeys, cards, agents, payments }
  return {
    pending,
    spend: spendLines(spend, limits),
    longer_spend: await readLongerSpend(call, limits),
    starting_limits: startingLimitsOf(lastChange),
    recent_payments: payments.map(renderPayment),
    agents: active.length,
    paused_agents: active.filter((agent) => agent.paused).length,
    alerts: homeAlerts({ cards, disputed }, now),
    setup: renderSetup({ ...held, limits: haveChosen(limits, lastChange) }, platform.config),
  }
}

type Limits = NonNullable<Awaited<ReturnType<typeof readSavedLimits>>>

async function readLongerSpend(call: WalletCall, limits: Limits | null): Promise<HomeView['longer_spend']> {
  if (limits === null) return []
  const lines = await Promise.all([limits, ...listOtherLimits(limits)].map((each) => readLongerSpendIn(call, each)))
  return lines.flat()
}

async function readLongerSpendIn(call: WalletCall, limits: Limits): Promise<HomeView['longer_spend']> {
  const { currency, weekly_cap_minor: weekly, monthly_cap_minor: monthly } = limits
  if (currency === null || (weekly === null && monthly === null)) return []
  const usage = await readUsage(call, null, limits)
  const lines = [
    { period: 'week' as const, currency, used_minor: usage.used_this_week_minor, cap_minor: weekly },
    { period: 'month' as const, currency, used_minor: usage.used_this_month_minor, cap_minor: monthly },
  ]
  return lines.flatMap((line) => (line.cap_minor === null ? [] : [{ ...line, cap_minor: line.cap_minor }]))
}

/** Returns one line per currency that was spent today or has a daily limit. */
function spendLines(spend: readonly DaySpendRow[], limits: Limits | null): HomeView['spend'] {
  const caps = new Map(
    (limits === null ? [] : [limits, ...listOtherLimits(limits)]).flatMap(({ currency, daily_cap_minor: cap }) =>
      currency === null || cap === null ? [] : [[currency, cap] as const],
    ),
  )
  const idle = [...caps.keys()].filter((capped) => !spend.some(({ currency }) => currency === capped))
  const rows = [...idle.map((currency) => ({ currency, spent_minor: 0, reserved_minor: 0 })), ...spend]
  return rows.map((row) => ({ ...row, daily_cap_minor: caps.get(row.currency) ?? null }))
}
