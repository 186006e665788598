/**
 * Returns whether a time lies within the last seconds. A time in the future, as after a clock was set back, does not.
 */
export function isWithin(since: Date, seconds: number, now: Date): boolean {
  const age = now.getTime() - since.getTime()
  return age >= 0 && age < seconds * 1000
}
