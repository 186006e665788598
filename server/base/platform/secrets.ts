import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../core/platform'
import { createFileOnce } from './files'
import { explainFileError, StartFailure } from './start-failure'

/** The secrets that the environment sets; null for each that it does not set. */
export interface GivenSecrets {
  readonly operatorToken: string | null
  readonly metricsToken: string | null
  readonly processorWebhook: string | null
  readonly rcsCallback: string | null
  readonly keyEncryptionKeys: readonly Buffer[] | null
}

/**
 * Returns the secrets of a process: the given ones, and for the rest, but for the token that reads metrics, those in
 * files under `dataDir`, which are created at the first start, for their owner only. Processes that start together get the same values.
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
    metricsToken: given.metricsToken,
    processorWebhook: given.processorWebhook ?? kept('processor-webhook-secret', 'whsec_'),
    rcsCallback: given.rcsCallback ?? kept('rcs-callback-secret'),
    keyEncryptionKeys: given.keyEncryptionKeys ?? [decodeKeptKey(dataDir, kept('key-encryption-key'))],
  }
}

/** Decodes 32 bytes from base64url (43 characters) or hex (64); returns null for anything else. */
function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  if (/^[\w-]{43}=?$/.test(text)) return Buffer.from(text, 'base64url')
  return null
}

const SECRET = /^[\x21-\x7e]{24,512}$/
const SECRET_DIFFERENT_CHARACTERS = 10
const KEY_DIFFERENT_BYTES = 16
const PLACEHOLDER =
  /(?:change|replace)[-_]?(?:me|this)|placeholder|example|(?:^|[-_])your[-_]|your[-_](?:secret|token|key)|password|(?:secret|goes)[-_]?here/i

/** Whether a configured secret is long and varied enough, and not that of an example. */
export function isStrongSecret(text: string): boolean {
  return SECRET.test(text) && new Set(text).size >= SECRET_DIFFERENT_CHARACTERS && !PLACEHOLDER.test(text)
}

/** Decodes keys separated by commas; returns null unless all are different and each has 32 bytes that look random. */
export function decodeStrongKeys(text: string): readonly Buffer[] | null {
  const keys = text.split(',').flatMap((one) => decodeKey(one.trim()) ?? [])
  const isEachStrong = keys.every((key) => new Set(key).size >= KEY_DIFFERENT_BYTES)
  const areDifferent = new Set(keys.map((key) => key.toString('hex'))).size === text.split(',').length
  return isEachStrong && areDifferent ? keys : null
}

function decodeKeptKey(dataDir: string, text: string): Buffer {
  const key = decodeKey(text)
  // Never replaced, because values that it encrypted would be lost.
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
