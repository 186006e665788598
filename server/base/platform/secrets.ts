import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../core/platform'
import { createFileOnce } from './files'

/** What the environment gives; null where it says nothing. */
export interface GivenSecrets {
  readonly operatorToken: string | null
  readonly processorWebhook: string | null
  readonly rcsCallback: string | null
  readonly keyEncryption: Buffer | null
}

/**
 * The secrets of a process: those given, and for the rest those kept under `dataDir`, which are made at first start. The
 * files are for their owner only; processes that start together agree on one value.
 */
export function readSecrets(dataDir: string, given: GivenSecrets): Config['secrets'] {
  const kept = (name: string, prefix = ''): string => readOrMake(dataDir, name, `${prefix}${randomToken()}`)
  return {
    operatorToken: given.operatorToken ?? kept('operator-token'),
    processorWebhook: given.processorWebhook ?? kept('processor-webhook-secret', 'whsec_'),
    rcsCallback: given.rcsCallback ?? kept('rcs-callback-secret'),
    keyEncryption: given.keyEncryption ?? decodeKeptKey(dataDir, kept('key-encryption-key')),
  }
}

/** 32 bytes as base64url (43 characters) or as hex (64); null for anything else. */
export function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Buffer.from(text, 'hex')
  if (/^[\w-]{43}=?$/.test(text)) return Buffer.from(text, 'base64url')
  return null
}

function decodeKeptKey(dataDir: string, text: string): Buffer {
  const key = decodeKey(text)
  // Never replaced: what it encrypted would be lost for good.
  if (!key) throw new Error(`${join(dataDir, 'key-encryption-key')} does not hold a key of 32 bytes.`)
  return key
}

function readOrMake(dataDir: string, name: string, fresh: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, name)
  if (createFileOnce(path, `${fresh}\n`)) return fresh
  const text = readFileSync(path, 'utf8').trim()
  if (text === '') throw new Error(`${path} is empty. Restore it, or delete it to have a new one made.`)
  return text
}

function randomToken(): string {
  return randomBytes(32).toString('base64url')
}
