import { ServiceError } from '../../base/core/errors'

/**
 * The bytes of a JSON body. 415 for other media types, which a foreign page could send without a preflight request; 413
 * beyond `maxBytes`.
 */
export async function readJsonBody(request: Request, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new ServiceError('unsupported_media_type', 'The body must be application/json.')
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > maxBytes) throw new ServiceError('body_too_large', `The body may have at most ${maxBytes} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
