export const SETUP_INTENT_ID_MAX = 255

/**
 * Returns whether the value may be the processor's id of a setup intent. The form of such ids is not checked, since the
 * processor defines it.
 */
export function isSetupIntentId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= SETUP_INTENT_ID_MAX
}
