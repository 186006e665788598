/** Figures beside their goals: each bench prints its own, and `npm run bench` prints all in one table. */
import { appendFileSync } from 'node:fs'

export interface Figure {
  /** The name of the measurement. */
  readonly what: string
  readonly figure: string
  readonly goal: string
  /** Null where there is no goal. */
  readonly met: boolean | null
}

/** Prints the figures, and passes them to `npm run bench` where that has started this bench. */
export function reportFigures(figures: readonly Figure[]): void {
  console.table(figures)
  const file = process.env['BENCH_FIGURES']
  if (file === undefined) return
  for (const one of figures) appendFileSync(file, `${JSON.stringify(one)}\n`)
}
