import { ServiceError } from '../core/errors'
import { buildClientGoneError } from './problem'

/** Reads the whole body of a request. Throws 413 beyond `maxBytes`, and the client-gone error when it breaks off. */
export async function readStream(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw new ServiceError('body_too_large', `The body may have at most ${maxBytes} bytes.`)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : buildClientGoneError(error)
  }
  return Buffer.concat(chunks)
}
