import { randomFillSync, randomUUID } from 'node:crypto'
import type { Randomness } from '../core/platform'

/** Asking the operating system for many bytes at once costs little more than for a few. */
const BLOCK_BYTES = 4096

let block = Buffer.alloc(0)
let used = 0

/** Bytes that were never handed out before. What is handed out does not stay in the block. */
function draw(length: number): Buffer {
  if (length > BLOCK_BYTES) return randomFillSync(Buffer.alloc(length))
  if (used + length > block.length) {
    block = randomFillSync(Buffer.alloc(BLOCK_BYTES))
    used = 0
  }
  const part = block.subarray(used, used + length)
  const bytes = Buffer.from(part)
  part.fill(0)
  used += length
  return bytes
}

/** The operating system's cryptographic randomness. */
export const systemRandomness: Randomness = {
  bytes: draw,
  uuid: () => randomUUID(),
  token: (bytes) => draw(bytes).toString('base64url'),
}
