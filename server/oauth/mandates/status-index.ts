import { ServiceError } from '../../base/core/errors'
import type { Randomness } from '../../base/core/platform'

/** Places of the list, one bit each. */
export const STATUS_LIST_SIZE = 2 ** 22
/** The places of mandates come first; the others belong to credentials that live for weeks, at most a million at a time. */
export const MANDATE_PLACES = STATUS_LIST_SIZE - 2 ** 20
/** How many places are drawn so that one of them is free even when the list is nearly full. */
const CANDIDATES = 16

/** Random places of the status list for a mandate. The issuing statement takes the first that is free. */
export function drawStatusIndexes(random: Randomness): number[] {
  return drawNumbers(random, MANDATE_PLACES)
}

/** {@link drawStatusIndexes} for a credential that is no mandate. */
export function drawCredentialIndexes(random: Randomness): number[] {
  return drawNumbers(random, STATUS_LIST_SIZE - MANDATE_PLACES).map((place) => MANDATE_PLACES + place)
}

function drawNumbers(random: Randomness, below: number): number[] {
  const bytes = random.bytes(4 * CANDIDATES)
  return Array.from({ length: CANDIDATES }, (_, place) => bytes.readUInt32BE(4 * place) % below)
}

/** Places are counted and given back every minute. */
const RETRY_AFTER_SECONDS = 60

/** 503: a mandate or another credential needs a place in the status list, and none is free. */
export function buildListFullError(): ServiceError {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  return new ServiceError('service_unavailable', 'No more mandates can be issued for now.', { headers })
}
