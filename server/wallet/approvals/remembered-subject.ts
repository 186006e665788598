export const MERCHANT_PREFIX = 'merchant:'
export const ACCESS_PREFIX = 'wallet:'

/** A request as far as its approval is remembered: the merchant of a purchase, or the set of wallet scopes. */
interface RememberedRequest {
  readonly payment: { readonly audience: string } | null
  readonly scope: readonly string[]
}

/** The key that an approval is remembered under. The order of scopes makes no difference. */
export function rememberedSubject({ payment, scope }: RememberedRequest): string {
  return payment === null ? ACCESS_PREFIX + scope.toSorted().join(' ') : MERCHANT_PREFIX + payment.audience
}
