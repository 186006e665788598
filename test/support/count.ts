/** A count from the command line. Anything but a positive whole number would run nothing, and pass. */
export function readCount(option: string, value: string): number {
  const count = Number(value)
  if (!Number.isInteger(count) || count <= 0) {
    throw new Error(`--${option} must be a whole number above 0, not "${value}"`)
  }
  return count
}
