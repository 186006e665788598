/** The reason why an enrolled entity is not verified. */
export const refusals = [
  'unchecked',
  'federation_off',
  'entity_suspended',
  'entity_revoked',
  'unresolvable',
  'metadata_unusable',
  'mark_missing',
  'mark_revoked',
  'mark_expired',
  'unreachable',
] as const
export type Refusal = (typeof refusals)[number]
