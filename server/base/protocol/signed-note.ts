import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { verifyEd25519 } from './ed25519'
import type { SigningKey } from './eddsa'
import { sha256 } from './encoding'
import { ensure } from './errors'

/** The type byte of Ed25519 signatures. */
const ED25519_TYPE = Buffer.from([1])
const KEY_ID_BYTES = 4
/** The longest note: enough for a checkpoint with a few witnesses. */
const NOTE_MAX_CHARS = 16_384
const SIGNATURE_LINE = /^— (?<name>[^\s+]+) (?<signature>[A-Za-z0-9+/]+={0,2})$/
const ROOT_BYTES = 32

/** The head of a log's Merkle tree. @see {@link https://c2sp.org/tlog-checkpoint} */
export interface TreeHead {
  /** The name of the log: an address without scheme, spaces and plus signs. */
  readonly origin: string
  readonly size: number
  readonly root: Buffer
}

/** A public key with the name under which it signs notes. */
export interface NoteKey {
  readonly name: string
  readonly key: KeyObject
}

/** Returns the text of a checkpoint. */
export function writeTreeHead({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

/** Reads the text of a checkpoint; ignores extension lines. Throws `malformed` for any other text. */
export function readTreeHead(text: string): TreeHead {
  const [origin = '', size = '', root = ''] = text.split('\n')
  ensure(origin !== '' && /^(?:0|[1-9][0-9]{0,15})$/.test(size), 'malformed', 'The text is no checkpoint')
  const bytes = Buffer.from(root, 'base64')
  const isRoot = bytes.length === ROOT_BYTES && bytes.toString('base64') === root
  ensure(isRoot && Number.isSafeInteger(Number(size)), 'malformed', 'The text is no checkpoint')
  return { origin, size: Number(size), root: bytes }
}

/**
 * Signs a text with Ed25519 as a C2SP signed note. The text ends with a newline.
 * @see {@link https://c2sp.org/signed-note}
 */
export function signNote(text: string, name: string, { privateKey }: Pick<SigningKey, 'privateKey'>): string {
  const id = keyIdOf({ name, key: createPublicKey(privateKey) })
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)])
  return `${text}\n— ${name} ${signature.toString('base64')}\n`
}

/**
 * Verifies a note and returns its text. Throws `invalid_signature` unless one of the keys has signed it and none of
 * their signatures is invalid, and `malformed` for a text that is no note. Ignores signatures of other keys.
 */
export function openNote(note: string, keys: readonly NoteKey[]): string {
  const { text, signatures } = splitNote(note)
  const known = signatures.flatMap(({ name, id, signature }) =>
    keys
      .filter((candidate) => candidate.name === name && keyIdOf(candidate).equals(id))
      .map(({ key }) => ({ key, signature })),
  )
  const isSigned =
    known.length > 0 && known.every(({ key, signature }) => verifyEd25519(Buffer.from(text), key, signature))
  ensure(isSigned, 'invalid_signature', 'The note is not signed by a known key')
  return text
}

interface NoteSignature {
  readonly name: string
  readonly id: Buffer
  readonly signature: Buffer
}

function splitNote(note: string): { text: string; signatures: NoteSignature[] } {
  const end = note.lastIndexOf('\n\n')
  ensure(note.length <= NOTE_MAX_CHARS && end > 0 && note.endsWith('\n'), 'malformed', 'The text is no signed note')
  const lines = note.slice(end + 2, -1).split('\n')
  return { text: note.slice(0, end + 1), signatures: lines.map(readSignature) }
}

function readSignature(line: string): NoteSignature {
  const { name = '', signature = '' } = SIGNATURE_LINE.exec(line)?.groups ?? {}
  const bytes = Buffer.from(signature, 'base64')
  const isCanonical = bytes.toString('base64') === signature && bytes.length > KEY_ID_BYTES
  ensure(name !== '' && isCanonical, 'malformed', 'A signature line of the note is malformed')
  return { name, id: bytes.subarray(0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) }
}

function keyIdOf(key: NoteKey): Buffer {
  return sha256(Buffer.concat([Buffer.from(`${key.name}\n`), ED25519_TYPE, rawKeyOf(key)])).subarray(0, KEY_ID_BYTES)
}

function rawKeyOf({ key }: NoteKey): Buffer {
  const { crv, x } = key.export({ format: 'jwk' })
  ensure(crv === 'Ed25519' && x !== undefined, 'invalid_signature', 'The key is not an Ed25519 key')
  return Buffer.from(x, 'base64url')
}
