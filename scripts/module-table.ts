/**
 * `npm run docs:modules`: updates the table of modules in docs/ARCHITECTURE.md from modules.cjs. The descriptions of
 * the modules are written on the page itself, and kept.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { markdownTable } from './markdown-table'

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
  return page.replace(TABLE, () => markdownTable(HEADING, rows))
}

if (process.argv[1] === import.meta.filename) writeFileSync(file, withModuleTable(readFileSync(file, 'utf8')))
