import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Randomness, Sealer } from '../../core/platform'

const KEY_BYTES = 32
const KEY_ID_BYTES = 6
const IV_BYTES = 12
const TAG_BYTES = 16
/** The version of sealed values that do not name their key. */
const NAMELESS = 'v1'
const VERSION = 'v2'

interface SealingKey {
  readonly id: string
  readonly key: Buffer
  readonly derive: (purpose: string) => Buffer
}

/**
 * Creates a sealer: it seals under a key derived from the first key encryption key, which the sealed value names, and
 * opens values that were sealed under any of the keys. Derived secrets come from the same keys.
 */
export function createSealer(keyEncryptionKeys: readonly Buffer[], random: Randomness): Sealer {
  const keys = keyEncryptionKeys.map(toSealingKey)
  const [first] = keys
  if (first === undefined) throw new Error('There must be a key encryption key.')
  return {
    keyIds: keys.map(({ id }) => id),
    derive: (purpose) => first.derive(`derived/${purpose}`),
    deriveAll: (purpose) => keys.map(({ derive }) => derive(`derived/${purpose}`)),
    seal: (plaintext, context) => seal(first, { iv: random.bytes(IV_BYTES), context }, plaintext),
    open: (sealed, context) => open(keys, sealed, context),
  }
}

function toSealingKey(keyEncryption: Buffer): SealingKey {
  if (keyEncryption.length !== KEY_BYTES) throw new Error('The key encryption key must have 32 bytes.')
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', keyEncryption, '', `countersign/${purpose}`, KEY_BYTES))
  const id = derive('key-id').subarray(0, KEY_ID_BYTES).toString('base64url')
  return { id, key: derive('seal'), derive }
}

function seal({ id, key }: SealingKey, { iv, context }: { iv: Buffer; context: string }, plaintext: Buffer): string {
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  cipher.setAAD(Buffer.from(context))
  const parts = [iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]
  return `${VERSION}.${id}.${Buffer.concat(parts).toString('base64url')}`
}

function open(keys: readonly SealingKey[], sealed: string, context: string): Buffer {
  const [version, ...parts] = sealed.split('.')
  const [keyId = '', payload = ''] = version === NAMELESS ? ['', ...parts] : parts
  const bytes = Buffer.from(payload, 'base64url')
  const isWhole = bytes.length >= IV_BYTES + TAG_BYTES && parts.length === (version === NAMELESS ? 1 : 2)
  if ((version !== NAMELESS && version !== VERSION) || !isWhole) throw new Error('The sealed value is malformed.')
  const candidates = version === NAMELESS ? keys : keys.filter(({ id }) => id === keyId)
  if (candidates.length === 0) throw new Error('The value was sealed under a key that is not given.')
  return openWithAny(candidates, bytes, context)
}

function openWithAny([key, ...others]: readonly SealingKey[], bytes: Buffer, context: string): Buffer {
  if (key === undefined) throw new Error('The sealed value does not authenticate under any key.')
  try {
    return openWith(key, bytes, context)
  } catch (error) {
    if (others.length === 0) throw error
    return openWithAny(others, bytes, context)
  }
}

function openWith({ key }: SealingKey, bytes: Buffer, context: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}
