/** Rules that forms share with the contract. No library is imported, since browsers load this file. */

export const approvalRules = ['every_purchase', 'new_merchants', 'above_limits'] as const
export type ApprovalRule = (typeof approvalRules)[number]

/** Returns whether agents may pay without an approval in more cases under the new rule. */
export function asksLess(before: ApprovalRule, after: ApprovalRule): boolean {
  return approvalRules.indexOf(after) > approvalRules.indexOf(before)
}

/** The longest name and purpose of an agent, in characters. */
export const AGENT_NAME_MAX = 200
export const AGENT_PURPOSE_MAX = 500

/**
 * The cursor of the security activity: the number of the last entry shown, or 0 before the first; then, once a sign-in
 * was shown, the instant in milliseconds and the handle of the last one.
 */
export const SECURITY_CURSOR = /^(\d{1,15})(?:_(\d{1,15})_([0-9a-f]{64}))?$/
