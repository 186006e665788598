import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../core/platform'
import { createFileOnce } from './files'
import { explainFileError, StartFailure } from './start-failure'

/** What the environment gives; null where it says nothing. */
export interface GivenSecrets {
  readonly operatorToken: string | null
  readonly processorWebhook: string | null
  readonly rcsCallback: string | null
  readonly keyEncryptionKeys: readonly Buffer[] | null
}

/**
 * The secrets of a process: those given, and for the rest those kept under `dataDir`, which are made at first start. The
 * files are for their owner only; processes that start together agree on one value.
 */
export function readSecrets(dataDir: string, given: GivenSecrets): Config['secrets'] {
  const kept = (name: string, prefix = ''): string => {
    try {
      return readOrMake(dataDir, name, `${prefix}${randomToken()}`)
    } catch (error) {
      throw explainFileError(error, dataDir)
    }
  }
  return {
    operatorToken: given.operatorToken ?? kept('operator-token'),
    processorWebhook: given.processorWebhook ?? kept('processor-webhook-secret', 'whsec_'),
    rcsCallback: given.rcsCallback ?? kept('rcs-callback-secret'),
    keyEncryptionKeys: given.keyEncryptionKeys ?? [decodeKeptKey(dataDir, kept('key-encryption-key'))],
  }
}

/** 32 bytes as base64url (43 characters) or as hex (64); null for anything else. */
function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  if (/^[\w-]{43}=?$/.test(text)) return Buffer.from(text, 'base64url')
  return null
}

const SECRET = /^[\x21-\x7e]{24,512}$/
const SECRET_DIFFERENT_CHARACTERS = 10
const KEY_DIFFERENT_BYTES = 16
const PLACEHOLDER = /change[-_ ]?(?:me|this)|placeholder|example|your[-_](?:secret|token|key)|password|secret[-_]?here/i

/** Whether a secret that somebody chose is long and varied enough, and not the one of an example. */
export function isStrongSecret(text: string): boolean {
  return SECRET.test(text) && new Set(text).size >= SECRET_DIFFERENT_CHARACTERS && !PLACEHOLDER.test(text)
}

/** The keys of a text that are separated by commas; null unless each is a different key of 32 bytes that look random. */
export function decodeStrongKeys(text: string): readonly Buffer[] | null {
  const keys = text.split(',').flatMap((one) => decodeKey(one.trim()) ?? [])
  const isEachStrong = keys.every((key) => new Set(key).size >= KEY_DIFFERENT_BYTES)
  const areDifferent = new Set(keys.map((key) => key.toString('hex'))).size === text.split(',').length
  return isEachStrong && areDifferent ? keys : null
}

function decodeKeptKey(dataDir: string, text: string): Buffer {
  const key = decodeKey(text)
  // Never replaced: what it encrypted would be lost for good.
  if (!key)
    throw new StartFailure(
      `${join(dataDir, 'key-encryption-key')} does not hold a key of 32 bytes. Restore it from a backup.`,
    )
  return key
}

function readOrMake(dataDir: string, name: string, fresh: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, name)
  if (createFileOnce(path, `${fresh}\n`)) return fresh
  const text = readFileSync(path, 'utf8').trim()
  if (text === '') throw new StartFailure(`${path} is empty. Restore it, or delete it to have a new one made.`)
  return text
}

function randomToken(): string {
  return randomBytes(32).toString('base64url')
}
