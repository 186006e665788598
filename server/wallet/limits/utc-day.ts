/** The UTC day of an instant as `YYYY-MM-DD`: the day that daily caps count in. */
export function utcDay(now: Date): string {
  return now.toISOString().slice(0, 10)
}
