import { createCipheriv, createECDH, ECDH, hkdfSync, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { decodeBase64url } from './encoding'
import { ensure, ProtocolError } from './errors'
import { VAPID_TTL_SECONDS } from './lifetimes'

const CURVE = 'prime256v1'
/** An uncompressed point of P-256. */
const POINT_BYTES = 65
const AUTH_BYTES = 16
const SALT_BYTES = 16
const TAG_BYTES = 16
/** Marks the end of the plaintext of the only, and so last, record. @see {@link https://www.rfc-editor.org/rfc/rfc8188#section-2} */
const LAST_RECORD = 2
/** The record size: a push message is one record. */
const RECORD_BYTES = 4_096

/** The decoded keys of a browser's subscription, to which messages are encrypted. */
export interface PushKeys {
  /** The browser's public key, an uncompressed point of P-256. */
  readonly p256dh: Buffer
  /** The secret that browser and server share, 16 bytes. */
  readonly auth: Buffer
}

/**
 * Decodes the base64url keys of a browser. Throws `malformed` for another length, and for a key that is no point of the
 * curve.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8291#section-3.1}
 */
export function parsePushKeys(keys: { readonly p256dh: string; readonly auth: string }): PushKeys {
  const [p256dh, auth] = [decodeBase64url(keys.p256dh), decodeBase64url(keys.auth)]
  ensure(auth.length === AUTH_BYTES, 'malformed', 'The auth secret is not 16 bytes')
  ensure(p256dh.length === POINT_BYTES && isPoint(p256dh), 'malformed', 'The key is no uncompressed point of P-256')
  return { p256dh, auth }
}

function isPoint(bytes: Buffer): boolean {
  try {
    ECDH.convertKey(bytes, CURVE)
    return true
  } catch {
    return false
  }
}

interface PushSecrets {
  readonly keys: PushKeys
  /** 16 random bytes, new for each message. */
  readonly salt: Buffer
  /** A random private key of P-256, new for each message. */
  readonly privateKey: Buffer
  /** The length to which the plaintext is padded with zeros to hide its own; 0 for no padding. */
  readonly paddedBytes: number
}

/**
 * Encrypts one message to a browser and returns a request body with the content encoding `aes128gcm`. Throws
 * `malformed` for a text that does not fit into one record.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8291#section-3.4}
 */
export function encryptPush(plaintext: Buffer, { keys, salt, privateKey, paddedBytes }: PushSecrets): Buffer {
  const sender = createECDH(CURVE)
  sender.setPrivateKey(privateKey)
  const own = sender.getPublicKey()
  const shared = sender.computeSecret(keys.p256dh)
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), keys.p256dh, own])
  const secret = derive(shared, { salt: keys.auth, info: about, bytes: 32 })
  const key = derive(secret, { salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), bytes: 16 })
  const nonce = derive(secret, { salt, info: Buffer.from('Content-Encoding: nonce\0'), bytes: 12 })
  const padding = Buffer.alloc(Math.max(0, paddedBytes - plaintext.length))
  const record = Buffer.concat([plaintext, Buffer.from([LAST_RECORD]), padding])
  if (record.length + TAG_BYTES > RECORD_BYTES) throw new ProtocolError('malformed', 'The message is too long')
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  return Buffer.concat([header(salt, own), cipher.update(record), cipher.final(), cipher.getAuthTag()])
}

interface Derivation {
  readonly salt: Buffer
  readonly info: Buffer
  readonly bytes: number
}

/** Derives bytes by HKDF with SHA-256. @see {@link https://www.rfc-editor.org/rfc/rfc5869} */
function derive(secret: Buffer, { salt, info, bytes }: Derivation): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, bytes))
}

/**
 * Returns the header: salt, record size and the sender's public key.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8188#section-2.1}
 */
function header(salt: Buffer, publicKey: Buffer): Buffer {
  ensure(salt.length === SALT_BYTES, 'malformed', 'The salt is not 16 bytes')
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  return Buffer.concat([salt, size, Buffer.from([publicKey.length]), publicKey])
}

interface VapidClaims {
  /** The address to which the message is posted; its origin is the audience. */
  readonly endpoint: string
  /** The operator's contact for the push service: a `mailto:` or `https:` URI. */
  readonly subject: string
  readonly now: Date
}

/**
 * The key that identifies this server to push services: P-256, with its public part as uncompressed point in base64url.
 */
export interface VapidKey {
  readonly privateKey: KeyObject
  readonly publicKey: string
}

/**
 * Returns the `Authorization` header of a push message.
 * @see {@link https://www.rfc-editor.org/rfc/rfc8292#section-3}
 */
export async function signVapid({ endpoint, subject, now }: VapidClaims, key: VapidKey): Promise<string> {
  const token = await new SignJWT({ sub: subject })
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(new URL(endpoint).origin)
    .setExpirationTime(Math.floor(now.getTime() / 1000) + VAPID_TTL_SECONDS)
    .sign(key.privateKey)
  return `vapid t=${token}, k=${key.publicKey}`
}
