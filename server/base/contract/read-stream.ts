import { ServiceError } from '../core/errors'
import { buildClientGoneError } from './problem'

/** The whole body of a request: 413 beyond `maxBytes`; a client that breaks it off has gone away. */
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
