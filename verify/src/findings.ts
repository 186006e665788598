import { canonicalJson } from './encoding.ts'

/** The parts of a pack, as findings name them. */
export type Part =
  | 'pack'
  | 'seal'
  | 'keys'
  | 'payment'
  | 'mandate'
  | 'approval'
  | 'receipt'
  | 'settlement'
  | 'disputes'
  | 'refunds'
  | 'audit'
  | 'witness'

/**
 * `proven`: signatures and hashes show it. `stated`: the server says so and has signed that it does, and nothing else
 * shows it. `missing`: it could not be checked, because something was left out or not kept. `wrong`: altered or
 * contradictory.
 */
export type Status = 'proven' | 'stated' | 'missing' | 'wrong'

export interface Finding {
  readonly part: Part
  readonly status: Status
  /** One sentence in plain words. */
  readonly text: string
}

type FactValue = string | number | null

/** What the parts say about the same thing. Money in minor units. */
export type FactName =
  | 'amount'
  | 'currency'
  | 'merchant'
  | 'items'
  | 'person'
  | 'agent'
  | 'mandate id'
  | 'payment id'
  | 'settlement id'
  | 'fee'
  | 'account of the merchant'
  | 'time of payment'

interface Fact {
  readonly part: Part
  readonly value: FactValue
}

/** Collects what the checks find out. */
export class Findings {
  readonly list: Finding[] = []
  readonly #facts = new Map<FactName, Fact[]>()

  proven(part: Part, text: string): void {
    this.list.push({ part, status: 'proven', text })
  }
  stated(part: Part, text: string): void {
    this.list.push({ part, status: 'stated', text })
  }
  missing(part: Part, text: string): void {
    this.list.push({ part, status: 'missing', text })
  }
  wrong(part: Part, text: string): void {
    this.list.push({ part, status: 'wrong', text })
  }
  /** Notes `text` as wrong unless the condition holds; returns the condition. */
  require(part: Part, condition: boolean, text: string): boolean {
    if (!condition) this.wrong(part, text)
    return condition
  }

  has(part: Part, status: Status): boolean {
    return this.list.some((finding) => finding.part === part && finding.status === status)
  }

  /** Notes what a part says, to be compared with what the others say. */
  fact(part: Part, name: FactName, value: unknown): void {
    const isPlain = value === null || typeof value === 'string' || typeof value === 'number'
    const fact = { part, value: isPlain ? value : canonicalJson(value ?? null) }
    this.#facts.set(name, [...(this.#facts.get(name) ?? []), fact])
  }

  /** What the parts say, when all of them say the same. */
  agreed(name: FactName): FactValue | undefined {
    const values = new Set((this.#facts.get(name) ?? []).map(({ value }) => value))
    return values.size === 1 ? [...values][0] : undefined
  }

  /** Compares what the parts say: every pair that differs is wrong. */
  compareFacts(): void {
    for (const [name, facts] of this.#facts) {
      const [first] = facts
      for (const { part, value } of facts) {
        if (first === undefined || value === first.value) continue
        this.wrong(part, `The ${name} of the ${part} (${value}) is not that of the ${first.part} (${first.value}).`)
      }
    }
  }
}
