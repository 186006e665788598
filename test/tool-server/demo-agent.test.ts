/** The story that `npm run demo:agent` tells, and its transcript in docs/agents.md. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '../support/app'

const root = path.resolve(import.meta.dirname, '../..')
const page = path.join(root, 'docs/agents.md')
const BLOCK = /<!-- transcript -->\n([\s\S]*?)<!-- \/transcript -->/

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('the transcript in docs/agents.md is what the demo prints (UPDATE_TRANSCRIPT=1 writes it)', async () => {
  const env = { ...process.env, BASE_URL: app.baseUrl, OPERATOR_TOKEN: app.operatorToken }
  const run = promisify(execFile)
  const { stdout } = await run('npx', ['tsx', 'scripts/demo-agent.ts', '--placeholders'], { cwd: root, env })
  const block = `\n\`\`\`text\n${stdout.trim()}\n\`\`\`\n\n`
  const text = readFileSync(page, 'utf8')
  if (process.env['UPDATE_TRANSCRIPT'] !== undefined) {
    writeFileSync(
      page,
      text.replace(BLOCK, () => `<!-- transcript -->\n${block}<!-- /transcript -->`),
    )
  }
  expect(BLOCK.exec(readFileSync(page, 'utf8'))?.[1]).toBe(block)
})
