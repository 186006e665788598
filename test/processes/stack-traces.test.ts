import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Member, startMember, stopMember } from './cluster'

let dataDir: string
let server: Member
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'countersign-stack-'))
  const env = { BASE_URL: 'http://localhost', DATA_DIR: dataDir, SANDBOX: 'true', LOG_LEVEL: 'error' }
  server = await startMember(env, 'pipe')
})
afterAll(async () => {
  await stopMember(server)
  await rm(dataDir, { recursive: true, force: true })
})

/** The first error that the server logs. */
async function firstError(): Promise<{ message: string; cause: { message: string; stack: string } }> {
  if (server.process.stdout === null) throw new Error('the log is not piped')
  for await (const line of createInterface(server.process.stdout)) {
    if (line.startsWith('{')) return JSON.parse(line)
  }
  throw new Error('nothing was logged')
}

test('the stack trace of an error in the log names the file and line of our source', async () => {
  const head = 'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded'
  const socket = connect(server.port, 'localhost')
  socket.write(`${head}\r\nContent-Length: 100\r\n\r\ngrant_type=`, () => socket.destroy())
  const { message, cause } = await firstError()
  expect([message, cause.message]).toEqual(['request failed', 'The request was broken off.'])
  const line = /server\/transport\/http\/lane\.ts:(\d+):\d+/.exec(cause.stack)?.[1]
  expect(line, cause.stack).toBeDefined()
  const source = (await readFile('server/transport/http/lane.ts', 'utf8')).split('\n')
  expect(source[Number(line) - 1]).toContain('The request was broken off.')
})
