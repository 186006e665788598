import type * as z from 'zod'

/** Returns the member names of an object schema; none without a schema. */
export function knownKeys(schema: z.ZodType | undefined): ReadonlySet<string> {
  return new Set(schema !== undefined && 'shape' in schema ? Object.keys(schema.shape as object) : [])
}
