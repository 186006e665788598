/** A JSON object. Members are read with brackets and checked before use. */
export type JsonObject = { readonly [member: string]: unknown }

export type Bytes = Uint8Array<ArrayBuffer>

/** A surrogate without its pair, which JSON can escape but UTF-8 cannot encode. */
export const LONE_SURROGATE = /\p{Surrogate}/u
const NOT_BASE64URL = /[^\w-]/

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const toBytes = (text: string): Bytes => new TextEncoder().encode(text)

/** Decodes UTF-8; throws for invalid bytes. */
export const toText = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)

/** Decodes base64url in its canonical form only (RFC 4648 section 3.5); throws otherwise. */
export function decodeBase64url(text: string): Bytes {
  if (NOT_BASE64URL.test(text)) throw new Error('The value is not base64url.')
  const bytes = decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (encodeBase64url(bytes) !== text) throw new Error('The value is not canonical base64url.')
  return bytes
}

export function decodeBase64(text: string): Bytes {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

export function encodeBase64url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

export function join(...parts: readonly Uint8Array[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}

export async function sha256(data: Bytes | string): Promise<Bytes> {
  const bytes = typeof data === 'string' ? toBytes(data) : data
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

export async function sha256Base64url(data: Bytes | string): Promise<string> {
  return encodeBase64url(await sha256(data))
}

/** Serializes a value by the JSON Canonicalization Scheme (RFC 8785); throws for values that JSON does not have. */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item: unknown) => canonicalJson(item)).join(',')}]`
  if (!isJsonObject(value)) throw new Error('The value has no JSON form.')
  const members = Object.keys(value).toSorted()
  return `{${members.map((name) => `${canonicalString(name)}:${canonicalJson(value[name])}`).join(',')}}`
}

function canonicalString(text: string): string {
  if (LONE_SURROGATE.test(text)) throw new Error('A text holds a lone surrogate.')
  return JSON.stringify(text)
}

/** Returns the digest of a value: SHA-256 over its canonical JSON, base64url. */
export const digestOf = (value: unknown): Promise<string> => sha256Base64url(canonicalJson(value))
