import type { Prisma } from '@/prisma/generated/client'
import { deletedTables } from './deleted-tables'
import { emptiedTables } from './emptied-tables'
import type { ErasureStep } from './erasure-steps'
import { keptTables } from './kept-tables'

type Models = Prisma.TypeMap['model']
type Model = keyof Models
type Column<M extends Model> = Extract<keyof Models[M]['payload']['scalars'], string>

/** The effect of an erasure on one table of the database. */
interface ErasureRule<M extends Model> {
  readonly table: string
  /** The step that erases; null when no row is about a person, or none holds personal data. */
  readonly step: ErasureStep | null
  /** The personal columns. Of a table whose rows are deleted, the others are deleted with them. */
  readonly erases: readonly Column<M>[]
  /** Every other column of text, JSON or bytes; absent where the rows are deleted. */
  readonly keeps?: readonly Column<M>[]
}

/** The rule of erasure for each table, by model. The compiler requires one for a new table. */
export const erasureRules: { readonly [M in Model]: ErasureRule<M> } = {
  ...deletedTables,
  ...emptiedTables,
  ...keptTables,
}

interface Redaction {
  readonly table: string
  readonly columns: string[]
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : 1)

/** The columns that erasure empties, or deletes with their rows: sorted by table and column. */
export const redactedColumns: readonly Redaction[] = Object.values(erasureRules)
  .filter(({ erases }) => erases.length > 0)
  .map(({ table, erases }) => ({ table, columns: [...erases].toSorted(byCodeUnits) }))
  .toSorted((a, b) => byCodeUnits(a.table, b.table))
