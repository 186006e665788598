import type { Platform } from '@/server/base/core/platform'
import { sql } from '@/server/base/core/sql'

/** Where a needle was found: `table.column`. */
export type Place = string

interface StoredColumn {
  readonly table: string
  readonly column: string
  readonly type: string
}

/** Every column of every table that can hold words: text, JSON, bytes, and arrays of them. */
function listWordColumns({ db }: Platform): Promise<StoredColumn[]> {
  return db.query<StoredColumn>(
    sql`SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
        AND c.data_type IN ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'ARRAY', 'USER-DEFINED')
      ORDER BY 1, 2`,
  )
}

/** How the values of sealed columns are opened: the context that each was sealed with, made of the row's columns. */
const contexts: Readonly<Record<string, (row: Readonly<Record<string, unknown>>) => string>> = {
  'messages.sealed_content': ({ id }) => `message:${String(id)}`,
  'sign_in_requests.sealed_email': ({ id }) => `sign-in-request:${String(id)}`,
  'privacy_replies.sealed_reply': (row) =>
    `privacy-reply:${[row['principal_id'], row['kind'], row['key_hash']].map(String).join(' ')}`,
  'idempotent_replies.sealed_reply': (row) =>
    `idempotent-reply:${String(row['client_id'])}:${String(row['idempotency_key'])}`,
  'push_subscriptions.sealed_subscription': (row) => `push-subscription/${String(row['endpoint_hash'])}`,
  'push_key.sealed_private_key': ({ id }) => `push-key/${String(id)}`,
  'signing_keys.sealed_private_key': ({ kid }) => `signing-key/${String(kid)}`,
  'settlements.sealed_presentation': ({ id }) => `settlement-presentation/${String(id)}`,
  'relying_party.sealed_private_key': ({ id }) => `relying-party-key/${String(id)}`,
  'presentation_requests.sealed_request': ({ id }) => `presentation-request/${String(id)}`,
  'presentation_requests.sealed_outcome': ({ id }) => `presentation-outcome/${String(id)}`,
  'sandbox_merchant_keys.sealed_private_key': (row) => `sandbox-merchant-key/${String(row['merchant_id'])}`,
}

const SEALED = /^v[12]\./

/** What a sealed value says, and any other value itself. Throws for a sealed value that cannot be opened. */
function opened({ sealer }: Platform, place: Place, { row, value }: { row: Record<string, unknown>; value: string }) {
  if (!SEALED.test(value)) return value
  const contextOf = contexts[place]
  if (contextOf === undefined) throw new Error(`nobody knows how ${place} was sealed`)
  return sealer.open(value, contextOf(row)).toString()
}

/** Where the needles stand in the database, in any case and encoding. */
export async function scanDatabase(platform: Platform, needles: readonly string[]): Promise<Place[]> {
  const found: Place[] = []
  const columns = await listWordColumns(platform)
  for (const table of new Set(columns.map((column) => column.table))) {
    const rows = await platform.db.query<Record<string, unknown>>(sql`SELECT * FROM ${sql.raw(table)}`)
    const places = columns
      .filter((one) => one.table === table)
      .map(({ column }) => ({ column, place: `${table}.${column}` }))
    const held = places.filter(({ column, place }) =>
      rows.some((row) => holdsAny(opened(platform, place, { row, value: wordsOf(row[column]) }), needles)),
    )
    found.push(...held.map(({ place }) => place))
  }
  return found.toSorted((a, b) => (a < b ? -1 : 1))
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const DEEPEST = 2

/** Whether a text holds one of the needles: as it is, or in base64, base64url, hexadecimal, percent or JSON encoding. */
export function holdsAny(text: string, needles: readonly string[], depth = 0): boolean {
  const lower = text.toLowerCase().normalize('NFC')
  if (needles.some((needle) => lower.includes(needle.toLowerCase().normalize('NFC')))) return true
  if (depth === DEEPEST || !isText(text)) return false
  return readings(text).some((reading) => holdsAny(reading, needles, depth + 1))
}

/** What was decoded from something else than an encoding of a text is no text, and holds no further encoding. */
const isText = (text: string): boolean => !text.includes('\0') && !text.includes('\uFFFD')

/** What a text says when it, or a part of it, is taken for an encoding. The shortest needle has nine characters. */
function readings(text: string): string[] {
  const escaped = text.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  )
  const percent = text.replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
  )
  const base64 = [...text.matchAll(/[\w+/-]{12,}/g)].flatMap(([run]) =>
    // An encoding may follow upon other letters.
    [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString()),
  )
  const hex = [...text.matchAll(/[0-9a-fA-F]{18,}/g)].flatMap(([run]) =>
    [0, 1].map((start) => Buffer.from(run.slice(start), 'hex').toString()),
  )
  return [escaped, percent, ...base64, ...hex].filter((reading) => reading !== text)
}
