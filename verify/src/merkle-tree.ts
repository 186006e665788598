import { type Bytes, equalBytes, join, sha256 } from './encoding.ts'

const HASH_BYTES = 32

/** Returns the hash of a leaf with this content. @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.1} */
export const hashLeaf = (data: Uint8Array): Promise<Bytes> => sha256(join(Uint8Array.of(0), data))

export const hashNode = (left: Uint8Array, right: Uint8Array): Promise<Bytes> =>
  sha256(join(Uint8Array.of(1), left, right))

export interface InclusionClaim {
  readonly index: number
  readonly size: number
  /** The hash of the leaf. */
  readonly leaf: Bytes
  readonly proof: readonly Bytes[]
  readonly root: Bytes
}

/** The position of a node on the path from a leaf to the root, and the last position at its level. */
interface Place {
  readonly position: number
  readonly last: number
}

/**
 * Returns whether a proof shows that a tree with this root holds the leaf.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2}
 */
export async function provesInclusion({ index, size, leaf, proof, root }: InclusionClaim): Promise<boolean> {
  const isLeaf = Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size
  if (!isLeaf || proof.some((hash) => hash.length !== HASH_BYTES)) return false
  let [place, hash]: [Place, Bytes] = [{ position: index, last: size - 1 }, leaf]
  for (const sibling of proof) {
    if (place.last === 0) return false
    const isRight = place.position % 2 === 1 || place.position === place.last
    hash = await (isRight ? hashNode(sibling, hash) : hashNode(hash, sibling))
    place = parentOf(isRight ? skipLevels(place) : place)
  }
  return place.last === 0 && equalBytes(hash, root)
}

const parentOf = ({ position, last }: Place): Place => ({
  position: Math.floor(position / 2),
  last: Math.floor(last / 2),
})

/** Returns the next node with a sibling; at the right edge, levels without one are skipped. */
function skipLevels(place: Place): Place {
  return place.position % 2 === 1 || place.position === 0 ? place : skipLevels(parentOf(place))
}
