import type { JWK } from 'jose'
import {
  type Bytes,
  decodeBase64,
  decodeBase64url,
  encodeBase64,
  equalBytes,
  join,
  sha256,
  toBytes,
} from './encoding.ts'

const ED25519_TYPE = Uint8Array.of(1)
const KEY_ID_BYTES = 4

/** The content of a checkpoint in the form of a signed note. */
export interface TreeHead {
  /** The name of the log. */
  readonly origin: string
  readonly size: number
  /** The root of the tree, base64. */
  readonly root: string
}

const NOTE = /^([^\n]+\n\d+\n[^\n]+\n)\n— (\S+) (\S+)\n$/

/**
 * Reads a C2SP checkpoint; returns null unless this key has signed it under the name of its origin.
 * @see {@link https://c2sp.org/tlog-checkpoint}
 */
export async function openNote(note: string, jwk: JWK): Promise<TreeHead | null> {
  const [, text = '', name, line = ''] = NOTE.exec(note) ?? []
  const head = readHead(text)
  if (head === null || name !== head.origin) return null
  try {
    if (!isCanonicalBase64(head.root) || !isCanonicalBase64(line)) return null
    const key = decodeBase64url(jwk.x ?? '')
    return (await isSignedLine(text, { origin: head.origin, signed: decodeBase64(line), key })) ? head : null
  } catch {
    return null
  }
}

function readHead(text: string): TreeHead | null {
  const [origin = '', size = '', root = ''] = text.split('\n')
  return String(Number(size)) === size ? { origin, size: Number(size), root } : null
}

const isCanonicalBase64 = (text: string): boolean => encodeBase64(decodeBase64(text)) === text

interface SignatureLine {
  readonly origin: string
  /** The key's id and the signature, as the note carries them. */
  readonly signed: Bytes
  readonly key: Bytes
}

async function isSignedLine(text: string, { origin, signed, key }: SignatureLine): Promise<boolean> {
  const digest = await sha256(join(toBytes(`${origin}\n`), ED25519_TYPE, key))
  const isKey = equalBytes(digest.slice(0, KEY_ID_BYTES), signed.slice(0, KEY_ID_BYTES))
  return isKey && isSigned(text, signed.slice(KEY_ID_BYTES), key)
}

async function isSigned(text: string, signature: Bytes, raw: Bytes): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
  return crypto.subtle.verify('Ed25519', key, signature, toBytes(text))
}
