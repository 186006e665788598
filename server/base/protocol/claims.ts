import type { JsonObject } from './encoding'
import { ensure } from './errors'

/** The latest time that a NumericDate may name: the end of the year 9999. */
export const LATEST_EPOCH_SECONDS = 253_402_300_799

/** Returns the whole seconds since 1970 of a point in time, as in `iat` and `exp`. */
export function epochSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

/** Returns the point in time of a NumericDate. */
export function dateOfEpoch(seconds: number): Date {
  return new Date(seconds * 1000)
}

/** Reads a claim that must be a text of 1 to `maxChars` characters. */
export function readText(claims: JsonObject, name: string, maxChars: number): string {
  const value = claims[name]
  ensure(
    typeof value === 'string' && value.length > 0 && value.length <= maxChars,
    'malformed',
    `The ${name} is missing or malformed`,
  )
  return value
}

/** Reads a claim that may be absent, else must be a text of 1 to `maxChars` characters. */
export function readOptionalText(claims: JsonObject, name: string, maxChars: number): string | undefined {
  return claims[name] === undefined ? undefined : readText(claims, name, maxChars)
}

/** Reads a claim that must be a NumericDate. @see {@link https://www.rfc-editor.org/rfc/rfc7519#section-2} */
export function readTime(claims: JsonObject, name: string): number {
  const value = claims[name]
  const isTime = typeof value === 'number' && value >= 0 && value <= LATEST_EPOCH_SECONDS
  ensure(isTime, 'malformed', `The ${name} is missing or malformed`)
  return value
}

/** Reads a claim that may be absent, else must be a NumericDate. */
export function readOptionalTime(claims: JsonObject, name: string): number | undefined {
  return claims[name] === undefined ? undefined : readTime(claims, name)
}

/** Reads a claim that must be a whole number of minor units, zero or more. */
export function readAmount(claims: JsonObject, name: string): number {
  const value = claims[name]
  ensure(
    Number.isSafeInteger(value) && typeof value === 'number' && value >= 0,
    'malformed',
    `The ${name} is missing or malformed`,
  )
  return value
}
