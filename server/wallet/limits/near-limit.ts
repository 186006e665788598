/** The percentages of a cap per day, week or month at which the person is notified. */
const percents = [80, 100] as const
export type NearLimitPercent = (typeof percents)[number]

/** A cap and its use, in minor units. */
export interface CapUse {
  readonly capMinor: number
  /** The sum spent and held in the day, week or month. */
  readonly usedMinor: number
  /** The highest percentage that the person was notified of in that day, week or month; null when there was none. */
  readonly told: NearLimitPercent | null
}

/** The person, currency and period of a cap. */
export interface CapSubject {
  readonly principalId: string
  readonly currency: string
  /** The UTC day, or `week` or `month` with the instant at which it began. */
  readonly period: string
}

/**
 * Returns the percentage to notify the person of now: the highest one reached, or null when they were notified of it or
 * of a higher one in that period. Computes with whole numbers, since products of amounts exceed what a number holds
 * exactly.
 */
export function dueNotice({ capMinor, usedMinor, told }: CapUse): NearLimitPercent | null {
  const reached = percents.findLast((percent) => BigInt(usedMinor) * 100n >= BigInt(capMinor) * BigInt(percent))
  return reached === undefined || (told !== null && told >= reached) ? null : reached
}

/** Returns the key of a notice: one per person, period, currency and percentage. */
export function nearLimitKey({ principalId, period, currency }: CapSubject, percent: NearLimitPercent): string {
  return `near-limit:${principalId}:${period}:${currency}:${percent}`
}

/** Returns the keys of all messages that notices of that period may have left, one per percentage and channel. */
export function nearLimitMessageKeys(subject: CapSubject): ReadonlyMap<string, NearLimitPercent> {
  return new Map(
    percents.flatMap((percent) => {
      const key = nearLimitKey(subject, percent)
      return [key, `${key}:rcs`].map((messageKey) => [messageKey, percent] as const)
    }),
  )
}
