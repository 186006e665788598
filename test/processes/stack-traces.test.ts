import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Member, startMember, stopMember } from './cluster'

/** A blank line, the doc comment and the signature stand between the two. */
const LINES_OFF_MAX = 4

let dataDir: string
let server: Member
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-stack-'))
  const env = {
    BASE_URL: 'http://localhost',
    DATA_DIR: dataDir,
    SANDBOX: 'true',
    LOG_LEVEL: 'warn',
    SWITCH_SETTLEMENT: 'false',
  }
  server = await startMember(env, 'pipe')
})
afterAll(async () => {
  await stopMember(server)
  await rm(dataDir, { recursive: true, force: true })
})

/** The first warning about a request that the server logs. */
async function firstWarning(): Promise<{ message: string; cause: { message: string; stack: string } }> {
  if (server.process.stdout === null) throw new Error('the log is not piped')
  for await (const line of createInterface(server.process.stdout)) {
    if (line.includes('"requestId"')) return JSON.parse(line)
  }
  throw new Error('nothing was logged')
}

test('the stack trace of an error in the log names the file and place of our source', async () => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/settlement/settle`, { method: 'POST' })
  expect(answer.status).toBe(503)
  const { message, cause } = await firstWarning()
  expect([message, cause.message]).toEqual(['request refused', 'This feature is switched off.'])
  const line = /server\/base\/core\/common-errors\.ts:(\d+):\d+/.exec(cause.stack)?.[1]
  expect(line, cause.stack).toBeDefined()
  const source = (await readFile('server/base/core/common-errors.ts', 'utf8')).split('\n')
  // The bundler's maps of many modules in one may point at the end of what stands before the function.
  expect(source.slice(Number(line) - 1, Number(line) + LINES_OFF_MAX).join('\n')).toContain(
    'This feature is switched off.',
  )
})
