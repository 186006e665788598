import { type BareItem, type Dictionary, isInnerList, parseDictionary } from 'structured-headers'
import { DIGEST_BYTES, MESSAGE_SIGNATURE_ALGORITHMS, printableName } from '../crypto/algorithms.js'
import { CountersignError } from '../errors.js'
import { isJsonObject } from '../json.js'

const SIGNED_FIELDS = ['signature', 'signature_input', 'content_digest'] as const
/** The length of a signature: Ed25519, or ECDSA P-256 as raw r and s. */
const SIGNATURE_BYTES = 64

/**
 * Checks that a catalog carries its signature, in a valid form and with allowed algorithms. The signature covers the
 * merchant's whole catalog, of which this is one page, so it is verified where the whole catalog is read.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-4}
 */
export function requireSignedFields(catalog: unknown): void {
  const fields: Record<string, unknown> = isJsonObject(catalog) ? catalog : {}
  const texts = SIGNED_FIELDS.map((name) => {
    const text = fields[name]
    if (typeof text !== 'string' || text === '') throw rejected(`missing signed field ${name}`)
    return text
  })
  const [signature, signatureInput, contentDigest] = texts.map((text, index) => parseField(text, SIGNED_FIELDS[index]))
  if (signature !== undefined && signatureInput !== undefined) requireSignatures(signature, signatureInput)
  if (contentDigest !== undefined) requireDigests(contentDigest)
}

/** Throws unless every signature has its input, and names an allowed algorithm if it names one. */
function requireSignatures(signatures: Dictionary, inputs: Dictionary): void {
  if (signatures.size !== inputs.size) throw rejected('signature and signature_input differ')
  for (const [label, input] of inputs) {
    const signature = signatures.get(label)
    if (signature === undefined || !isInnerList(input)) throw rejected('signature and signature_input differ')
    requireAlgorithm(input[1].get('alg'))
    if (typeof input[1].get('keyid') !== 'string') throw rejected('signature without keyid')
    if (isInnerList(signature) || byteLength(signature[0]) !== SIGNATURE_BYTES) throw rejected('malformed signature')
  }
}

/**
 * Throws for an algorithm that is not allowed. It may be absent, since the key decides.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9421#section-2.3}
 */
function requireAlgorithm(algorithm: BareItem | undefined): void {
  if (algorithm === undefined) return
  if (typeof algorithm !== 'string' || !MESSAGE_SIGNATURE_ALGORITHMS.includes(algorithm)) {
    throw rejected(`signature algorithm ${printableName(algorithm)}`)
  }
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9530#section-2} */
function requireDigests(digests: Dictionary): void {
  for (const [algorithm, digest] of digests) {
    const bytes = DIGEST_BYTES[algorithm]
    if (bytes === undefined) throw rejected(`digest algorithm ${printableName(algorithm)}`)
    if (isInnerList(digest) || byteLength(digest[0]) !== bytes) throw rejected('malformed content_digest')
  }
}

function parseField(text: string, name = 'field'): Dictionary {
  try {
    const dictionary = parseDictionary(text)
    if (dictionary.size > 0) return dictionary
  } catch {
    // Continues to the error below: an empty field is as invalid as a malformed one.
  }
  throw rejected(`malformed ${name}`)
}

const byteLength = (item: BareItem): number =>
  item instanceof ArrayBuffer || ArrayBuffer.isView(item) ? item.byteLength : -1

const rejected = (reason: string) => new CountersignError(`rejected upstream catalog (${reason})`)
