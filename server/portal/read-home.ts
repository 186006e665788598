import { listAgents } from '../agents'
import { listCards } from '../cards'
import type { WalletCall } from '../core/call'
import { readLimits, utcDay } from '../limits'
import { listPayments } from '../payments'
import type { HomeView } from './contract'
import { listWaitingConsents } from './list-consents'
import { perform } from './perform'
import { presentPayment } from './present-payment'
import { listSpendOfDay, type SpendRow } from './store'

const RECENT_PAYMENTS = 5

/** The home page: what waits, what is spent today, and what is still to be set up. */
export async function readHome(call: WalletCall): Promise<HomeView> {
  const { platform, actor, now } = call
  // While nothing can be decided, nothing waits.
  const canDecide = await platform.switches.isOn('consent_scan')
  const { pending } = canDecide ? await listWaitingConsents(call) : { pending: [] }
  const limits = await perform(readLimits, call)
  const { payments } = await listPayments(call, { limit: RECENT_PAYMENTS })
  const { agents } = await perform(listAgents, call)
  const { cards } = await perform(listCards, call)
  const spend = await listSpendOfDay(platform.db, actor.principalId, utcDay(now))
  const activeAgents = agents.filter((agent) => !agent.revoked).length
  return {
    pending,
    spend: spendLines(spend, limits),
    recent_payments: payments.map(presentPayment),
    active_agents: activeAgents,
    default_card: cards.find((card) => card.is_default) ?? null,
    checklist: {
      card: cards.some((card) => card.status === 'active'),
      limits: limits !== null,
      agent: activeAgents > 0,
      purchase: payments.length > 0,
    },
  }
}

interface Cap {
  readonly currency: string | null
  readonly daily_cap_minor: number | null
}

/** One line per currency that moved today, and one for the currency that is capped even when nothing did. */
function spendLines(spend: readonly SpendRow[], limits: Cap | null): HomeView['spend'] {
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
