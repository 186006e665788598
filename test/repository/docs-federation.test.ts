import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '@/server/operations'
import { check } from '../federation/run-checks'
import { type App, startApp } from '../support/app'
import { examplesOf, expectationsOf, runExamples, shownLine } from '../support/doc-examples'

const root = path.resolve(import.meta.dirname, '../..')
const page = readFileSync(path.join(root, 'docs/federation.md'), 'utf8')

const CHECKED_EVERY_MS = 1_000

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

/** Runs one example, while the entities that it enrols are checked more often than a server would. */
async function runExample(example: string) {
  const timer = setInterval(() => void check(app), CHECKED_EVERY_MS)
  const run = await runExamples(app, example)
  clearInterval(timer)
  expect(run.status, run.stderr).toBe(0)
  expect(run.lines).toEqual(expectationsOf(example).map(shownLine))
}

test('the commands and examples about the federation run word for word', async () => {
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  const examples = examplesOf(page)
  const fences = [...page.matchAll(/^ *(?:```|~~~) *(?:sh|bash|js|ts|mjs)\b/gm)]
  expect(commands.length + examples.length, 'blocks that are not run, because they are indented').toBe(fences.length)
  const { status, stdout, stderr } = await runCommands(commands.join('\n'))
  expect(status, stderr).toBe(0)
  expect(stdout).toContain('https://shop.example')
  for (const example of examples) await runExample(example)
}, 180_000)

test('every endpoint of the federation is named on its page', () => {
  const ours = operations.map(({ endpoint }) => endpoint.path).filter((one) => one.includes('federation'))
  expect(new Set(ours).size).toBeGreaterThanOrEqual(9)
  expect(ours.filter((one) => !page.includes(one.replace('/{entity_id}', '')))).toEqual([])
})
