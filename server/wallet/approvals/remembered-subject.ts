import type { PrincipalRow } from '../../shared/principals'

export const MERCHANT_PREFIX = 'merchant:'
export const ACCESS_PREFIX = 'wallet:'

/**
 * The part of a request by which its approval is remembered: the merchant of a purchase, or the set of wallet scopes.
 */
interface RememberedRequest {
  readonly payment: { readonly audience: string } | null
  readonly scope: readonly string[]
}

/** Returns the key of a remembered approval. The order of scopes makes no difference. */
export function rememberedSubject({ payment, scope }: RememberedRequest): string {
  return payment === null ? ACCESS_PREFIX + scope.toSorted().join(' ') : MERCHANT_PREFIX + payment.audience
}

/**
 * Whether the person is asked about purchases within the limits, so that one that nobody was asked about depends on a
 * remembered approval.
 */
export const asksWithinLimits = (rule: PrincipalRow['approval_rule']): boolean => rule !== 'above_limits'
