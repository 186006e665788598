import { sha256 } from './encoding'
import { ensure } from './errors'

/*
 * Merkle trees by RFC 9162 section 2.1, as pure functions. A tree is identified by its number of leaves, and the
 * subtrees whose hashes make up a proof by `LeafRange`s, so that the caller may store the hashes in any way.
 */

/** Leaves `start` to `end`, counted from 0, `end` not included. */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** A complete subtree: 2^`height` leaves, the first of which is number `position` * 2^`height`. */
export interface Subtree {
  readonly height: number
  readonly position: number
}

const HASH_BYTES = 32
const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

/** Returns the hash of a leaf with this content. @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.1} */
export function hashLeaf(data: Uint8Array): Buffer {
  return sha256(Buffer.concat([LEAF, data]))
}

/** Returns the hash of a node with two children. */
export function hashChildren(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([NODE, left, right]))
}

/** Returns the root over neighbouring subtrees, of one height or decreasing from left to right, as at a tree's edge. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes
  if (first === undefined) return sha256('')
  if (hashes.length === 1) return first
  const split = largestPowerBelow(hashes.length)
  return hashChildren(rootOf(hashes.slice(0, split)), rootOf(hashes.slice(split)))
}

/** Returns the largest power of two that is smaller than `count`; `count` is 2 or more. */
function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/**
 * Returns the subtrees that prove leaf `index` of a tree, from the leaf upwards.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.1}
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  ensure(
    isCount(size) && Number.isSafeInteger(index) && index >= 0 && index < size,
    'malformed',
    'There is no such leaf',
  )
  const ranges: LeafRange[] = []
  let tree: LeafRange = { start: 0, end: size }
  while (tree.end - tree.start > 1) {
    const [left, right] = splitRange(tree)
    const isLeft = index < left.end
    ranges.push(isLeft ? right : left)
    tree = isLeft ? left : right
  }
  return ranges.toReversed()
}

/**
 * Returns the subtrees that prove that a tree of `size` leaves begins with the tree of `oldSize` leaves.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.4.1}
 */
export function consistencyRanges(oldSize: number, size: number): LeafRange[] {
  ensure(isCount(oldSize) && isCount(size) && oldSize <= size, 'malformed', 'There is no such pair of trees')
  const ranges: LeafRange[] = []
  let tree: LeafRange = { start: 0, end: size }
  while (tree.end !== oldSize) {
    const [left, right] = splitRange(tree)
    const isLeft = oldSize <= left.end
    ranges.push(isLeft ? right : left)
    tree = isLeft ? left : right
  }
  if (tree.start > 0) ranges.push(tree)
  return ranges.toReversed()
}

function splitRange({ start, end }: LeafRange): [left: LeafRange, right: LeafRange] {
  const middle = start + largestPowerBelow(end - start)
  return [
    { start, end: middle },
    { start: middle, end },
  ]
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0

/** Returns the complete subtrees of a subtree, from left to right, each smaller than the one before. */
export function completeSubtrees({ start, end }: LeafRange): Subtree[] {
  const subtrees: Subtree[] = []
  let next = start
  while (next < end) {
    const height = heightWithin(end - next)
    subtrees.push({ height, position: next / 2 ** height })
    next += 2 ** height
  }
  return subtrees
}

/** Returns the height of the largest complete tree with at most `count` leaves. */
function heightWithin(count: number): number {
  let height = 0
  while (2 ** (height + 1) <= count) height += 1
  return height
}

/** Returns the hash of a subtree from those of its complete subtrees, in the order of {@link completeSubtrees}. */
export function joinSubtrees(hashes: readonly Buffer[]): Buffer {
  return hashes.reduceRight((right, left) => hashChildren(left, right))
}

export interface InclusionClaim {
  readonly index: number
  readonly size: number
  /** The hash of the leaf. */
  readonly leaf: Buffer
  readonly proof: readonly Buffer[]
  readonly root: Buffer
}

/**
 * Whether a proof shows that a tree with this root contains the leaf.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2}
 */
export function provesInclusion({ index, size, leaf, proof, root }: InclusionClaim): boolean {
  if (!isCount(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return false
  const ranges = inclusionRanges(index, size)
  if (!areHashes(proof, ranges.length)) return false
  const computed = proof.reduce(
    (hash, sibling, at) =>
      (ranges[at]?.start ?? 0) > index ? hashChildren(hash, sibling) : hashChildren(sibling, hash),
    leaf,
  )
  return computed.equals(root)
}

export interface ConsistencyClaim {
  readonly oldSize: number
  readonly oldRoot: Buffer
  readonly size: number
  readonly root: Buffer
  readonly proof: readonly Buffer[]
}

/**
 * Whether a proof shows that the tree with `root` begins with all leaves of the one with `oldRoot`, in the same order.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.4.2}
 */
export function provesConsistency(claim: ConsistencyClaim): boolean {
  const { oldSize, oldRoot, size, root, proof } = claim
  if (!isCount(oldSize) || !isCount(size) || oldSize > size) return false
  const ranges = consistencyRanges(oldSize, size)
  if (!areHashes(proof, ranges.length)) return false
  const [before, after] = rebuildRoots(claim, ranges)
  return before.equals(oldRoot) && after.equals(root)
}

/** Returns the roots of both trees, computed from the subtree at the end of the old one upwards. */
function rebuildRoots({ oldSize, oldRoot, proof }: ConsistencyClaim, ranges: readonly LeafRange[]): [Buffer, Buffer] {
  const [first] = proof
  // That subtree is the first of the proof, or the whole old tree, whose hash is known.
  const isNamed = first !== undefined && ranges[0]?.end === oldSize
  let [before, after] = isNamed ? [first, first] : [oldRoot, oldRoot]
  for (const [at, sibling] of proof.entries()) {
    if (isNamed && at === 0) continue
    const isRight = (ranges[at]?.start ?? 0) >= oldSize
    if (!isRight) before = hashChildren(sibling, before)
    after = isRight ? hashChildren(after, sibling) : hashChildren(sibling, after)
  }
  return [before, after]
}

const areHashes = (proof: readonly Buffer[], count: number): boolean =>
  proof.length === count && proof.every((hash) => hash.length === HASH_BYTES)
