import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Bytes, sha256, toBytes } from './encoding.ts'
import { hashLeaf, hashNode, provesInclusion } from './merkle-tree.ts'

/** Computes a root as RFC 9162 section 2.1.1 defines it. */
async function rootOf(leaves: readonly Bytes[]): Promise<Bytes> {
  const [first] = leaves
  if (first === undefined) return sha256('')
  if (leaves.length === 1) return first
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return hashNode(await rootOf(leaves.slice(0, split)), await rootOf(leaves.slice(split)))
}

/** Computes an inclusion proof as RFC 9162 section 2.1.3.1 defines it. */
async function proofOf(index: number, leaves: readonly Bytes[]): Promise<Bytes[]> {
  if (leaves.length <= 1) return []
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1))
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  if (index < split) return [...(await proofOf(index, left)), await rootOf(right)]
  return [...(await proofOf(index - split, right)), await rootOf(left)]
}

const treeOf = (size: number) =>
  Promise.all(Array.from({ length: size }, (_, index) => hashLeaf(toBytes(`leaf ${index}`))))

describe('inclusion proofs', () => {
  test('the hash of an empty leaf is that of RFC 6962', async () => {
    const leaf = await hashLeaf(new Uint8Array())
    expect(Buffer.from(leaf).toString('hex')).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
  })

  test('every leaf of every tree up to 20 leaves is proven, and for no other place', async () => {
    for (let size = 1; size <= 20; size += 1) {
      const leaves = await treeOf(size)
      const root = await rootOf(leaves)
      for (const [index, leaf] of leaves.entries()) {
        const proof = await proofOf(index, leaves)
        expect(await provesInclusion({ index, size, leaf, proof, root })).toBe(true)
        expect(await provesInclusion({ index: (index + 1) % size, size, leaf, proof, root })).toBe(size === 1)
      }
    }
  })

  test('no altered proof, leaf, size or root is taken', async () => {
    const leaves = await treeOf(37)
    const root = await rootOf(leaves)
    const other = await hashLeaf(toBytes('other'))
    await fc.assert(
      fc.asyncProperty(fc.nat(36), fc.nat(9), async (index, at) => {
        const [leaf = other, proof] = [leaves[index], await proofOf(index, leaves)]
        const claim = { index, size: 37, leaf, proof, root }
        const altered = proof.with(at % proof.length, other)
        const claims = [
          { ...claim, proof: altered },
          { ...claim, proof: proof.slice(1) },
          { ...claim, proof: [...proof, other] },
          { ...claim, leaf: other },
          { ...claim, root: other },
          { ...claim, index: -1 },
          { ...claim, size: index },
        ]
        for (const wrong of claims) expect(await provesInclusion(wrong)).toBe(false)
      }),
      { numRuns: 40 },
    )
  })
})
