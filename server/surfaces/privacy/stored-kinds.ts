import { type RetentionKind, retention } from '../../base/core/retention'
import type { StoredKind } from './contract'
import { erasureRules } from './erasure-rules'

/** Kinds of data that are about nobody, or only about what the sandbox plays. */
const impersonal = ['installation', 'quotas', 'sandbox', 'sandboxNonces', 'sandboxReplies'] as const

export type PersonalKind = Exclude<RetentionKind, (typeof impersonal)[number]>

const isPersonal = (kind: string): kind is PersonalKind => !impersonal.some((other) => other === kind)

const deleted = new Set(Object.values(erasureRules).flatMap(({ table, keeps }) => (keeps === undefined ? [table] : [])))
const emptied = new Set(
  Object.values(erasureRules).flatMap(({ table, erases }) => (erases.length > 0 && !deleted.has(table) ? [table] : [])),
)

/** What is stored about people, from the tables of retention and erasure. */
export const storedKinds: readonly StoredKind[] = Object.keys(retention)
  .filter(isPersonal)
  .map((kind) => ({ kind, kept: retention[kind].kept, ground: retention[kind].ground, erasure: erasureOf(kind) }))

/** Of several tables the one of which most stays says it. */
function erasureOf(kind: PersonalKind): StoredKind['erasure'] {
  const { tables } = retention[kind]
  if (tables.every((table) => deleted.has(table))) return 'deleted'
  return tables.some((table) => deleted.has(table) || emptied.has(table)) ? 'emptied' : 'kept'
}
