import { readStream } from '../../base/contract/read-stream'
import { ServiceError } from '../../base/core/errors'

/** The largest body that a page may post, as for callers of the API. */
const BODY_MAX_BYTES = 64 * 1024

/**
 * Returns the bytes of a JSON body. 415 for other media types, which a foreign page could send without a preflight
 * request; 413 for more than 64 KiB.
 */
export async function readJsonBody(request: Request): Promise<Buffer<ArrayBuffer>> {
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (mediaType !== 'application/json') {
    throw new ServiceError('unsupported_media_type', 'The body must be application/json.')
  }
  return readStream(request.body, BODY_MAX_BYTES)
}
