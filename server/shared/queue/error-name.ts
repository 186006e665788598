const NAME_MAX_CHARS = 60
const SHORT_CODE = /^[A-Z][A-Z0-9_]{1,40}$/

/**
 * Returns the error's class and, when there is one, its code. Messages may quote personal addresses and are not stored.
 */
export function nameOfError(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = codeOf(error) ?? codeOf(error.cause)
  return [error.name.slice(0, NAME_MAX_CHARS), code].filter(Boolean).join(' ')
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return null
  return SHORT_CODE.test(error.code) ? error.code : null
}
