type OwnVerdict = 'allow' | 'deny'

/** What a person's own rules say about one merchant. */
export interface MerchantStanding {
  readonly onlyListed: boolean
  /** By agent; null is what is said about all of them. */
  readonly verdicts: ReadonlyMap<string | null, OwnVerdict>
}

/** The same once one verdict was replaced, or with null forgotten. */
export function withVerdict(
  { onlyListed, verdicts }: MerchantStanding,
  agent: string | null,
  verdict: OwnVerdict | null,
): MerchantStanding {
  const others = [...verdicts].filter(([ruled]) => ruled !== agent)
  return { onlyListed, verdicts: new Map(verdict === null ? others : [...others, [agent, verdict]]) }
}

/**
 * Whether some agent could ask at the merchant after a change that could not before. Agents about which nothing
 * particular is said count as one.
 */
export function letsMoreAsk(before: MerchantStanding, after: MerchantStanding): boolean {
  const agents = new Set([null, ...before.verdicts.keys(), ...after.verdicts.keys()])
  return [...agents].some((agent) => isRefused(before, agent) && !isRefused(after, agent))
}

/** A deny refuses, for the agent or for all, and "only my list" whatever has no allow. */
function isRefused({ onlyListed, verdicts }: MerchantStanding, agent: string | null): boolean {
  const said = [verdicts.get(null), verdicts.get(agent)]
  return said.includes('deny') || (onlyListed && !said.includes('allow'))
}
