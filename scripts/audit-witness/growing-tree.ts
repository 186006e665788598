import { hashChildren, joinSubtrees } from '@/server/base/protocol/merkle-tree'

/** The root of a complete subtree at the right edge of a tree; hashes are base64url. */
export interface EdgeNode {
  readonly height: number
  readonly hash: string
}

/**
 * A Merkle tree that keeps only its right edge: enough to append leaves, and so to prove that a later root covers the
 * same leaves and those appended since.
 */
export class GrowingTree {
  readonly #edge: { height: number; hash: Buffer }[]

  constructor(edge: readonly EdgeNode[]) {
    this.#edge = edge.map(({ height, hash }) => ({ height, hash: Buffer.from(hash, 'base64url') }))
  }

  append(leaf: Buffer): void {
    let node = { height: 0, hash: leaf }
    for (let last = this.#edge.at(-1); last?.height === node.height; last = this.#edge.at(-1)) {
      this.#edge.pop()
      node = { height: node.height + 1, hash: hashChildren(last.hash, node.hash) }
    }
    this.#edge.push(node)
  }

  /** Returns the root as base64url; null while there are no leaves. */
  root(): string | null {
    return this.#edge.length === 0 ? null : joinSubtrees(this.#edge.map(({ hash }) => hash)).toString('base64url')
  }

  edge(): EdgeNode[] {
    return this.#edge.map(({ height, hash }) => ({ height, hash: hash.toString('base64url') }))
  }
}
