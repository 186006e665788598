/** What forms share with the contract: plain rules without a library, since browsers load them. */

export const approvalRules = ['every_purchase', 'new_merchants', 'above_limits'] as const
export type ApprovalRule = (typeof approvalRules)[number]

/** Whether the new rule lets agents pay unattended in more cases. */
export function asksLess(before: ApprovalRule, after: ApprovalRule): boolean {
  return approvalRules.indexOf(after) > approvalRules.indexOf(before)
}

/** Characters of an agent's name and purpose. */
export const AGENT_NAME_MAX = 200
export const AGENT_PURPOSE_MAX = 500

/**
 * Where a page of the security activity goes on: an entry's number, or 0 before the first was shown; then, once one was
 * shown, the instant in milliseconds and the handle of a sign-in.
 */
export const SECURITY_CURSOR = /^(\d{1,15})(?:_(\d{1,15})_([0-9a-f]{64}))?$/
