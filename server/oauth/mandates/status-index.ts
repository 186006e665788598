import { ServiceError } from '../../base/core/errors'
import type { Randomness } from '../../base/core/platform'

/** The number of places in the list, one bit each. */
export const STATUS_LIST_SIZE = 2 ** 22
/** The number of places for mandates, which come first; the other million is for credentials that last for weeks. */
export const MANDATE_PLACES = STATUS_LIST_SIZE - 2 ** 20
/** The number of places that are drawn, so that one is free even when the list is nearly full. */
const CANDIDATES = 16

/** Draws random places of the status list for a mandate. The issuing statement takes the first free one. */
export function drawStatusIndexes(random: Randomness): number[] {
  return drawNumbers(random, MANDATE_PLACES)
}

/** {@link drawStatusIndexes} for a credential other than a mandate. */
export function drawCredentialIndexes(random: Randomness): number[] {
  return drawNumbers(random, STATUS_LIST_SIZE - MANDATE_PLACES).map((place) => MANDATE_PLACES + place)
}

function drawNumbers(random: Randomness, below: number): number[] {
  const bytes = random.bytes(4 * CANDIDATES)
  return Array.from({ length: CANDIDATES }, (_, place) => bytes.readUInt32BE(4 * place) % below)
}

/** A minute, since places are counted and freed every minute. */
const RETRY_AFTER_SECONDS = 60

/** Returns 503: the status list has no free place for a mandate or another credential. */
export function buildListFullError(): ServiceError {
  const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
  return new ServiceError('service_unavailable', 'No more mandates can be issued for now.', { headers })
}
