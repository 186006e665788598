import type * as z from 'zod'
import type { WalletCall } from '../core/call'
import { ServiceError } from '../core/errors'
import { readLimits, utcDay } from '../limits'
import { findPrincipal, saveApprovalRule, saveMagicLinkGate } from '../principals'
import type { gateChoice, LimitsView, ruleChoice } from './contract'
import { perform } from './perform'
import { countRecentSettlements, listSpendOfDay } from './store'

const DAY_MILLISECONDS = 86_400_000

/** The limits page: what is allowed, what is used of it, and when it starts afresh. */
export async function readLimitsPage(call: WalletCall): Promise<LimitsView> {
  const limits = await perform(readLimits, call)
  const { approval_rule, magic_link_gate } = await requirePrincipal(call)
  return {
    limits,
    usage: limits === null ? null : await usageOf(call, limits),
    approval_rule,
    magic_link_gate,
    magic_link_gate_for_all: call.platform.config.magicLinkGate,
  }
}

type Stored = NonNullable<LimitsView['limits']>

async function usageOf(
  { platform, actor, now }: WalletCall,
  limits: Stored,
): Promise<NonNullable<LimitsView['usage']>> {
  const day = utcDay(now)
  const spend = await listSpendOfDay(platform.db, actor.principalId, day)
  const used = spend.find(({ currency }) => currency === limits.currency)
  const window = limits.velocity_window_seconds
  return {
    currency: limits.currency,
    used_today_minor: used === undefined ? 0 : used.spent_minor + used.reserved_minor,
    resets_at: new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MILLISECONDS).toISOString(),
    recent_count:
      window === null ? 0 : await countRecentSettlements(platform.db, actor.principalId, { seconds: window, now }),
  }
}

async function requirePrincipal({ platform, actor }: WalletCall) {
  const principal = await findPrincipal(platform.db, actor.principalId)
  if (principal === null) throw new ServiceError('not_found', 'There is no such principal.')
  return principal
}

/** When the person wants to be asked. */
export async function chooseApprovalRule(
  call: WalletCall,
  input: z.output<typeof ruleChoice>,
): Promise<z.output<typeof ruleChoice>> {
  const { platform, actor } = call
  await saveApprovalRule(platform.db, actor.principalId, input.approval_rule)
  await platform.cache.publish(`principal:${actor.principalId}`)
  return input
}

/** Whether what the rules allow is confirmed by mail first. */
export async function chooseMagicLinkGate(
  call: WalletCall,
  input: z.output<typeof gateChoice>,
): Promise<z.output<typeof gateChoice>> {
  const { platform, actor } = call
  await saveMagicLinkGate(platform.db, actor.principalId, input.magic_link_gate)
  await platform.cache.publish(`principal:${actor.principalId}`)
  return input
}
