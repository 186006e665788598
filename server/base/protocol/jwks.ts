import { isJsonObject } from './encoding'
import { ensure, refusingLater } from './errors'
import { type ClientJwk, parseClientJwk } from './jwk'
import { importKey } from './key-import'
import { JWKS_MAX_KEYS } from './lifetimes'

/**
 * Reads the key set of a client registration: 1 to 10 signature keys, whose `kid`s differ. RSA is refused unless
 * the RS256 legacy window is open. Every refusal is `invalid_client_metadata`.
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2}
 */
export function parseJwks(
  value: unknown,
  { allowRsa = false }: { readonly allowRsa?: boolean } = {},
): Promise<ClientJwk[]> {
  return refusingLater('invalid_client_metadata', async () => {
    const keys: unknown = isJsonObject(value) ? value['keys'] : undefined
    ensure(Array.isArray(keys), 'malformed', 'The jwks is not a key set')
    const isBounded = keys.length >= 1 && keys.length <= JWKS_MAX_KEYS
    ensure(isBounded, 'malformed', `The jwks must hold 1 to ${JWKS_MAX_KEYS} keys`)
    const parsed = keys.map((key: unknown) => parseClientJwk(key, { allowRsa }))
    const kids = parsed.flatMap((key) => key.kid ?? [])
    ensure(new Set(kids).size === kids.length, 'malformed', 'A kid occurs twice in the jwks')
    await Promise.all(parsed.map(importKey))
    return parsed
  })
}
