import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  completeSubtrees,
  consistencyRanges,
  hashChildren,
  hashLeaf,
  inclusionRanges,
  joinSubtrees,
  type LeafRange,
  provesConsistency,
  provesInclusion,
  rootOf,
} from './merkle-tree'

/** The leaves and roots of the reference implementation of RFC 6962, whose hashes RFC 9162 keeps. */
const REFERENCE_LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const REFERENCE_ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const leavesOf = (contents: readonly string[]): Buffer[] => contents.map((hex) => hashLeaf(Buffer.from(hex, 'hex')))
const reference = leavesOf(REFERENCE_LEAVES)
const hex = (hashes: readonly Buffer[]): string[] => hashes.map((hash) => hash.toString('hex'))

/** Computes the root exactly as it is defined. @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1.1} */
function definedRoot(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only === undefined) return createHash('sha256').digest()
  if (leaves.length === 1) return only
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return hashChildren(definedRoot(leaves.slice(0, split)), definedRoot(leaves.slice(split)))
}

const hashRange = (leaves: readonly Buffer[], { start, end }: LeafRange): Buffer =>
  joinSubtrees(
    completeSubtrees({ start, end }).map(({ height, position }) =>
      rootOf(leaves.slice(position * 2 ** height, (position + 1) * 2 ** height)),
    ),
  )
const proofOf = (leaves: readonly Buffer[], ranges: readonly LeafRange[]): Buffer[] =>
  ranges.map((range) => hashRange(leaves, range))

const numbered = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, at) => hashLeaf(Buffer.from(String(at))))

describe('vectors of RFC 6962', () => {
  test('roots', () => {
    expect(rootOf([]).toString('hex')).toBe(createHash('sha256').digest('hex'))
    expect(REFERENCE_LEAVES.map((_, at) => rootOf(reference.slice(0, at + 1)).toString('hex'))).toEqual(REFERENCE_ROOTS)
  })

  test.each([
    [0, 8, ['96a296d2', '5f083f0a', '6b47aaf2']],
    [5, 8, ['bc1a0643', 'ca854ea1', 'd37ee418']],
    [2, 3, ['fac54203']],
    [1, 5, ['6e340b9c', '5f083f0a', 'bc1a0643']],
    [0, 1, []],
  ])('inclusion of leaf %i in a tree of %i', (index, size, expected) => {
    const proof = proofOf(reference, inclusionRanges(index, size))
    expect(hex(proof).map((hash) => hash.slice(0, 8))).toEqual(expected)
  })

  test.each([
    [1, 1, []],
    [1, 8, ['96a296d2', '5f083f0a', '6b47aaf2']],
    [6, 8, ['0ebc5d34', 'ca854ea1', 'd37ee418']],
    [2, 5, ['5f083f0a', 'bc1a0643']],
  ])('consistency of %i with %i', (from, to, expected) => {
    const proof = proofOf(reference, consistencyRanges(from, to))
    expect(hex(proof).map((hash) => hash.slice(0, 8))).toEqual(expected)
  })
})

describe('every tree of up to 64 leaves', () => {
  const leaves = numbered(64)
  const roots = leaves.map((_, at) => definedRoot(leaves.slice(0, at + 1)))
  const sizes = leaves.map((_, at) => at + 1)
  const rootAt = (size: number): Buffer => roots[size - 1] ?? expect.fail('no such tree')

  test('its subtrees join to the root that the definition has', () => {
    for (const size of sizes) expect(hashRange(leaves, { start: 0, end: size })).toEqual(rootAt(size))
  })

  test('each leaf is proven, and at its own place only', () => {
    for (const size of sizes) {
      for (let index = 0; index < size; index += 1) {
        const proof = proofOf(leaves, inclusionRanges(index, size))
        const leaf = leaves[index] ?? expect.fail('no such leaf')
        const claim = { index, size, leaf, proof, root: rootAt(size) }
        expect(provesInclusion(claim)).toBe(true)
        expect(provesInclusion({ ...claim, index: (index + 1) % size })).toBe(size === 1)
        expect(provesInclusion({ ...claim, leaf: hashLeaf(Buffer.from('another')) })).toBe(false)
      }
    }
  })

  test('each earlier tree is proven, and no other', () => {
    for (const size of sizes) {
      for (let oldSize = 1; oldSize <= size; oldSize += 1) {
        const proof = proofOf(leaves, consistencyRanges(oldSize, size))
        const claim = { oldSize, oldRoot: rootAt(oldSize), size, root: rootAt(size), proof }
        expect(provesConsistency(claim)).toBe(true)
        const other = hashLeaf(Buffer.from('another'))
        expect(provesConsistency({ ...claim, oldRoot: other })).toBe(false)
        expect(provesConsistency({ ...claim, root: other })).toBe(false)
      }
    }
  })
})

describe('larger trees', () => {
  const leaves = numbered(3_000)
  const place = fc
    .integer({ min: 1, max: leaves.length })
    .chain((size) => fc.record({ size: fc.constant(size), below: fc.integer({ min: 1, max: size }), spoilt: fc.nat() }))

  test('proofs of random places hold, and none holds with another, a missing or a further hash', () => {
    fc.assert(
      fc.property(place, ({ size, below, spoilt }) => {
        const root = rootOf(leaves.slice(0, size))
        const leaf = leaves[below - 1] ?? expect.fail('no such leaf')
        const inclusion = proofOf(leaves, inclusionRanges(below - 1, size))
        const consistency = proofOf(leaves, consistencyRanges(below, size))
        const oldRoot = rootOf(leaves.slice(0, below))
        const includes = (proof: readonly Buffer[]) => provesInclusion({ index: below - 1, size, leaf, proof, root })
        const continues = (proof: readonly Buffer[]) =>
          provesConsistency({ oldSize: below, oldRoot, size, root, proof })
        expect([includes(inclusion), continues(consistency)]).toEqual([true, true])
        for (const [holds, proof] of [
          [includes, inclusion],
          [continues, consistency],
        ] as const) {
          expect(holds([...proof, root])).toBe(false)
          if (proof.length === 0) continue
          expect(holds(proof.slice(1))).toBe(false)
          expect(holds(proof.map((hash, at) => (at === spoilt % proof.length ? hashLeaf(hash) : hash)))).toBe(false)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a proof grows with the logarithm of the tree, up to the largest numbers', () => {
    const largest = Number.MAX_SAFE_INTEGER
    expect(inclusionRanges(0, largest)).toHaveLength(53)
    expect(consistencyRanges(largest - 1, largest).length).toBeLessThanOrEqual(54)
    expect(inclusionRanges(0, 1_000_000)).toHaveLength(20)
  })

  test.each([
    ['a tree without leaves', () => inclusionRanges(0, 0)],
    ['a leaf beyond the tree', () => inclusionRanges(3, 3)],
    ['half a leaf', () => inclusionRanges(0.5, 3)],
    ['a tree that shrinks', () => consistencyRanges(3, 2)],
    ['the beginning of nothing', () => consistencyRanges(0, 2)],
  ])('%s has no proof', (_name, ask) => {
    expect(ask).toThrow('There is no such')
  })
})
