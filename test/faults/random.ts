/** Repeatable randomness: the same seed makes the same choices in the same order. */
export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number, both ends included. */
  int(lowest: number, highest: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    int: (lowest, highest) => lowest + Math.floor(next() * (highest - lowest + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = list[Math.floor(next() * list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}

export function newSeed(): number {
  return Math.floor(Math.random() * 4_294_967_296)
}
