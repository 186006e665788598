/** Rules that forms share with the contract. No library is imported, since browsers load this file. */

/** E.164: a plus sign and 7 to 15 digits. */
export const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/

/** A time of the day, such as 22:00. */
export const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

/** The code that confirms a phone. */
export const CODE_DIGITS = /^\d{6}$/

/** The channels through which a person wants to be notified. */
export interface ChannelChoice {
  readonly rcs_enabled: boolean
  readonly rcs_phone_e164: string | null
  readonly email_enabled: boolean
}

/** The members that a choice of channels relaxes, with their values before and after, as the person confirms them. */
export interface RelaxedChannels {
  readonly [member: string]: { readonly from: string | boolean | null; readonly to: string | boolean | null }
}

interface SavedChoice extends ChannelChoice {
  /** The confirmed phone, whether or not messages to it are on. */
  readonly phone_in_use: string | null
}

/** The channels of a person who never chose. */
export const DEFAULT_CHOICE: SavedChoice = {
  rcs_enabled: false,
  rcs_phone_e164: null,
  email_enabled: true,
  phone_in_use: null,
}

/**
 * Returns the members that a choice relaxes; null when there are none. These are a new phone and phone messages that
 * were off, since a phone may approve, and turning mail off, since mail tells the person of acts that were not theirs.
 */
export function relaxedChannels(before: SavedChoice | null, after: ChannelChoice): RelaxedChannels | null {
  const from = before ?? DEFAULT_CHOICE
  const { rcs_phone_e164: phone } = after
  const isKnown = phone === from.rcs_phone_e164 || phone === from.phone_in_use
  const isTurnedOn = after.rcs_enabled && !from.rcs_enabled
  const relaxed = {
    ...(phone !== null && (!isKnown || isTurnedOn) && { rcs_phone_e164: { from: phoneOf(from), to: phone } }),
    ...(from.email_enabled && !after.email_enabled && { email_enabled: { from: true, to: false } }),
  }
  return Object.keys(relaxed).length === 0 ? null : relaxed
}

const phoneOf = ({ rcs_enabled, phone_in_use }: SavedChoice): string | null => (rcs_enabled ? phone_in_use : null)

/** Returns what push messages to a new browser relax: it shows what the person buys, and asks them for approvals. */
export const relaxedByDevice = (endpoint: string) => ({ push_endpoint: { from: null, to: endpoint } })

/** The members that muting events relaxes, as the person confirms them: each was sent, and is not any more. */
export interface RelaxedEvents {
  readonly [entry: string]: { readonly from: true; readonly to: false }
}

/**
 * Returns what muting more entries relaxes; null when nothing. Messages about payments and disputes tell the person of
 * acts that were not theirs.
 */
export function relaxedEvents(before: readonly string[], after: readonly string[]): RelaxedEvents | null {
  const added = after.filter((entry) => /^(?:payments|disputes):/.test(entry) && !before.includes(entry))
  return added.length === 0
    ? null
    : Object.fromEntries(added.map((entry) => [entry, { from: true, to: false } as const]))
}

/** Hours in which messages are held back, as times of the day. */
export type QuietHoursView = {
  readonly from: string
  readonly until: string
  /** Whether requests for approval are sent during quiet hours all the same. */
  readonly requests: boolean
}

/** Quiet hours as they were and as they become, as the person confirms them. */
export type RelaxedHours = {
  readonly quiet_hours: { readonly from: QuietHoursView | null; readonly to: QuietHoursView }
}

const DAY_MINUTES = 1_440
const LONG_MINUTES = 720

/**
 * Returns what new quiet hours relax; null when nothing. Hours that hold requests back, or cover more than twelve hours,
 * keep from the person what was not theirs, unless they lie within hours that did so before.
 */
export function relaxedHours(before: QuietHoursView | null, after: QuietHoursView | null): RelaxedHours | null {
  if (after === null || (after.requests && minutesOf(after) <= LONG_MINUTES)) return null
  const isNoMore = before !== null && isWithin(after, before) && (after.requests || !before.requests)
  return isNoMore ? null : { quiet_hours: { from: before, to: after } }
}

/** Whether quiet hours lie within others. */
function isWithin(inner: QuietHoursView, outer: QuietHoursView): boolean {
  const startsAfter = (minuteOf(inner.from) - minuteOf(outer.from) + DAY_MINUTES) % DAY_MINUTES
  return startsAfter + minutesOf(inner) <= minutesOf(outer)
}

/** Returns the minutes that quiet hours cover, which may go over midnight. */
const minutesOf = ({ from, until }: QuietHoursView): number =>
  (minuteOf(until) - minuteOf(from) + DAY_MINUTES) % DAY_MINUTES

/** Returns the minutes from midnight to a time of the day. */
export function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
