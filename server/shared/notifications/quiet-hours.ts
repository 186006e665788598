import { timeIn, zonedDate } from '../../base/core/zoned-time'

/**
 * The time in which a person wants no messages, in minutes after 00:00 in their time zone; it spans midnight when
 * `untilMinute` is not later than `fromMinute`.
 */
export interface QuietHours {
  readonly fromMinute: number
  readonly untilMinute: number
  /** Whether requests for a decision are sent all the same. */
  readonly requestsComeThrough: boolean
}

type Stretch = Pick<QuietHours, 'fromMinute' | 'untilMinute'>

/** Returns when the quiet hours that contain an instant end (excluded); null when none contain it. */
export function quietUntil(now: Date, { fromMinute, untilMinute }: Stretch, timeZone: string): Date | null {
  const { year, month, day } = zonedDate(now, timeZone)
  const nights = untilMinute <= fromMinute ? 1 : 0
  // Quiet hours that began yesterday may still run.
  for (const begun of [day - 1, day]) {
    const from = timeIn(timeZone, { year, month, day: begun }, fromMinute)
    const until = timeIn(timeZone, { year, month, day: begun + nights }, untilMinute)
    if (from <= now && now < until) return until
  }
  return null
}
