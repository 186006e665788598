/** Returns the UTC day of an instant as `YYYY-MM-DD`, by which daily caps count. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10)
}
