type OwnVerdict = 'allow' | 'deny'

/** A person's own rules about one merchant. */
export interface MerchantRuleState {
  readonly onlyListed: boolean
  /** By agent; null is the rule for all of them. */
  readonly verdicts: ReadonlyMap<string | null, OwnVerdict>
}

/** The same after one verdict was replaced, or with null removed. */
export function withVerdict(
  { onlyListed, verdicts }: MerchantRuleState,
  agent: string | null,
  verdict: OwnVerdict | null,
): MerchantRuleState {
  const others = [...verdicts].filter(([ruled]) => ruled !== agent)
  return { onlyListed, verdicts: new Map(verdict === null ? others : [...others, [agent, verdict]]) }
}

/**
 * Whether an agent may ask at the merchant after the change that may not before. All agents without a rule of their own
 * count as one.
 */
export function letsMoreAsk(before: MerchantRuleState, after: MerchantRuleState): boolean {
  const agents = new Set([null, ...before.verdicts.keys(), ...after.verdicts.keys()])
  return [...agents].some((agent) => isRefused(before, agent) && !isRefused(after, agent))
}

/**
 * Whether the rules refuse an agent: a deny does, for the agent or for all, and with "only my list" a missing allow. The
 * same as `rulingSql` has it for the person; a test holds the two together.
 */
export function isRefused({ onlyListed, verdicts }: MerchantRuleState, agent: string | null): boolean {
  const rules = [verdicts.get(null), verdicts.get(agent)]
  return rules.includes('deny') || (onlyListed && !rules.includes('allow'))
}
