import { canonicalJson } from './encoding.ts'

/** The parts of a pack, by their names in findings. */
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
 * `proven`: signatures and hashes prove it. `stated`: the server has signed that it is so, and nothing else proves it.
 * `missing`: it could not be checked, because something was left out or not stored. `wrong`: altered or contradictory.
 */
export type Status = 'proven' | 'stated' | 'missing' | 'wrong'

export interface Finding {
  readonly part: Part
  readonly status: Status
  /** One sentence in plain words. */
  readonly text: string
}

type FactValue = string | number | null

/** The facts that several parts state, to be compared. Money in minor units. */
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

/** Collects the results of the checks. */
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

  /** Notes a fact that a part states, to be compared with the other parts. */
  fact(part: Part, name: FactName, value: unknown): void {
    const isPlain = value === null || typeof value === 'string' || typeof value === 'number'
    const fact = { part, value: isPlain ? value : canonicalJson(value ?? null) }
    this.#facts.set(name, [...(this.#facts.get(name) ?? []), fact])
  }

  /** Returns the value of a fact when all parts that state it agree; otherwise undefined. */
  agreed(name: FactName): FactValue | undefined {
    const values = new Set((this.#facts.get(name) ?? []).map(({ value }) => value))
    return values.size === 1 ? [...values][0] : undefined
  }

  /** Compares the facts of all parts, and notes every value that differs from the first part as wrong. */
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
