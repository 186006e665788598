import { randomBytes, randomUUID } from 'node:crypto'
import type { Randomness } from '@/server/core/platform'

/** The operating system's cryptographic randomness. */
export const systemRandomness: Randomness = {
  bytes: (length) => randomBytes(length),
  uuid: () => randomUUID(),
  token: (bytes) => randomBytes(bytes).toString('base64url'),
}
