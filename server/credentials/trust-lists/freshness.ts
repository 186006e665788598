/** Whether something is not older than some seconds, and not from the future either, as after a clock was set back. */
export function isWithin(since: Date, seconds: number, now: Date): boolean {
  const age = now.getTime() - since.getTime()
  return age >= 0 && age < seconds * 1000
}
