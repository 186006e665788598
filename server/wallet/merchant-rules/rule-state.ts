type OwnVerdict = 'allow' | 'deny'

/** A person's own rules about one merchant. */
export interface MerchantRuleState {
  readonly onlyListed: boolean
  /** The rules by agent; the key null is the rule for all of them. */
  readonly verdicts: ReadonlyMap<string | null, OwnVerdict>
}

export interface NearRule {
  readonly audience: string
  /** The agent of the rule; null for all agents. */
  readonly agent: string | null
  readonly verdict: OwnVerdict
}

/** A person's own rules about one merchant, and about addresses above and beneath it. */
export interface NearRules {
  readonly onlyListed: boolean
  readonly audience: string
  readonly rules: readonly NearRule[]
}

/** Returns the rules after one of them was replaced, or with a null verdict removed. */
export function withRule(
  { rules, ...near }: NearRules,
  { audience, agent, verdict }: Omit<NearRule, 'verdict'> & { readonly verdict: OwnVerdict | null },
): NearRules {
  const others = rules.filter((rule) => rule.audience !== audience || rule.agent !== agent)
  return { ...near, rules: verdict === null ? others : [...others, { audience, agent, verdict }] }
}

/** Returns the rule stored for exactly this address and agent (null: all agents); null when there is none. */
export function verdictOf({ rules }: NearRules, audience: string, agent: string | null): OwnVerdict | null {
  return rules.find((rule) => rule.audience === audience && rule.agent === agent)?.verdict ?? null
}

/** Returns the rules that apply at one address: a deny covers all addresses beneath it, an allow exactly its own. */
function stateAt({ onlyListed, rules }: NearRules, audience: string): MerchantRuleState {
  const allows = rules.filter((rule) => rule.verdict === 'allow' && rule.audience === audience)
  const denies = rules.filter((rule) => rule.verdict === 'deny' && `${audience}/`.startsWith(`${rule.audience}/`))
  return { onlyListed, verdicts: new Map([...allows, ...denies].map(({ agent, verdict }) => [agent, verdict])) }
}

/**
 * Returns whether an agent may ask after the change that might not before, at the merchant or at an address beneath it.
 */
export function letsMoreAskAnywhere(before: NearRules, after: NearRules): boolean {
  const ruled = [...before.rules, ...after.rules].map((rule) => rule.audience)
  const beneath = ruled.filter((audience) => audience.startsWith(`${before.audience}/`))
  const addresses = new Set([before.audience, ...beneath])
  return [...addresses].some((audience) => letsMoreAsk(stateAt(before, audience), stateAt(after, audience)))
}

/**
 * Returns whether an agent may ask at the merchant after the change that might not before. All agents without a rule of
 * their own count as one.
 */
export function letsMoreAsk(before: MerchantRuleState, after: MerchantRuleState): boolean {
  const agents = new Set([null, ...before.verdicts.keys(), ...after.verdicts.keys()])
  return [...agents].some((agent) => isRefused(before, agent) && !isRefused(after, agent))
}

/**
 * Returns whether the rules refuse an agent: by a deny, for the agent or for all, or, with "only my list", by a missing
 * allow. `rulingSql` applies the same rule for the person; a test compares the two.
 */
export function isRefused({ onlyListed, verdicts }: MerchantRuleState, agent: string | null): boolean {
  const rules = [verdicts.get(null), verdicts.get(agent)]
  return rules.includes('deny') || (onlyListed && !rules.includes('allow'))
}
