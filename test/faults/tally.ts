/** Counts by name, for the report. */
export class Tally {
  readonly faults = new Map<string, number>()
  readonly answers = new Map<string, number>()

  fault(kind: string): void {
    count(this.faults, kind)
  }

  answer(kind: string): void {
    count(this.answers, kind)
  }

  get faultTotal(): number {
    return [...this.faults.values()].reduce((sum, each) => sum + each, 0)
  }

  lines(): string[] {
    return [
      `faults: ${this.faultTotal}`,
      ...listed(this.faults),
      `answers: ${[...this.answers.values()].reduce((sum, each) => sum + each, 0)}`,
      ...listed(this.answers),
    ]
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function listed(counts: ReadonlyMap<string, number>): string[] {
  return [...counts.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, times]) => `  ${String(times).padStart(7)}  ${name}`)
}
