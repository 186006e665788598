/** Scopes of the interface, in the order in which metadata lists them. */
export const scopes = [
  'openid',
  'oid4ac:payment',
  'payment:execute',
  'wallet:read',
  'wallet:write',
  'audit:read',
  'privacy:dsar',
] as const
export type Scope = (typeof scopes)[number]

/** Scopes for access to the person's own data; never mixed with payment scopes in one request. */
export const walletScopes: ReadonlySet<string> = new Set(['wallet:read', 'wallet:write', 'audit:read', 'privacy:dsar'])
export const paymentScopes: ReadonlySet<string> = new Set(['oid4ac:payment', 'payment:execute'])

/** The actions of wallet access in `authorization_details`, and the scope that each requires. */
export const scopeOfAction = {
  read: 'wallet:read',
  write: 'wallet:write',
  audit: 'audit:read',
  dsar: 'privacy:dsar',
} as const satisfies Readonly<Record<string, Scope>>

/** The scopes of an agent that registers without naming any. */
export const defaultAgentScope: readonly Scope[] = ['openid', 'oid4ac:payment', 'payment:execute']
