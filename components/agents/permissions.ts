/** The permissions that a person can give an agent, each with its scopes. */
export const permissions = [
  { id: 'pay', scopes: ['openid', 'oid4ac:payment', 'payment:execute'] },
  { id: 'see', scopes: ['wallet:read', 'audit:read'] },
  { id: 'change', scopes: ['wallet:write'] },
  { id: 'privacy', scopes: ['privacy:dsar'] },
] as const
export type PermissionId = (typeof permissions)[number]['id']

/** Returns the scope of the chosen permissions, in a fixed order. */
export function scopeOf(chosen: ReadonlySet<PermissionId>): string {
  return permissions
    .filter(({ id }) => chosen.has(id))
    .flatMap(({ scopes }) => [...scopes])
    .join(' ')
}
