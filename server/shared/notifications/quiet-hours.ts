import { timeIn, zonedDate } from '../../base/core/zoned-time'

/** When a person wants to hear nothing, in minutes after 00:00 by their clocks; over midnight where `until` is not later. */
export interface QuietHours {
  readonly fromMinute: number
  readonly untilMinute: number
  /** What waits for an answer is told all the same. */
  readonly requestsComeThrough: boolean
}

type Stretch = Pick<QuietHours, 'fromMinute' | 'untilMinute'>

/** When the quiet hours end that an instant lies in; null when it lies in none. Their end is not quiet any more. */
export function quietUntil(now: Date, { fromMinute, untilMinute }: Stretch, timeZone: string): Date | null {
  const { year, month, day } = zonedDate(now, timeZone)
  const nights = untilMinute <= fromMinute ? 1 : 0
  // Those that began yesterday may still go on.
  for (const begun of [day - 1, day]) {
    const from = timeIn(timeZone, { year, month, day: begun }, fromMinute)
    const until = timeIn(timeZone, { year, month, day: begun + nights }, untilMinute)
    if (from <= now && now < until) return until
  }
  return null
}
