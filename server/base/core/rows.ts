import type { Prisma } from '@/prisma/generated/client'
import { invariant } from './invariant'

type Model = keyof Prisma.TypeMap['model']
type Columns<M extends Model> = Prisma.TypeMap['model'][M]['payload']['scalars']

/** The columns of type date, which statements return as `YYYY-MM-DD`. */
const dateColumns = ['day'] as const
type DateColumn = (typeof dateColumns)[number]

type Returned<Name, Value> = Name extends DateColumn
  ? string
  : Value extends bigint
    ? number
    : Value extends Prisma.JsonValue | null
      ? Value extends string | number | boolean | Date | null
        ? Value
        : unknown
      : Value

/**
 * A row of a table, or some of its columns, as a statement returns them: bigint as a number, date as text. The columns
 * and their types are those of the model in prisma/schema. `Known` gives columns a more exact type: the values of a
 * text, the shape of a JSON value.
 */
export type Row<
  M extends Model,
  Column extends keyof Columns<M> = keyof Columns<M>,
  Known extends Partial<Record<Column, unknown>> = object,
> = Omit<{ [Name in Column]: Returned<Name, Columns<M>[Name]> }, keyof Known> & Known

/** Rows of one table as they are shown to the person whose data they hold. */
export type StoredRows = readonly Readonly<Record<string, unknown>>[]

/** The type that Prisma's client returns for a value of a row. */
type Read<Value> = Value extends string
  ? string | Date
  : Value extends number
    ? number | bigint
    : Value extends boolean | Date | null
      ? Value
      : unknown

/** Converts a row of Prisma's client to the form that a statement returns. Throws when a bigint is beyond 2^53 - 1. */
export function rowOf<Target extends object>(read: { readonly [Name in keyof Target]: Read<Target[Name]> }): Target {
  return Object.fromEntries(Object.entries(read).map(([name, value]) => [name, returned(name, value)])) as Target
}

function returned(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') {
    invariant(Number.isSafeInteger(Number(value)), `${name} fits a number`)
    return Number(value)
  }
  return value instanceof Date && dateColumns.some((column) => column === name)
    ? value.toISOString().slice(0, 10)
    : value
}
