import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Randomness, Sealer } from '../../core/platform'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1'

/** Seals under a key derived from the key encryption key; derived secrets come from the same key. */
export function createSealer(keyEncryption: Buffer, random: Randomness): Sealer {
  if (keyEncryption.length !== KEY_BYTES) throw new Error('The key encryption key must have 32 bytes.')
  const derive = (purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', keyEncryption, '', `countersign/${purpose}`, KEY_BYTES))
  const key = derive('seal')
  return {
    derive: (purpose) => derive(`derived/${purpose}`),
    seal: (plaintext, context) => seal({ key, iv: random.bytes(IV_BYTES), context }, plaintext),
    open: (sealed, context) => open(key, sealed, context),
  }
}

function seal(under: { key: Buffer; iv: Buffer; context: string }, plaintext: Buffer): string {
  const cipher = createCipheriv('aes-256-gcm', under.key, under.iv)
  cipher.setAAD(Buffer.from(under.context))
  const parts = [under.iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]
  return `${VERSION}.${Buffer.concat(parts).toString('base64url')}`
}

function open(key: Buffer, sealed: string, context: string): Buffer {
  const [version, payload = ''] = sealed.split('.')
  const bytes = Buffer.from(payload, 'base64url')
  if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES) throw new Error('The sealed value is malformed.')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}
