import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { commonErrors, toolNotes } from '@/scripts/tool-notes'
import { renderTools } from '@/scripts/tools-doc'
import { tools } from '@/tool-server/src/tools'

const root = path.resolve(import.meta.dirname, '../..')

test('docs/tools.md is up to date', () => {
  expect(readFileSync(path.join(root, 'docs/tools.md'), 'utf8')).toBe(renderTools())
})

test('notes on tools are about each tool, and no other', () => {
  expect(Object.keys(toolNotes)).toEqual(tools.map(({ listing }) => listing.name))
})

test.each(tools.map(({ listing }) => [listing.name, listing] as const))(
  'the example of %s fits its schema',
  (name, { inputSchema }) => {
    const schema = z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0])
    expect(schema.safeParse(toolNotes[name]?.example).error).toBeUndefined()
  },
)

test('each error in docs/tools.md is one that a test of the tool server sees', () => {
  const folder = path.join(root, 'test/tool-server')
  const suites = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  // A suite names the scope of a loop over tools as `${scope}`.
  const seen = suites.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n')
  const details = [commonErrors, ...Object.values(toolNotes).map(({ errors }) => errors)].flat().map(([one]) => one)
  const unseen = details.filter(
    (one) => !seen.includes(one) && !seen.includes(one.replace(/\(need .*\)/, '(need ${scope})')),
  )
  expect(unseen).toEqual([])
})
