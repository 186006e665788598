/** From which shares of a cap per day, week or month on the person is told, in percent. */
const percents = [80, 100] as const
export type NearLimitPercent = (typeof percents)[number]

/** A cap and what is used of it, in minor units. */
export interface CapUse {
  readonly capMinor: number
  /** Spent and held in the day, week or month. */
  readonly usedMinor: number
  /** The highest share that the person was told of in that time; null when none was. */
  readonly told: NearLimitPercent | null
}

/** Whose cap it is, in which time. */
export interface CapSubject {
  readonly principalId: string
  readonly currency: string
  /** The UTC day, or `week` or `month` and the instant that it began at. */
  readonly period: string
}

/**
 * The share that the person is to be told of now: the highest that is reached, unless they know of it or of a higher one in
 * that time. Whole numbers throughout: products of amounts leave the range in which numbers are exact.
 */
export function dueNotice({ capMinor, usedMinor, told }: CapUse): NearLimitPercent | null {
  const reached = percents.findLast((percent) => BigInt(usedMinor) * 100n >= BigInt(capMinor) * BigInt(percent))
  return reached === undefined || (told !== null && told >= reached) ? null : reached
}

/** One notice per person, time, currency and share. */
export function nearLimitKey({ principalId, period, currency }: CapSubject, percent: NearLimitPercent): string {
  return `near-limit:${principalId}:${period}:${currency}:${percent}`
}

/** The keys of every message that a notice of that time may have left, one per share and channel. */
export function nearLimitMessageKeys(subject: CapSubject): ReadonlyMap<string, NearLimitPercent> {
  return new Map(
    percents.flatMap((percent) => {
      const key = nearLimitKey(subject, percent)
      return [key, `${key}:rcs`].map((messageKey) => [messageKey, percent] as const)
    }),
  )
}
