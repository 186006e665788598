import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

test('a reset starts another server in the same way, and a signal ends that one and the command with its status', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'countersign-attend-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const command = spawn(process.execPath, ['--no-warnings', path.join(import.meta.dirname, 'attending.mjs')], {
    env: { NODE_ENV: 'test', PATH: process.env['PATH'], FOLDER: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [output] = (await once(command.stdout, 'data')) as [Buffer]
  expect(output.toString()).toBe('serving --no-warnings')
  command.kill('SIGTERM')
  expect(await once(command, 'exit')).toEqual([3, null])
})
