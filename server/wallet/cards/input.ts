export const SETUP_INTENT_ID_MAX = 255

/** Whether this may be a processor's id of a setup intent; how such ids look is the processor's affair. */
export function isSetupIntentId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= SETUP_INTENT_ID_MAX
}
