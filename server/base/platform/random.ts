import { randomFillSync, randomUUID } from 'node:crypto'
import type { Randomness } from '../core/platform'

/** The bytes that are read from the operating system at once, which costs little more than reading a few. */
const BLOCK_BYTES = 4096

let block = Buffer.alloc(0)
let used = 0

/** Returns fresh random bytes, which it erases from the block. */
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
