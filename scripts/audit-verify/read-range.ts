import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { AuditEntry } from '@/server/shared/audit'
import { UsageError } from '../operator-client'
import { findJsonFaults } from './json-faults'

const range = z.object({ tenant_id: z.string(), entries: z.array(z.unknown()), checkpoint: z.string().nullable() })
const numbered = z.object({ seq: z.int() })
const entry = z.strictObject({
  seq: z.int(),
  ts: z.string(),
  event: z.string(),
  tenant_id: z.string(),
  actor: z.strictObject({ kind: z.string(), id: z.string() }),
  payload: z.record(z.string(), z.unknown()),
  prev_hash: z.string(),
  entry_hash: z.string(),
})

/** An entry as the file has it, or why it cannot be read as one. */
export type ExportedEntry = { readonly entry: AuditEntry } | { readonly seq: number | null; readonly fault: string }

/** One answer of GET /audit/{tenant_id}/range. */
export interface ExportedRange {
  readonly tenantId: string
  readonly entries: readonly ExportedEntry[]
  readonly checkpoint: string | null
  /** Why the document as a whole is ambiguous; null when it is not. */
  readonly fault: string | null
}

/** Reads one exported answer. Throws {@link UsageError} when it is not JSON or not an exported range. */
export function readExport(path: string): ExportedRange {
  return readRange(readText(path), path)
}

/** Reads the text of an answer; error messages name it `name`. */
export function readRange(text: string, name: string): ExportedRange {
  const parsed = range.safeParse(parseJson(text, name))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new UsageError(`${name} is no exported audit range: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
  }
  const { ofDocument, ofEntries } = findJsonFaults(text)
  const { tenant_id: tenantId, entries, checkpoint } = parsed.data
  const fault = ofDocument === null ? null : `${name} is ambiguous: ${ofDocument}.`
  return { tenantId, checkpoint, fault, entries: entries.map((value, at) => readEntry(value, ofEntries[at] ?? null)) }
}

/** Reads an entry and keeps it as it was parsed, so that the hash covers it as the file has it. */
function readEntry(value: unknown, jsonFault: string | null): ExportedEntry {
  const { data, error } = entry.safeParse(value)
  if (data === undefined) return { seq: numbered.safeParse(value).data?.seq ?? null, fault: describeFault(error) }
  return jsonFault === null ? { entry: value as AuditEntry } : { seq: data.seq, fault: jsonFault }
}

/** Returns what is wrong with an entry. Unknown members come first, since no other check finds them. */
function describeFault({ issues }: z.ZodError): string {
  const foreign = issues.find((issue) => issue.code === 'unrecognized_keys')
  if (foreign !== undefined) {
    const member = [...foreign.path, foreign.keys[0] ?? ''].join('.')
    return `member ${JSON.stringify(member)} cannot be in an entry`
  }
  const member = issues[0]?.path.join('.') ?? ''
  return member === '' ? 'it is not an object' : `its member ${member} is missing or malformed`
}

/** Returns the text of a file. Throws {@link UsageError} when it cannot be read as UTF-8. */
export function readText(path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (cause) {
    throw new UsageError(`${path} cannot be read as text.`, { cause })
  }
}

/** Parses JSON. Throws {@link UsageError} with `name` when it is none. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${name} cannot be read as JSON.`, { cause })
  }
}
