import type { LineItem } from '../../base/contract/wire'
import { ServiceError } from '../../base/core/errors'
import { isJsonObject, type JsonObject } from '../../base/protocol/encoding'
import type { SandboxMerchant } from './catalog-data'

/** The ages that a buyer has proven to have reached. */
export type ProvenAges = Readonly<Record<string, true>>

const YEARS = /^[1-9][0-9]{0,2}$/

/** Returns the ages that a mandate discloses; null when it discloses none. */
export function readProvenAges({ age_equal_or_over: ages }: JsonObject): ProvenAges | null {
  if (!isJsonObject(ages)) return null
  const reached = Object.entries(ages).filter(([age, isReached]) => YEARS.test(age) && isReached === true)
  return reached.length === 0 ? null : Object.fromEntries(reached.map(([age]) => [age, true]))
}

/**
 * Refuses to sell what the buyer is not proven to be old enough for. Returns the age that the goods need; null when they
 * need none.
 * @throws 422 mandate_invalid
 */
export function requireAge(
  merchant: SandboxMerchant,
  items: readonly LineItem[],
  disclosed: JsonObject,
): number | null {
  const needed = merchant.items.filter(({ sku }) => items.some((item) => item.sku === sku))
  const ages = needed.flatMap(({ minAge }) => (minAge === undefined ? [] : [minAge]))
  if (ages.length === 0) return null
  const [age, reached] = [Math.max(...ages), Object.keys(readProvenAges(disclosed) ?? {}).map(Number)]
  if (reached.some((proven) => proven >= age)) return age
  throw new ServiceError('mandate_invalid', `The mandate does not prove that the buyer is ${age} or older.`)
}
