import type { JWK } from 'jose'
import { DocumentError, readHeader, verifyWith } from './documents.ts'
import { decodeBase64url, isJsonObject, type JsonObject, sha256Base64url, toText } from './encoding.ts'
import { parseHolderJson, parseStrictJson } from './strict-json.ts'

/** The greatest age of a key binding at its presentation, and how far the holder's clock may be ahead. */
export const BINDING_MAX_AGE_SECONDS = 300
export const BINDING_SKEW_SECONDS = 60

/**
 * Returns the key that an SD-JWT VC is bound to, with the thumbprint that it names; null when it is not bound to a key.
 */
export function holderOf({ cnf }: JsonObject): { readonly jwk: JWK; readonly jkt: unknown } | null {
  const jwk = isJsonObject(cnf) ? cnf['jwk'] : undefined
  return isJsonObject(cnf) && isJsonObject(jwk) ? { jwk, jkt: cnf['jkt'] } : null
}

/** Parses a disclosure to its salt, name and value; returns null for other JSON, and throws for invalid text. */
export function parseDisclosure(text: string): readonly unknown[] | null {
  const value = parseStrictJson(toText(decodeBase64url(text)))
  return Array.isArray(value) && value.length === 3 ? value : null
}

interface Bound {
  /** The claims of the SD-JWT VC that the server signed. */
  readonly claims: JsonObject
  /** The presentation up to and including its last tilde. */
  readonly boundText: string
}

/** Reads the holder's own signature over a presentation (RFC 9901 section 7.3). Throws a DocumentError. */
export async function readBinding(binding: string, { claims, boundText }: Bound): Promise<JsonObject> {
  const holder = holderOf(claims)
  if (holder === null) throw new DocumentError('has no key.')
  if (!isKeyBinding(readHeader(binding))) throw new DocumentError('is of another type.')
  const signed = await verifyWith(binding, holder.jwk, parseHolderJson)
  if (signed['sd_hash'] === (await sha256Base64url(boundText))) return signed
  throw new DocumentError('is over another presentation.')
}

/**
 * Returns whether the type is that of a key binding, as a media type: case-insensitive, with or without `application/`
 * (RFC 7515 section 4.1.9).
 */
function isKeyBinding({ typ }: ReturnType<typeof readHeader>): boolean {
  return (
    String(typ)
      .toLowerCase()
      .replace(/^application\//, '') === 'kb+jwt'
  )
}
