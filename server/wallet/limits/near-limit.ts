/** From which shares of the daily cap on the person is told, in percent. */
const percents = [80, 100] as const
export type NearLimitPercent = (typeof percents)[number]

/** A daily cap and what is used of it, in minor units. */
export interface DailyUse {
  readonly capMinor: number
  /** Spent and held today. */
  readonly usedMinor: number
  /** The highest share that the person was told of today; null when none was. */
  readonly told: NearLimitPercent | null
}

/** Whose cap it is, on which UTC day. */
export interface DailyCapSubject {
  readonly principalId: string
  readonly currency: string
  readonly day: string
}

/**
 * The share that the person is to be told of now: the highest that is reached, unless they know of it or of a higher one
 * today. Whole numbers throughout: products of amounts leave the range in which numbers are exact.
 */
export function dueNotice({ capMinor, usedMinor, told }: DailyUse): NearLimitPercent | null {
  const reached = percents.findLast((percent) => BigInt(usedMinor) * 100n >= BigInt(capMinor) * BigInt(percent))
  return reached === undefined || (told !== null && told >= reached) ? null : reached
}

/** One notice per person, day, currency and share. */
export function nearLimitKey({ principalId, day, currency }: DailyCapSubject, percent: NearLimitPercent): string {
  return `near-limit:${principalId}:${day}:${currency}:${percent}`
}

/** The keys of every message that a notice of that day may have left, one per share and channel. */
export function nearLimitMessageKeys(subject: DailyCapSubject): ReadonlyMap<string, NearLimitPercent> {
  return new Map(
    percents.flatMap((percent) => {
      const key = nearLimitKey(subject, percent)
      return [key, `${key}:rcs`].map((messageKey) => [messageKey, percent] as const)
    }),
  )
}
