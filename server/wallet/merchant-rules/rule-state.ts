type OwnVerdict = 'allow' | 'deny'

/** What a person's own rules say about one merchant. */
export interface MerchantRuleState {
  readonly onlyListed: boolean
  /** By agent; null is what is said about all of them. */
  readonly verdicts: ReadonlyMap<string | null, OwnVerdict>
}

/** The same once one verdict was replaced, or with null forgotten. */
export function withVerdict(
  { onlyListed, verdicts }: MerchantRuleState,
  agent: string | null,
  verdict: OwnVerdict | null,
): MerchantRuleState {
  const others = [...verdicts].filter(([ruled]) => ruled !== agent)
  return { onlyListed, verdicts: new Map(verdict === null ? others : [...others, [agent, verdict]]) }
}

/**
 * Whether some agent could ask at the merchant after a change that could not before. Agents about which nothing
 * particular is said count as one.
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
  const said = [verdicts.get(null), verdicts.get(agent)]
  return said.includes('deny') || (onlyListed && !said.includes('allow'))
}
