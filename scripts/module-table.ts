/**
 * `npm run docs:modules`: updates the table of modules in docs/ARCHITECTURE.md from modules.cjs. The descriptions of
 * the modules are written on the page itself, and kept.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const file = path.join(root, 'docs/ARCHITECTURE.md')
const { modules } = createRequire(import.meta.url)('../modules.cjs') as {
  modules: readonly { readonly path: string; readonly siblings: readonly string[] }[]
}

const HEADING = ['Module', 'What it does', 'Imports beside it']
const TABLE = /^\| Module .*\n(?:\|.*\n)+/m
const ROW = /^\| `([\w/-]+)` +\| ([^|]+?) +\|/gm

/** Returns the page with an up-to-date table. */
export function withModuleTable(page: string): string {
  const known = new Map([...page.matchAll(ROW)].map(([, name = '', text = '']) => [name, text]))
  const rows = modules.map(({ path: folder, siblings }) => [
    `\`${folder}\``,
    known.get(folder) ?? 'to be described',
    siblings.map((name) => `\`${name}\``).join(', ') || '–',
  ])
  const widths = HEADING.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return page.replace(TABLE, () => line(HEADING) + rule + rows.map(line).join(''))
}

if (process.argv[1] === import.meta.filename) writeFileSync(file, withModuleTable(readFileSync(file, 'utf8')))
