import { hash, timingSafeEqual } from 'node:crypto'
import { parseDictionary, serializeDictionary } from 'structured-headers'
import { ensure, ProtocolError } from './errors'

/** The algorithms of RFC 9530 section 5 that are not deprecated. */
const ALGORITHMS = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
])
const FIELD_MAX_CHARS = 1_024

/** Returns the Content-Digest of a body, with SHA-256. @see {@link https://www.rfc-editor.org/rfc/rfc9530#section-2} */
export function contentDigest(body: Uint8Array): string {
  return serializeDictionary(new Map([['sha-256', [hash('sha256', body, 'buffer'), new Map()]]]))
}

/**
 * Verifies every digest of the field whose algorithm is secure; there must be at least one. Refusals are
 * `invalid_signature`.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9530#section-2}
 */
export function verifyContentDigest(field: string | null, body: Uint8Array): void {
  ensure(field !== null && field.length <= FIELD_MAX_CHARS, 'invalid_signature', 'The Content-Digest is missing')
  let checked = 0
  for (const [name, [digest]] of parseField(field)) {
    const algorithm = ALGORITHMS.get(name)
    // RFC 9530 section 6.6: insecure and unknown algorithms are ignored.
    if (algorithm === undefined) continue
    ensure(digest instanceof ArrayBuffer, 'invalid_signature', 'The Content-Digest is malformed')
    const wanted = hash(algorithm, body, 'buffer')
    const given = Buffer.from(digest)
    const isSame = given.length === wanted.length && timingSafeEqual(given, wanted)
    ensure(isSame, 'invalid_signature', 'The Content-Digest is not that of the body')
    checked += 1
  }
  ensure(checked > 0, 'invalid_signature', 'The Content-Digest has no supported algorithm')
}

function parseField(field: string): ReturnType<typeof parseDictionary> {
  try {
    return parseDictionary(field)
  } catch {
    throw new ProtocolError('invalid_signature', 'The Content-Digest is malformed')
  }
}
