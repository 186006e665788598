import type { WalletCall } from '../../../base/core/call'
import { listOpenDisputes, listRecentPayments } from '../../../money/payments'
import { listWaitingConsents } from '../../../wallet/approvals'
import { listCards } from '../../../wallet/cards'
import { type DaySpendRow, listSpendOfDay, readSavedLimits, utcDay } from '../../../wallet/limits'
import { listAgents } from '../../agents'
import { readStartingLimits, readUsage } from '../shared/limits-usage'
import { presentPayment } from '../shared/present-payment'
import { homeAlerts } from './alerts'
import type { HomeView } from './view'

const RECENT_PAYMENTS = 5
/** Open disputes that the home page names; the list of payments has them all. */
const DISPUTES_SHOWN = 3

/** The home page: what waits, what needs attention, what is spent today, and what is still to be set up. */
export async function readHome(call: WalletCall): Promise<HomeView> {
  const { platform, actor, now } = call
  const [pending, limits, payments, { agents }, { cards }, spend, disputed, startingLimits] = await Promise.all([
    readPending(call),
    readSavedLimits(call),
    listRecentPayments(call, { limit: RECENT_PAYMENTS }),
    listAgents.verb(call),
    listCards.verb(call),
    listSpendOfDay(platform.db, actor.principalId, utcDay(now)),
    listOpenDisputes(call, DISPUTES_SHOWN),
    readStartingLimits(call),
  ])
  const living = agents.filter((agent) => !agent.revoked)
  return {
    pending,
    spend: spendLines(spend, limits),
    longer_spend: await readLongerSpend(call, limits),
    starting_limits: startingLimits,
    recent_payments: payments.map(presentPayment),
    agents: living.length,
    paused_agents: living.filter((agent) => agent.paused).length,
    alerts: homeAlerts({ cards, disputed }, now),
    checklist: {
      card: cards.some((card) => card.status === 'active'),
      limits: limits !== null,
      agent: living.length > 0,
      purchase: payments.length > 0,
    },
  }
}

async function readLongerSpend(
  call: WalletCall,
  limits: Awaited<ReturnType<typeof readSavedLimits>>,
): Promise<HomeView['longer_spend']> {
  if (limits === null || limits.currency === null) return []
  const { currency, weekly_cap_minor: weekly, monthly_cap_minor: monthly } = limits
  if (weekly === null && monthly === null) return []
  const usage = await readUsage(call, null, limits)
  const lines = [
    { period: 'week' as const, currency, used_minor: usage.used_this_week_minor, cap_minor: weekly },
    { period: 'month' as const, currency, used_minor: usage.used_this_month_minor, cap_minor: monthly },
  ]
  return lines.flatMap((line) => (line.cap_minor === null ? [] : [{ ...line, cap_minor: line.cap_minor }]))
}

/** No approval waits while approvals are switched off. */
async function readPending(call: WalletCall): Promise<HomeView['pending']> {
  const canDecide = await call.platform.switches.isOn('consent_scan')
  return canDecide ? (await listWaitingConsents(call)).pending : []
}

interface Cap {
  readonly currency: string | null
  readonly daily_cap_minor: number | null
}

/** One line per currency that moved today, and one for the currency that is capped even when nothing did. */
function spendLines(spend: readonly DaySpendRow[], limits: Cap | null): HomeView['spend'] {
  const capped = limits?.daily_cap_minor == null ? null : limits.currency
  const idle = capped !== null && !spend.some(({ currency }) => currency === capped)
  const rows = idle ? [{ currency: capped, spent_minor: 0, reserved_minor: 0 }, ...spend] : spend
  return rows.map(({ currency, spent_minor, reserved_minor }) => ({
    currency,
    spent_minor,
    reserved_minor,
    daily_cap_minor: currency === capped ? (limits?.daily_cap_minor ?? null) : null,
  }))
}
