import { hashChildren, joinSubtrees } from '@/server/base/protocol/merkle-tree'

/** The root of a complete subtree at the right edge of a tree; hashes are base64url. */
export interface EdgeNode {
  readonly height: number
  readonly hash: string
}

/**
 * A Merkle tree of which only the right edge is kept: enough to append leaves, and so to know for certain that a later
 * root is that of the same leaves and of those appended since.
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

  /** The root as base64url; null while there are no leaves. */
  root(): string | null {
    return this.#edge.length === 0 ? null : joinSubtrees(this.#edge.map(({ hash }) => hash)).toString('base64url')
  }

  edge(): EdgeNode[] {
    return this.#edge.map(({ height, hash }) => ({ height, hash: hash.toString('base64url') }))
  }
}
