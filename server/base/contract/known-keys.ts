import type * as z from 'zod'

/** The members that a schema of an object names; none without a schema. */
export function knownKeys(schema: z.ZodType | undefined): ReadonlySet<string> {
  return new Set(schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : [])
}
