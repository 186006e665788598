/** What ships or measures the product takes no earlier build for the sources. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

test.each([
  'bench/support/servers.ts',
  'bench/tools.ts',
  'scripts/lighthouse.ts',
  'scripts/mcpb.ts',
  'scripts/page-size.ts',
  'scripts/screenshots.ts',
])('%s builds what has changed before it uses what is built', (file) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toMatch(/^await build\(outdatedSteps\(\)\)$/m)
})
