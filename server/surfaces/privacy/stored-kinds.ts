import { type RetentionKind, retention } from '../../base/core/retention'
import type { StoredKind } from './contract'
import { erasureRules } from './erasure-rules'

/** Kinds of data about no person, or only about the test data of the sandbox. */
const impersonal = ['installation', 'quotas', 'sandbox', 'sandboxNonces', 'sandboxReplies'] as const

export type PersonalKind = Exclude<RetentionKind, (typeof impersonal)[number]>

const isPersonal = (kind: string): kind is PersonalKind => !impersonal.some((other) => other === kind)

const deleted = new Set(Object.values(erasureRules).flatMap(({ table, keeps }) => (keeps === undefined ? [table] : [])))
const emptied = new Set(
  Object.values(erasureRules).flatMap(({ table, erases }) => (erases.length > 0 && !deleted.has(table) ? [table] : [])),
)

/** The kinds of data about people, from the rules of retention and erasure. */
export const storedKinds: readonly StoredKind[] = Object.keys(retention)
  .filter(isPersonal)
  .map((kind) => ({ kind, kept: retention[kind].kept, ground: retention[kind].ground, erasure: erasureOf(kind) }))

/** Returns the effect of an erasure on a kind; of several tables, that of the one which keeps most. */
function erasureOf(kind: PersonalKind): StoredKind['erasure'] {
  const { tables } = retention[kind]
  if (tables.every((table) => deleted.has(table))) return 'deleted'
  return tables.some((table) => deleted.has(table) || emptied.has(table)) ? 'emptied' : 'kept'
}
