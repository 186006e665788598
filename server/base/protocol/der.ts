import { ensure } from './errors'

/** One element of DER: its tag and its content. */
export interface DerElement {
  readonly tag: number
  readonly content: Buffer
}

/** The tags that occur in certificates. @see {@link https://www.itu.int/rec/T-REC-X.690} */
export const DER = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  keyIdentifier: 0x80,
} as const

const LENGTH_BYTES_MAX = 3

/** Reads the consecutive elements of some bytes; throws unless all bytes are DER. */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = []
  let offset = 0
  while (offset < bytes.length) {
    const { tag, start, end } = readHead(bytes, offset)
    elements.push({ tag, content: bytes.subarray(start, end) })
    offset = end
  }
  return elements
}

/** Reads the elements of a sequence, which must be all of the bytes. */
export function readDerSequence(bytes: Buffer): DerElement[] {
  const [outer, ...rest] = readDer(bytes)
  ensure(outer?.tag === DER.sequence && rest.length === 0, 'malformed', 'The DER is not one sequence')
  return readDer(outer.content)
}

function readHead(bytes: Buffer, offset: number): { tag: number; start: number; end: number } {
  const tag = bytes[offset] ?? 0
  ensure((tag & 0x1f) !== 0x1f, 'malformed', 'The DER has a tag of several bytes')
  const first = bytes[offset + 1] ?? 0x80
  if (first < 0x80) return within(bytes, { tag, start: offset + 2, length: first })
  const count = first & 0x7f
  const start = offset + 2 + count
  ensure(count >= 1 && count <= LENGTH_BYTES_MAX && start <= bytes.length, 'malformed', 'The DER has no usable length')
  const length = bytes.readUIntBE(offset + 2, count)
  // X.690 section 10.1: a length must have the fewest possible bytes.
  ensure(length >= 0x80 && length >= 2 ** (8 * (count - 1)), 'malformed', 'The DER has a length in too many bytes')
  return within(bytes, { tag, start, length })
}

function within(bytes: Buffer, { tag, start, length }: { tag: number; start: number; length: number }) {
  ensure(start + length <= bytes.length, 'malformed', 'The DER ends too early')
  return { tag, start, end: start + length }
}
