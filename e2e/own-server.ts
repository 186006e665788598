import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from '@playwright/test'
import type { Target } from '@/test/actors'
import { test as base } from './fixtures'
import { freePort } from './free-port'

const ROOT = path.resolve(import.meta.dirname, '..')
export const START_PATIENCE_MS = 60_000

/** Starts a built server for `use`, with a data directory that goes when it goes. */
export async function withServer(
  settings: Readonly<Record<string, string>>,
  use: (target: Target) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'countersign-e2e-own-'))
  const port = freePort()
  const baseUrl = `http://localhost:${port}`
  const server = spawn(process.execPath, ['server.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: String(port),
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      SANDBOX: 'true',
      LOG_LEVEL: 'error',
      ...settings,
    },
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    const isReady = () =>
      fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    await expect.poll(isReady, { timeout: START_PATIENCE_MS }).toBe(true)
    const operatorToken = (await readFile(path.join(dataDir, 'operator-token'), 'utf8')).trim()
    await use({ baseUrl, operatorToken })
  } finally {
    server.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** For what would disturb other tests: each worker has a server that nobody else uses. */
export const test = base.extend<object, { ownServer: Target }>({
  ownServer: [async ({}, use) => withServer({}, use), { scope: 'worker', timeout: START_PATIENCE_MS * 2 }],
  target: async ({ ownServer }, use) => use(ownServer),
  baseURL: async ({ ownServer }, use) => use(ownServer.baseUrl),
})

export { expect } from '@playwright/test'
