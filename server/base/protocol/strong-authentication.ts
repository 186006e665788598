import { readText } from './claims'
import { isJsonObject, type JsonObject } from './encoding'
import { ensure } from './errors'
import { NONCE_MAX_CHARS } from './lifetimes'

/** The categories of factors, two of which make an authentication strong (PSD2 article 4). */
const CATEGORIES = ['knowledge', 'possession', 'inherence']
const METHODS_MAX = 8

/**
 * Throws unless the key binding of a payment has the claims of EUDI TS12 section 3.6: `jti`, which makes it a unique
 * authentication code, and `amr` with factors of at least two categories. A `response_mode` must be that of the
 * request.
 * @throws ProtocolError `malformed`
 */
export function requireStrongAuthentication(claims: JsonObject, responseMode: string): void {
  readText(claims, 'jti', NONCE_MAX_CHARS)
  const { amr, response_mode: mode } = claims
  const isList = Array.isArray(amr) && amr.length <= METHODS_MAX
  ensure(isList, 'malformed', 'The key binding has no list amr of authentication factors')
  const categories = amr.map(readCategory)
  const isStrong = new Set(categories).size >= 2
  ensure(isStrong, 'malformed', 'The amr of the key binding has no factors of two categories')
  ensure(mode === undefined || mode === responseMode, 'malformed', 'The response_mode is not that of the request')
}

/** Returns the category of a factor such as `{"knowledge":"pin_6_or_more_digits"}`. */
function readCategory(factor: unknown): string {
  const [entry, ...more] = isJsonObject(factor) ? Object.entries(factor) : []
  const [category = '', method] = entry ?? []
  const isFactor = more.length === 0 && CATEGORIES.includes(category) && typeof method === 'string' && method !== ''
  ensure(isFactor, 'malformed', 'A factor in the amr of the key binding is malformed')
  return category
}
