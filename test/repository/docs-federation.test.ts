import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '@/server/operations'
import { type App, startApp } from '../support/app'
import { examplesOf, expectationsOf, runExamples, shownLine } from '../support/doc-examples'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/federation.md'), 'utf8')

let app: App
beforeAll(async () => {
  app = await startApp({ seed: false })
})
afterAll(() => app.close())

/** Runs the commands of the page in one shell, in which npm is only the way to the script that it names. */
async function runCommands(commands: string) {
  const npm = 'npm() { shift 3; node_modules/.bin/tsx scripts/admin.ts "$@"; }'
  const child = spawn('bash', ['-euo', 'pipefail'], {
    cwd: root,
    env: { ...process.env, BASE_URL: app.baseUrl, OPERATOR_TOKEN: app.operatorToken },
    timeout: 100_000,
  })
  const ended = once(child, 'close')
  child.stdin.end(`${npm}\n${commands}`)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await ended
  return { status: child.exitCode, stdout, stderr }
}

test('the commands and examples about the federation run word for word', async () => {
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const { status, stdout, stderr } = await runCommands(commands.join('\n'))
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('https://shop.example')
  const examples = examplesOf(page)
  const run = await runExamples(app, examples.join('\n'))
  expect(run.status, run.stderr).toBe(0)
  expect(run.lines).toEqual(examples.flatMap(expectationsOf).map(shownLine))
}, 120_000)

test('every endpoint of the federation is named on its page', () => {
  const ours = operations.map(({ endpoint }) => endpoint.path).filter((one) => one.includes('federation'))
  expect(new Set(ours).size).toBeGreaterThanOrEqual(9)
  expect(ours.filter((one) => !page.includes(one.replace('/{entity_id}', '')))).toEqual([])
})
