import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { App } from './app'

const root = path.resolve(import.meta.dirname, '../..')
const RUN_WITHIN_MS = 60_000

/** Returns the JavaScript examples of a page, in order. */
export function examplesOf(page: string): string[] {
  return [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
}

/** Returns the output that an example's comments promise. */
export function expectationsOf(block: string): string[] {
  return [...block.matchAll(/^console\.log\(.*\) \/\/ (.+)$/gm)].map(([, line = '']) => line)
}

/** Runs an ES module in its own process, with the packages of this repository and the app as its server. */
export async function runExamples(app: App, program: string) {
  const child = spawn(process.execPath, ['--input-type=module'], {
    cwd: root,
    env: { ...process.env, BASE_URL: app.baseUrl, OPERATOR_TOKEN: app.operatorToken },
    timeout: RUN_WITHIN_MS,
  })
  const ended = once(child, 'close')
  child.stdin.end(program)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  await ended
  return { status: child.exitCode, stderr, lines: stdout.trimEnd().split('\n') }
}

/** Returns a matcher for a line of output as a page shows it, where `…` matches anything. */
export const shownLine = (line: string) =>
  expect.stringMatching(new RegExp(`^${line.split('…').map(escaped).join('.+')}$`))
const escaped = (literal: string) => literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
