/** `npm run docs:privacy`: writes docs/privacy.md from the table of retention (server/base/core/retention.ts). */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { retention } from '@/server/base/core/retention'
import type { Retention } from '@/server/base/core/retention-entry'
import { describePeriod } from '@/server/surfaces/privacy/describe-period'
import { markdownTable } from './markdown-table'

const file = path.join(path.dirname(import.meta.dirname), 'docs/privacy.md')

const HEADING = ['What', 'Tables', 'Kept', 'Why', 'Legal ground']
const TABLE = /^\| What .*\n(?:\|.*\n)+/m

const grounds = {
  b: 'Art. 6(1)(b): contract',
  c: 'Art. 6(1)(c): legal obligation',
  f: 'Art. 6(1)(f): legitimate interest',
} as const

const rowOf = (kind: Retention): string[] => [
  kind.what,
  kind.tables.map((table) => `\`${table}\``).join(', '),
  describePeriod(kind),
  kind.why,
  grounds[kind.ground],
]

/** Returns the page with an up-to-date table. */
export function withRetentionTable(page: string): string {
  const kinds: readonly Retention[] = Object.values(retention)
  const rows = kinds.map(rowOf)
  return page.replace(TABLE, () => markdownTable(HEADING, rows))
}

if (process.argv[1] === import.meta.filename) writeFileSync(file, withRetentionTable(readFileSync(file, 'utf8')))
